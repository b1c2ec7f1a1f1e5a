package source

import (
	"bufio"
	"io"
)

// bufferedReader is a bufio.Reader: decoders read single bytes from it and so
// do not read past the end of their stream.
type bufferedReader struct{ *bufio.Reader }

func newBufferedReader(r io.Reader) *bufferedReader {
	return &bufferedReader{bufio.NewReaderSize(r, 64<<10)}
}

func (b *bufferedReader) peek(n int) []byte {
	head, _ := b.Peek(n)
	return head
}

// zerosToEnd consumes zero bytes and says whether nothing else is left.
func (b *bufferedReader) zerosToEnd() bool {
	for {
		c, err := b.ReadByte()
		if err == io.EOF {
			return true
		}
		if err != nil {
			return false
		}
		if c != 0 {
			_ = b.UnreadByte()
			return false
		}
	}
}
