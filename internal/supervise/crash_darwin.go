package supervise

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// The system writes its report when the process is gone, within seconds.
const (
	crashPatience = 3 * time.Second
	crashPoll     = 200 * time.Millisecond
)

// crashOf finds the system's report of the end of a process.
func crashOf(pid int, since time.Time) (line, unseen string) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err.Error()
	}
	folder := filepath.Join(home, "Library", "Logs", "DiagnosticReports")
	for begun := time.Now(); time.Since(begun) < crashPatience; time.Sleep(crashPoll) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return "", err.Error()
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil || filepath.Ext(e.Name()) != ".ips" || info.ModTime().Before(since) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				continue
			}
			if line, ok := crashReport(text, pid); ok {
				return fmt.Sprintf("%s: %s", e.Name(), line), ""
			}
		}
	}
	return "", "the system wrote none within " + crashPatience.String()
}
