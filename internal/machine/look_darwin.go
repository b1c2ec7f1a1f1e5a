package machine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// BootID is the id that the kernel gave this boot; empty: not readable.
func BootID() string {
	id, err := syscall.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(id)
}

// There are no pid namespaces and no containers here.
func initialPids() bool { return true }

func container() string { return "" }

func hasNvidia() bool { return false }

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) != syscall.ESRCH
}

const lookRest = 40 * time.Millisecond

// stuckProcesses are exiting (E) or waiting in the kernel (U) at two looks.
func stuckProcesses(ctx context.Context) (found []string, unseen string) {
	first, err := waiting(ctx)
	if err != nil {
		return nil, fmt.Sprintf("ps: %v", err)
	}
	if len(first) == 0 {
		return nil, ""
	}
	time.Sleep(lookRest)
	again, err := waiting(ctx)
	if err != nil {
		return nil, fmt.Sprintf("ps: %v", err)
	}
	for pid, p := range first {
		if q, ok := again[pid]; ok && q.name == p.name {
			found = append(found, fmt.Sprintf("process %s (%s) waits in the kernel or cannot end (state %s)", pid, p.name, p.state))
		}
	}
	return found, ""
}

func waiting(ctx context.Context) (map[string]psRow, error) {
	out, err := exec.CommandContext(ctx, "/bin/ps", "-axo", "pid=,stat=,comm=").Output()
	if err != nil {
		return nil, err
	}
	return stuckRows(string(out)), nil
}

// kernelFaults are not read: the unified log answers in seconds, not in time.
func kernelFaults(context.Context) (found []string, unseen string) {
	return nil, "the system's log takes too long to read before a run"
}
