package supervise

import (
	"fmt"
	"strings"
)

// ofMemory reports whether a line of the kernel says that it killed a process for
// want of memory.
func ofMemory(text string, pid int) bool {
	return (strings.Contains(text, "oom") || strings.Contains(text, "emory")) &&
		hasPid(text+",", pid, "Killed process %d (", "Kill process %d (", ",pid=%d,")
}

// ofCrash reports whether it says where a process did what it may not:
// "python3[42]: segfault at 0 ip … in libcuda.so.1[…]", "traps: python3[42] trap
// invalid opcode ip:… in libtorch_cpu.so[…]".
func ofCrash(text string, pid int) bool {
	return hasPid(text, pid, "[%d]: segfault at ", "[%d] trap ", "[%d] general protection")
}

func hasPid(text string, pid int, forms ...string) bool {
	for _, form := range forms {
		if strings.Contains(text, fmt.Sprintf(form, pid)) {
			return true
		}
	}
	return false
}
