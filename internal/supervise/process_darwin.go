package supervise

import (
	"os"

	"golang.org/x/sys/unix"
)

// The states of a process in kinfo_proc.
var darwinStates = [...]string{1: "I", 2: "R", 3: "S", 4: "T", 5: "Z"}

func readProcess(pid int) (process, bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid {
		return process{}, false
	}
	p := process{pid: pid, parent: int(k.Eproc.Ppid), group: int(k.Eproc.Pgid), name: unix.ByteSliceToString(k.Proc.P_comm[:])}
	if s := int(k.Proc.P_stat); s > 0 && s < len(darwinStates) {
		p.state = darwinStates[s]
	}
	p.started = k.Proc.P_starttime.Nano()
	p.tick = uint64(p.started)
	return p, true
}

// holders cannot be asked for here without other programs.
func holders(os.FileInfo) []process { return nil }

func commandLine(int) []string { return nil }
