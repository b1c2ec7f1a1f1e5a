package machine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// BootID is the id that the kernel gave this boot; empty: not readable.
func BootID() string {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// firstPidNamespace is the inode that every kernel gives its first one.
const firstPidNamespace = "pid:[4026531836]"

func initialPids() bool {
	name, err := os.Readlink("/proc/self/ns/pid")
	return err == nil && name == firstPidNamespace
}

// container names the container that the process stands in.
func container() string {
	there := func(path string) bool { _, err := os.Stat(path); return err == nil }
	cgroup, err := os.ReadFile("/proc/1/cgroup")
	if err != nil {
		cgroup = nil
	}
	holds := func(word string) bool { return strings.Contains(string(cgroup), word) }
	switch {
	case os.Getenv("KUBERNETES_SERVICE_HOST") != "" || holds("kubepods"):
		return "kubernetes"
	case there("/.dockerenv") || holds("/docker"):
		return "docker"
	case there("/run/.containerenv"):
		return "podman"
	case os.Getenv("APPTAINER_CONTAINER") != "" || os.Getenv("SINGULARITY_CONTAINER") != "":
		return "apptainer"
	case holds("/lxc"):
		return "lxc"
	case !initialPids():
		return "pid namespace"
	}
	return ""
}

// looks is how often a process must be found waiting: one look finds those that
// wait for a disk, as they should.
const (
	looks    = 3
	lookRest = 40 * time.Millisecond
)

// stuckProcesses are in state D at every look. Kernel threads are left out: some
// wait so when they are idle.
func stuckProcesses(ctx context.Context) (found []string, unseen string) {
	first, err := waiting()
	if err != nil {
		return nil, fmt.Sprintf("/proc: %v", err)
	}
	for range looks - 1 {
		if len(first) == 0 {
			return nil, ""
		}
		select {
		case <-ctx.Done():
			return nil, "there was no time to look twice"
		case <-time.After(lookRest):
		}
		again, err := waiting()
		if err != nil {
			return nil, fmt.Sprintf("/proc: %v", err)
		}
		for pid, p := range first {
			if q, ok := again[pid]; !ok || q.started != p.started {
				delete(first, pid)
			}
		}
	}
	for pid, p := range first {
		found = append(found, fmt.Sprintf("process %d (%s) waits in the kernel (state D%s)", pid, p.name, p.where()))
	}
	return found, ""
}

// procStat is what /proc/PID/stat says of a process.
type procStat struct {
	pid     int
	name    string
	state   byte
	flags   uint64
	started string // in ticks since the boot
}

// kernelThread is the flag PF_KTHREAD.
const kernelThread = 0x00200000

// waiting lists the processes in state D by pid.
func waiting() (map[int]procStat, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	list := map[int]procStat{}
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		if err != nil {
			continue // it ended meanwhile
		}
		if p, ok := parseStat(string(text)); ok && p.state == 'D' && p.flags&kernelThread == 0 {
			list[p.pid] = p
		}
	}
	return list, nil
}

// parseStat reads a line of /proc/PID/stat. The name stands in parentheses and
// may hold anything, parentheses included.
func parseStat(text string) (procStat, bool) {
	open, shut := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return procStat{}, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(text[:open]))
	rest := strings.Fields(text[shut+1:])
	if err != nil || len(rest) < 20 || rest[0] == "" {
		return procStat{}, false
	}
	flags, err := strconv.ParseUint(rest[6], 10, 64)
	return procStat{pid: pid, name: text[open+1 : shut], state: rest[0][0], flags: flags, started: rest[19]}, err == nil
}

func (p *procStat) where() string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/wchan", p.pid))
	if err != nil || len(text) == 0 || string(text) == "0" {
		return ""
	}
	return ", in " + string(text)
}

func alive(pid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return !errors.Is(err, fs.ErrNotExist)
}

func hasNvidia() bool {
	_, err := os.Stat("/proc/driver/nvidia/version")
	return err == nil
}

// kernelFaults reads the kernel's ring buffer, which begins at the boot unless
// it has gone round since.
func kernelFaults(context.Context) (found []string, unseen string) {
	const readAll, size = 3, 10
	n, err := syscall.Klogctl(size, nil)
	if err != nil || n <= 0 {
		return nil, kernelRefused(err)
	}
	buf := make([]byte, min(n, 16<<20))
	if n, err = syscall.Klogctl(readAll, buf); err != nil {
		return nil, kernelRefused(err)
	}
	return faultLines(string(buf[:n])), ""
}

func kernelRefused(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "the kernel's log is not open to this user (dmesg_restrict)"
	}
	return fmt.Sprintf("the kernel's log cannot be read: %v", err)
}
