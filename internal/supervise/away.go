package supervise

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/trainvet/trainvet/internal/machine"
)

// awayFile stands in the place of a run whose record is taken on the disk of one
// node. It goes when the whole record has come home.
const awayFile = "away.tvr"

// Where the record is taken, as run.capture says it; anything else is a folder.
const (
	CaptureAuto = "auto" // beside the code, unless other hosts write to that file system
	CaptureHere = "here" // in the run directory, wherever that lies
)

// awayNote says where the record of a run lies until it comes home.
type awayNote struct {
	ID     string `json:"id"`
	Host   string `json:"host"`
	BootID string `json:"boot_id"`
	Dir    string `json:"dir"`
	Wall   int64  `json:"wall"`
}

// here reports that the record lies on this machine, and is there.
func (n *awayNote) here() bool {
	host, err := os.Hostname()
	if err != nil || host != n.Host {
		return false
	}
	info, err := os.Stat(n.Dir)
	return err == nil && info.IsDir()
}

// readAway reads the note of a run directory; nil: the record is in it.
func readAway(dir string) (*awayNote, error) {
	var n awayNote
	err := load(dir, awayFile, &n)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &n, nil
}

// captureFolder chooses where the record of a run is taken that is to lie in
// home; empty: there. The reason is for people.
func captureFolder(setting, home string, getenv func(string) string, kindOf func(string) (fsKind, string)) (dir, why string) {
	switch setting {
	case CaptureHere:
		return "", ""
	case CaptureAuto, "":
	default:
		return setting, "run.capture names it"
	}
	kind, name := kindOf(existing(home))
	if kind != fsShared {
		return "", ""
	}
	why = "the run directory lies on " + name + ", to which other hosts write too"
	memory := ""
	for _, candidate := range nodeLocal(getenv) {
		kind, _ := kindOf(existing(candidate))
		switch {
		case kind == fsShared || !writable(candidate):
		case kind != fsMemory:
			return candidate, why
		case memory == "":
			memory = candidate
		}
	}
	return memory, why
}

// nodeLocal are folders that schedulers and systems keep on the node, best first.
func nodeLocal(getenv func(string) string) []string {
	var all []string
	for _, r := range launcherRows("scratch") {
		if dir := getenv(r.name); filepath.IsAbs(dir) {
			all = append(all, dir)
		}
	}
	return append(all, os.TempDir(), "/var/tmp")
}

// existing is the folder itself, or the nearest above it that is there.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// writable tries.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".trainvet-*")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// newAway makes the folder of a record in place and leaves a note of it in home.
func newAway(id, home, place string) (dir string, err error) {
	if place, err = filepath.Abs(place); err != nil {
		return "", err
	}
	dir = filepath.Join(place, newID(time.Now()))
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	if err := createOrFill(dir); err != nil {
		return "", err
	}
	note := awayNote{ID: id, Host: host, BootID: machine.BootID(), Dir: dir, Wall: time.Now().UnixNano()}
	if err := save(home, awayFile, note); err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}
