//go:build unix

package bench

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the resident set at most, in bytes.
func peak(st *os.ProcessState) int64 {
	usage, ok := st.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" { // bytes there, KiB elsewhere
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
