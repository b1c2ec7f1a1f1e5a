package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Reader is the decoded bytes of one input. Read hands out everything that can
// be decoded before it returns Truncated, Corrupt or Bomb.
type Reader struct {
	ctx     context.Context
	r       io.Reader
	at      io.ReaderAt
	size    int64 // of a plain file at opening
	read    int64
	path    string
	closers []func()
}

var errShorter = errors.New("the file became shorter while it was read")

// Open starts reading an input. Standard input can be opened once.
func (in *Input) Open(ctx context.Context) (*Reader, error) {
	r := &Reader{ctx: ctx, path: in.ID}
	var src io.Reader
	if in.stdin != nil {
		src, in.stdin = in.stdin, nil
	} else {
		f, err := os.Open(in.Path)
		if err != nil {
			return nil, fmt.Errorf("opening a source: %w", err)
		}
		r.closers = append(r.closers, func() { _ = f.Close() })
		if src, err = r.file(f, in); err != nil {
			r.Close()
			return nil, err
		}
	}
	if err := r.decode(src, in); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Beside opens the plain file that lies beside an input and whose name ends
// otherwise; nil where there is none, or the input is no plain file.
func (in *Input) Beside(ending, otherwise string) (io.ReadCloser, error) {
	base, ok := strings.CutSuffix(in.Path, ending)
	if !ok || in.stdin != nil || !in.format.plain() {
		return nil, nil
	}
	f, err := os.Open(base + otherwise)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("opening the file beside a source: %w", err)
	}
	return f, nil
}

// file fixes the size at opening: a file that grows is read as it was then.
func (r *Reader) file(f *os.File, in *Input) (io.Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("opening a source: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() == 0 { // files of /proc say 0
		return f, nil
	}
	section := io.NewSectionReader(f, 0, info.Size())
	if in.format.plain() {
		r.at, r.size = section, info.Size()
	}
	return section, nil
}

func (r *Reader) decode(src io.Reader, in *Input) error {
	r.r = src
	if c := in.format.compression; c != uncompressed {
		d, err := newDecoder(in.ID, c, src, in.limit)
		if err != nil {
			return err
		}
		r.closers = append(r.closers, func() { d.close() })
		r.r = d
	}
	if in.format.encoding != utf8Text {
		r.r = newUTF16Reader(r.r, in.format.encoding)
	}
	if in.format.wrap != unwrapped {
		r.r = newUnwrapReader(r.r, in.format.wrap)
	}
	return nil
}

// Read hands out decoded bytes.
func (r *Reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.r.Read(p)
	r.read += int64(n)
	if errors.Is(err, io.EOF) && r.at != nil && r.read < r.size {
		err = &Truncated{r.path, r.read, errShorter}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("reading a source: %w", err)
	}
	return n, err
}

// Plain gives random access where the decoded bytes are those of the file.
func (r *Reader) Plain() (at io.ReaderAt, size int64, ok bool) { return r.at, r.size, r.at != nil }

// Close ends reading.
func (r *Reader) Close() {
	for i := len(r.closers) - 1; i >= 0; i-- {
		r.closers[i]()
	}
	r.closers = nil
}
