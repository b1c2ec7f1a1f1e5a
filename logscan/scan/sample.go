package scan

import (
	"errors"
	"io"
)

const (
	samplePieces = 16
	samplePiece  = 64 << 10
)

// Sample reads up to 1 MiB of r, spread over its size bytes, for [New]: a log
// often begins with other lines than it is full of. What cannot be read is left
// out, since a sample only tunes.
func Sample(r io.ReaderAt, size int64) []byte {
	if size <= samplePieces*samplePiece {
		return readPiece(r, 0, int(max(size, 0)))
	}
	var out []byte
	for i := range int64(samplePieces) {
		at := i * (size - samplePiece) / (samplePieces - 1)
		out = append(out, readPiece(r, at, samplePiece)...)
	}
	return out
}

func readPiece(r io.ReaderAt, at int64, n int) []byte {
	b := make([]byte, n)
	got, err := r.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return b[:got]
}
