//go:build unix

package follow

import (
	"os"
	"syscall"
)

// openShared opens without waiting, should the file have become a pipe.
func openShared(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// unlinked: the file has no name any more.
func unlinked(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink == 0
}
