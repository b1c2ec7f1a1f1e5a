package python

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
)

// reason is what went wrong with a file, without its name.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// errGone says that a file is no more: git still lists what was deleted.
var errGone = errors.New("deleted")

// linkError is a link: what it leads to is read under its own name, if it is
// in the tree at all.
type linkError struct{ to string }

func (e *linkError) Error() string { return "it is a link to " + e.to }

// grow makes room for a file of some bytes and one more, by which a read tells
// that the file has ended.
func grow(buf []byte, size int) []byte {
	if cap(buf) < size+1 {
		buf = make([]byte, size+1)
	}
	return buf[:cap(buf)]
}

// fill reads into buf, which grows, what is left of a file of about some bytes.
func fill(next func([]byte) (int, error), buf []byte, size, limit int64) ([]byte, error) {
	buf = grow(buf, int(size))
	n := 0
	for {
		m, err := next(buf[n:])
		n += m
		switch {
		case errors.Is(err, io.EOF):
			return buf[:n], nil
		case err != nil:
			return buf[:0], err
		case int64(n) > limit:
			return buf[:0], fmt.Errorf("it grows beyond the limit of %d bytes", limit)
		case n == len(buf):
			buf = append(buf, make([]byte, n)...)
		}
	}
}

var errIrregular = errors.New("it is no regular file")

func tooLarge(size, limit int64) error {
	return fmt.Errorf("%d bytes, the limit is %d", size, limit)
}

// leadsInside reports whether a link leads to what the scan sees under its own
// name.
func leadsInside(root, name, to string) bool {
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(name), to)
	}
	rel, err := filepath.Rel(root, to)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
