//go:build unix

package supervise

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

// save writes a small file by rename.
func save(dir, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", name, err)
	}
	f, err := os.CreateTemp(dir, ".writing-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// maxState bounds what is read of a file that others may have written.
const maxState = 1 << 20

func load(dir, name string, v any) error {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxState))
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
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
