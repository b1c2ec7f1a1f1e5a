//go:build linux || darwin || freebsd

package python

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// read reads a file into buf, which grows. It asks the system four times, where
// package os does eight: most of a scan is files that are looked at and put
// away. A link is not followed, and a pipe does not block.
func read(name string, buf []byte, limit int64) ([]byte, error) {
	fd, err := again(func() (int, error) {
		return syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	})
	if err != nil {
		return buf, unopened(name, err)
	}
	defer syscall.Close(fd)
	var info syscall.Stat_t
	if err := syscall.Fstat(fd, &info); err != nil {
		return buf, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	switch {
	case info.Mode&syscall.S_IFMT != syscall.S_IFREG:
		return buf, errIrregular
	case info.Size > limit:
		return buf, tooLarge(info.Size, limit)
	}
	left := info.Size
	return fill(func(p []byte) (int, error) {
		n, err := again(func() (int, error) { return syscall.Read(fd, p) })
		if err != nil {
			return 0, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		left -= int64(n)
		if n == 0 || left <= 0 && n < len(p) { // there was room for more
			return n, io.EOF
		}
		return n, nil
	}, buf, info.Size, limit)
}

// unopened says why a file was not opened. Where a name is a link, systems call
// that by different names: the link itself tells.
func unopened(name string, err error) error {
	if to, linked := os.Readlink(name); linked == nil {
		return &linkError{to}
	}
	if _, missing := os.Lstat(name); errors.Is(missing, fs.ErrNotExist) {
		return errGone
	}
	if info, found := os.Lstat(name); found == nil && !info.Mode().IsRegular() {
		return errIrregular // a socket
	}
	return &fs.PathError{Op: "open", Path: name, Err: err}
}

// again asks until no signal comes between.
func again(ask func() (int, error)) (int, error) {
	for {
		n, err := ask()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
