package follow

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// writers counts the processes that hold a file open for writing. It is not
// known where the files of some process cannot be looked at.
func writers(info os.FileInfo) (n int, known bool) {
	procs, err := os.ReadDir("/proc")
	if err != nil {
		return 0, false
	}
	known = true
	for _, p := range procs {
		if _, err := strconv.Atoi(p.Name()); err != nil {
			continue
		}
		dir := filepath.Join("/proc", p.Name())
		fds, err := os.ReadDir(filepath.Join(dir, "fd"))
		if err != nil {
			known = known && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH)) // it ended meanwhile; or it is not ours to look at
			continue
		}
		for _, fd := range fds {
			there, err := os.Stat(filepath.Join(dir, "fd", fd.Name()))
			if err == nil && os.SameFile(there, info) && writable(filepath.Join(dir, "fdinfo", fd.Name())) {
				n++
				break
			}
		}
	}
	return n, known || n > 0
}

// writable reads the flags of an open file.
func writable(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return !os.IsNotExist(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if text, ok := strings.CutPrefix(s.Text(), "flags:"); ok {
			flags, err := strconv.ParseUint(strings.TrimSpace(text), 8, 64)
			return err != nil || int(flags)&(os.O_WRONLY|os.O_RDWR) != 0
		}
	}
	return true
}
