package supervise

import (
	"os"
	"path/filepath"
	"strconv"
)

// processesHere looks at /proc. Processes of other users cannot be looked at.
func processesHere() processView {
	libraries, devices := frameworkRows("library"), frameworkRows("device")
	return processView{
		pids: pids, read: readProcess, argv: commandLine,
		loaded: func(pid int) string {
			f, err := os.Open("/proc/" + strconv.Itoa(pid) + "/maps")
			if err != nil {
				return ""
			}
			defer f.Close()
			return loadedIn(f, libraries)
		},
		opened: func(pid int) string { return openedIn(openFiles(pid), devices) },
	}
}

func openFiles(pid int) []string {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		if p, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}
