package supervise

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// Files of a run directory beside those of package rundir. The audit reads none
// of them; the trailer names them.
const (
	childFile = "child.json"     // who the child is, for those who take over
	exitFile  = "exit.json"      // how it ended, by the keeper of a detached run
	costFile  = "cost.json"      // CPU of trainvet and of the child
	stopFile  = "stop.json"      // that someone asked for its end
	keptFile  = "kept.tvr"       // what was read of the log, while the run lives
	ownFile   = "supervisor.tvr" // what the supervisor of a detached run says
	spareFile = "reserve.tvr"    // room on the disk, while the run lives
)

// newID names a run by the time of its start; the end keeps apart what starts
// in the same second.
func newID(now time.Time) string {
	var b [3]byte
	rand.Read(b[:]) // it never fails
	return now.Format("20060102-150405-") + hex.EncodeToString(b[:])
}

// place is where a run lies: its directory, and the folder of its record where
// that is another one while the run goes on.
type place struct {
	id   string
	dir  string // of the record
	home string // run directory; empty: the same
	why  string // it is another one
}

// newDirectory makes the run directory, hidden from git by itself.
func newDirectory(opt *Options, now time.Time) (p place, err error) {
	p.id = newID(now)
	if opt.Dir == "" {
		p.dir = filepath.Join(opt.Runs, p.id)
	} else {
		p.dir, p.id = opt.Dir, filepath.Base(filepath.Clean(opt.Dir))
	}
	if p.dir, err = filepath.Abs(p.dir); err != nil {
		return place{}, fmt.Errorf("creating the run directory: %w", err)
	}
	folder, why := captureFolder(opt.Capture, p.dir, os.Getenv, systemKind)
	if err := createOrFill(p.dir); err != nil {
		return place{}, err
	}
	if folder != "" {
		p.home, p.why = p.dir, why
		if p.dir, err = newAway(p.id, p.home, folder); err != nil {
			os.RemoveAll(p.home)
			return place{}, fmt.Errorf("creating the folder of the record: %w", err)
		}
		if err := ignore(p.dir, false); err != nil {
			return p, err
		}
		return p, ignore(p.home, opt.Dir == "")
	}
	return p, ignore(p.dir, opt.Dir == "")
}

// createOrFill makes a run directory; --dir may name an empty folder.
func createOrFill(dir string) error {
	err := rundir.Create(dir)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, readErr := os.ReadDir(dir)
	if readErr != nil || len(entries) > 0 {
		return fmt.Errorf("%w, and is not an empty folder", err)
	}
	if err := os.Mkdir(filepath.Join(dir, rundir.RecordsDir), 0o700); err != nil {
		return fmt.Errorf("creating the run directory: %w", err)
	}
	return nil
}

// ignore keeps logs out of commits: by one file for all runs, or by one in a
// directory that the user chose.
func ignore(dir string, shared bool) error {
	if shared {
		dir = filepath.Dir(dir)
		if filepath.Base(dir) == "runs" && filepath.Base(filepath.Dir(dir)) == ".trainvet" {
			dir = filepath.Dir(dir)
		}
	}
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		_, err = f.WriteString("*\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("hiding the runs from git: %w", err)
	}
	return nil
}
