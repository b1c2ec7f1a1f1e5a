package supervise

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes what the child leaves behind ours, so that it is known how
// it ended.
func adoptOrphans() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// dieWith makes a child end when the thread that starts it does.
func dieWith(attr *syscall.SysProcAttr, sig syscall.Signal) { attr.Pdeathsig = sig }

// defaultAction gives a signal back to the kernel. The Go runtime keeps those of
// crashes to itself, and would tell of its own goroutines.
func defaultAction(sig syscall.Signal) bool {
	var act [4]uint64 // handler, flags, restorer, mask: all zero is the default
	_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&act)), 0, 8, 0, 0)
	return errno == 0
}

// punch frees a stretch of a file and leaves its length.
func punch(f *os.File, from, n int64) error {
	return unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, from, n)
}

// allocate sets room aside on the disk.
func allocate(f *os.File, n int64) error { return unix.Fallocate(int(f.Fd()), 0, 0, n) }

// allocateBehind does so without making the file longer.
func allocateBehind(f *os.File, n int64) error {
	return unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, n)
}

// free is the room that is left on the disk of a folder.
func free(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * st.Bsize, nil
}

// kernelVersion as uname has it.
func kernelVersion() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Release[:])
}

func memory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
