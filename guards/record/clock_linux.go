package record

import (
	"syscall"
	"unsafe"
)

// clockMonotonic is CLOCK_MONOTONIC of the kernel.
const clockMonotonic = 1

// monotonic reads the machine's monotonic clock, which all its processes share.
// The standard library shows only differences of it, hence the system call; a
// record is a system call anyway.
func monotonic() int64 {
	var ts syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&ts)), 0); errno != 0 {
		return 0
	}
	return ts.Nano()
}
