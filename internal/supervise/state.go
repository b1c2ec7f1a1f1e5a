//go:build unix

package supervise

import (
	"syscall"
	"time"
)

// childState is child.json: who the child is. With its tick and the boot, a pid
// is one process and no other.
type childState struct {
	Pid     int    `json:"pid"`
	Group   int    `json:"pgid"`
	Tick    uint64 `json:"tick"`
	Started int64  `json:"started"` // Unix nanoseconds
	BootID  string `json:"boot_id"`
	Wall    int64  `json:"wall"`
	OOM     int64  `json:"oom_kills"` // of its cgroup, before it began
}

func (c *childState) alive(bootID string) bool {
	return c.Pid > 0 && (c.BootID == "" || bootID == "" || c.BootID == bootID) && !gone(c.Pid, c.Tick)
}

// exitState is exit.json: how the child of a detached run ended, or that it
// could not be started.
type exitState struct {
	Pid    int           `json:"pid"`
	Status uint32        `json:"status"` // of wait(2)
	CPU    time.Duration `json:"cpu"`
	Wall   int64         `json:"wall"`
	Error  string        `json:"error,omitempty"`
	Code   int           `json:"code,omitempty"` // 125, 126, 127 with an error
}

// stopState is stop.json: somebody asked for the end.
type stopState struct {
	Who  string `json:"who"`
	Wall int64  `json:"wall"`
}

// costState is cost.json: what a run took, for those who ask later.
type costState struct {
	Own   time.Duration `json:"own"`   // CPU of trainvet
	Child time.Duration `json:"child"` // CPU of the child and what it waited for
}

func cpuOf(u *syscall.Rusage) time.Duration {
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// ownCPU is what this process has used.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return cpuOf(&u)
}
