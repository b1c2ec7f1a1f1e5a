//go:build unix

package probe

import (
	"fmt"
	"syscall"
)

func diskFree(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("%s: %w", dir, err)
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
