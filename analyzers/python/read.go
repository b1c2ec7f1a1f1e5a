package python

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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

// read reads a file into buf, which grows. Only regular files are opened: a
// pipe would block.
func read(name string, buf []byte, limit int64) ([]byte, error) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return buf, errGone
	case err != nil:
		return buf, err
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(name)
		if err != nil {
			return buf, err
		}
		return buf, &linkError{to}
	case !info.Mode().IsRegular():
		return buf, errors.New("it is no regular file")
	case info.Size() > limit:
		return buf, fmt.Errorf("%d bytes, the limit is %d", info.Size(), limit)
	}
	f, err := os.Open(name)
	if err != nil {
		return buf, err
	}
	defer f.Close()
	size := int(info.Size())
	if cap(buf) < size+1 {
		spare := size / 4 // for the next file, but for the few large ones
		if size > maxKept {
			spare = 0
		}
		buf = make([]byte, size+spare+4096)
	}
	buf = buf[:cap(buf)]
	n := 0
	for {
		m, err := f.Read(buf[n:])
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

// leadsInside reports whether a link leads to what the scan sees under its own
// name.
func leadsInside(root, name, to string) bool {
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(name), to)
	}
	rel, err := filepath.Rel(root, to)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
