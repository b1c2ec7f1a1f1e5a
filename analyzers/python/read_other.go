//go:build !linux && !darwin && !freebsd

package python

import (
	"errors"
	"io/fs"
	"os"
)

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
		return buf, errIrregular
	case info.Size() > limit:
		return buf, tooLarge(info.Size(), limit)
	}
	f, err := os.Open(name)
	if err != nil {
		return buf, err
	}
	defer f.Close()
	return fill(f.Read, buf, info.Size(), limit)
}
