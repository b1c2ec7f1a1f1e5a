package guards

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
)

// A file is known again by its size and by pieces of it that lie evenly over its
// length. Training changes parameters all over, so that another checkpoint has
// other pieces; and 256 KiB are read however large it is.
const (
	pieces    = 64
	pieceSize = 4 << 10
)

// sample is the digest of pieces of a plain file; empty: there is none to read.
func sample(path string, size int64) string {
	if size < 0 {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	_ = binary.Write(sum, binary.LittleEndian, size) // a hash takes all
	piece := make([]byte, pieceSize)
	for _, at := range places(size) {
		n, _ := f.ReadAt(piece, at) // what is cut is another file
		sum.Write(piece[:n])
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// places are where the pieces of a file begin: they cover a small one.
func places(size int64) []int64 {
	var out []int64
	step := max((size-pieceSize)/(pieces-1), pieceSize)
	for at := int64(0); at < size && len(out) < pieces; at += step {
		out = append(out, at)
	}
	return out
}
