//go:build unix

package supervise

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// rankLogsDir is where, in the run directory, what workers printed past the log
// comes to lie.
const rankLogsDir = "logs"

// maxRankLogs bounds what is copied. More than that is said and stays away.
const maxRankLogs = 1 << 30

// rankLog is a file of a worker, by its path below the launcher's folder.
var rankLog = regexp.MustCompile(`(?:^|/)attempt_\d+/\d+/(?:stdout|stderr)\.log$`)

// logFolder is the folder into which a launcher was told to write what its workers
// print; empty: they write to the log, as everything does.
func logFolder(argv []string) string {
	for i, word := range argv {
		rows := launcherRows("logs")
		at := slices.IndexFunc(rows, func(r launcherRow) bool { return filepath.Base(word) == r.name })
		switch {
		case strings.HasSuffix(word, ".py"):
			return ""
		case at < 0, i > 0 && argv[i-1] != "-m":
			continue
		}
		for j, flag := range argv[i+1:] {
			name, value, has := strings.Cut(flag, "=")
			switch {
			case strings.HasSuffix(name, ".py"): // what follows is the trainer's
				return ""
			case strings.ReplaceAll(name, "_", "-") != rows[at].does:
			case has:
				return value
			case i+1+j+1 < len(argv):
				return argv[i+1+j+1]
			}
		}
	}
	return ""
}

// takeRankLogs copies what workers printed past the log into the run directory,
// before that is sealed. It is no capture: two files a worker, in no order.
func (s *Session) takeRankLogs() {
	folder := logFolder(s.opt.Argv)
	if folder == "" {
		return
	}
	left := int64(maxRankLogs)
	begun := time.Unix(0, s.child.Wall).Add(-time.Second) // clocks of file systems are coarse
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(folder, path)
		if err != nil || !rankLog.MatchString(filepath.ToSlash(rel)) {
			return err
		}
		info, err := e.Info()
		if err != nil || info.ModTime().Before(begun) { // of an earlier run
			return err
		}
		if left -= info.Size(); left < 0 {
			return fmt.Errorf("they hold more than %s", bytesText(maxRankLogs))
		}
		return copyNew(path, filepath.Join(s.dir, rankLogsDir, rel))
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.say("what the workers printed into %s is not in the run: %v", folder, err)
		s.journal.write(rundir.Event{Type: rundir.EventDiscontinuity, Kind: "not-copied", Lost: -1, Text: fmt.Sprintf("the logs of the workers in %s: %v", folder, err), Offset: at(s.size())})
	}
}

func copyNew(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
