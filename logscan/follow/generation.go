package follow

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	guardSize = 512
	chunkSize = 256 << 10
)

// generation is one file, or one content of it, that the name stood for.
type generation struct {
	file   *os.File
	info   os.FileInfo
	number int
	offset int64  // of what was read
	tail   []byte // the last bytes that were read: the splice guard
}

func openGeneration(path string, number int) (*generation, error) {
	before, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() { // opening a pipe would wait for its writer
		return nil, fmt.Errorf("%s: no regular file", path)
	}
	file, err := openShared(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	return &generation{file: file, info: info, number: number}, nil
}

// startAt skips what another reader has read.
func (g *generation) startAt(offset int64) error {
	if offset <= 0 {
		return nil
	}
	tail := make([]byte, min(offset, guardSize))
	n, err := g.file.ReadAt(tail, offset-int64(len(tail)))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if n < len(tail) {
		tail = bytes.Repeat([]byte{0xff}, len(tail)) // shorter than that: a cut, which the guard will see
	}
	g.offset, g.tail = offset, tail
	return nil
}

// read gives the bytes behind what was read, or the gap that lies there. It
// reads into buf, which begins with the guard.
func (g *generation) read(buf []byte) ([]byte, *Gap, error) {
	buf = buf[:len(g.tail)+chunkSize]
	from := g.offset - int64(len(g.tail))
	n, err := g.file.ReadAt(buf, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if gap, err := g.spliced(buf[:min(n, len(g.tail))], n); gap != nil || err != nil {
		return nil, gap, err
	}
	data := buf[len(g.tail):n]
	if len(data) == 0 {
		return nil, nil, nil
	}
	// The file may have been cut, and grown again, while it was read.
	if gap, err := g.stillThere(from); gap != nil || err != nil {
		return nil, gap, err
	}
	g.offset += int64(len(data))
	g.keep(data)
	return data, nil, nil
}

// spliced holds the guard against what stands in its place; n is how much
// stands there and behind.
func (g *generation) spliced(there []byte, n int) (*Gap, error) {
	if n >= len(g.tail) && bytes.Equal(there, g.tail) {
		return nil, nil
	}
	info, err := g.file.Stat()
	if err != nil {
		return nil, err
	}
	gap := &Gap{Kind: Rewritten, Lost: NotKnown,
		Reason: fmt.Sprintf("other bytes stand before byte %d than were read there: the file was cut and written anew", g.offset)}
	if info.Size() < g.offset {
		gap.Kind, gap.Reason = Truncated, fmt.Sprintf("it has %d bytes, of which %d had been read: the file was cut", info.Size(), g.offset)
	}
	return gap, nil
}

func (g *generation) stillThere(from int64) (*Gap, error) {
	if len(g.tail) == 0 {
		return nil, nil
	}
	again := make([]byte, len(g.tail))
	n, err := g.file.ReadAt(again, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return g.spliced(again[:n], n)
}

// keep remembers the end of what was read.
func (g *generation) keep(data []byte) {
	if len(data) >= guardSize {
		g.tail = append(g.tail[:0], data[len(data)-guardSize:]...)
		return
	}
	if drop := len(g.tail) + len(data) - guardSize; drop > 0 {
		g.tail = append(g.tail[:0], g.tail[drop:]...)
	}
	g.tail = append(g.tail, data...)
}

// anew begins the next content of the same file.
func (g *generation) anew(number int) {
	g.number, g.offset, g.tail = number, 0, g.tail[:0]
}

// skipHole passes over NUL bytes at the start of a content that followed a cut
// and returns how many there were. Writers that did not open the file for
// appending go on at their old place, and the file system fills up with NULs.
func (g *generation) skipHole(buf []byte) (int64, error) {
	for {
		n, err := g.file.ReadAt(buf, g.offset)
		if err != nil && !errors.Is(err, io.EOF) {
			return g.offset, err
		}
		zeros := n
		for i, b := range buf[:n] {
			if b != 0 {
				zeros = i
				break
			}
		}
		g.offset += int64(zeros)
		if zeros < n || n == 0 {
			return g.offset, nil
		}
	}
}
