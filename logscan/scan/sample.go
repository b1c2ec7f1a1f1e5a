package scan

import (
	"errors"
	"io"
)

const (
	samplePieces = 16
	samplePiece  = 32 << 10
)

// Sample reads up to 512 KiB of r, spread over its size bytes, for [New]: a log
// often begins with other lines than it is full of. What cannot be read is left
// out, since a sample only tunes.
func Sample(r io.ReaderAt, size int64) []byte {
	if size <= samplePieces*samplePiece {
		out := make([]byte, max(size, 0))
		return out[:readPiece(r, 0, out)]
	}
	out := make([]byte, 0, samplePieces*samplePiece)
	for i := range int64(samplePieces) {
		at := i * (size - samplePiece) / (samplePieces - 1)
		n := len(out)
		out = out[:n+readPiece(r, at, out[n:n+samplePiece])]
	}
	return out
}

func readPiece(r io.ReaderAt, at int64, piece []byte) int {
	n, err := r.ReadAt(piece, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0
	}
	return n
}
