package supervise

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ticksPerSecond is the unit of /proc/PID/stat: USER_HZ, 100 on every
// architecture that Go runs on.
const ticksPerSecond = 100

func readProcess(pid int) (process, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	return parseStat(pid, stat)
}

// parseStat: the second field is the name in brackets and may hold anything,
// brackets too; behind its last one come the third and further fields.
func parseStat(pid int, stat []byte) (process, bool) {
	open, shut := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || shut < open {
		return process{}, false
	}
	fields := strings.Fields(string(stat[shut+1:]))
	if len(fields) < 20 {
		return process{}, false
	}
	number := func(i int) int { n, _ := strconv.Atoi(fields[i]); return n }
	tick, err := strconv.ParseUint(fields[19], 10, 64)
	if err != nil {
		return process{}, false
	}
	p := process{
		pid: pid, name: string(stat[open+1 : shut]), state: fields[0],
		parent: number(1), group: number(2), session: number(3), tick: tick,
	}
	p.started = wallOf(tick)
	return p, true
}

// wallOf turns ticks since the boot into a wall time.
func wallOf(tick uint64) int64 {
	text, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	up, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	age := time.Duration(up*float64(time.Second)) - time.Duration(tick)*time.Second/ticksPerSecond
	return time.Now().Add(-age).UnixNano()
}

func pids() []int {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var all []int
	for _, n := range names {
		if pid, err := strconv.Atoi(n.Name()); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

func commandLine(pid int) []string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

// holders are the other processes that have the file open for writing. Only
// those of the same user can be looked at; root sees all.
func holders(info os.FileInfo) []process {
	want, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	var found []process
	for _, pid := range pids() {
		if pid != os.Getpid() && holds(pid, want) {
			if p, ok := readProcess(pid); ok {
				found = append(found, p)
			}
		}
	}
	return found
}

func holds(pid int, want *syscall.Stat_t) bool {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	fds, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, fd := range fds {
		var st syscall.Stat_t
		if syscall.Stat(filepath.Join(dir, fd.Name()), &st) == nil && st.Ino == want.Ino && st.Dev == want.Dev && writes(pid, fd.Name()) {
			return true
		}
	}
	return false
}

// writes reads the flags of a descriptor, which are octal.
func writes(pid int, fd string) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/fdinfo/" + fd)
	if err != nil {
		return false
	}
	_, rest, ok := strings.Cut(string(text), "flags:")
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	flags, err := strconv.ParseInt(strings.TrimSpace(first), 8, 64)
	return err == nil && flags&syscall.O_ACCMODE != syscall.O_RDONLY
}
