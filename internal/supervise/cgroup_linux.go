package supervise

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// oomKills counts the out-of-memory kills of the memory cgroup that a process
// is in. root is /, and another folder in tests.
func oomKills(root string, pid int) (n int64, unseen string) {
	text, err := os.ReadFile(filepath.Join(root, "proc", strconv.Itoa(pid), "cgroup"))
	if err != nil {
		return 0, "its cgroup cannot be read"
	}
	for _, line := range strings.Split(string(text), "\n") {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 {
			continue
		}
		base := filepath.Join(root, "sys/fs/cgroup")
		var file string
		switch {
		case parts[0] == "0" && parts[1] == "":
			file = filepath.Join(base, parts[2], "memory.events")
		case strings.Contains(","+parts[1]+",", ",memory,"):
			file = filepath.Join(base, "memory", parts[2], "memory.oom_control")
		default:
			continue
		}
		if n, ok := counter(file, "oom_kill"); ok {
			return n, ""
		}
	}
	return 0, "no memory cgroup says how often it killed"
}

func counter(file, name string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 2 && f[0] == name {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
