//go:build unix

package supervise

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// hold keeps the folder of a record that is away from being removed while
// somebody uses it. The kernel lets go of it when the process dies.
type hold struct {
	lock      *os.File
	dir, home string
}

// take holds the record of a run whose place is home.
func take(dir, home string) (*hold, error) {
	f, err := os.Open(dir)
	if err == nil {
		err = flock(f, syscall.LOCK_SH)
	}
	if err != nil {
		return nil, fmt.Errorf("holding the record of the run: %w", err)
	}
	return &hold{lock: f, dir: dir, home: home}, nil
}

// release lets go; whoever is the last to do so removes a record that has come
// home.
func (h *hold) release() {
	if h == nil || h.lock == nil {
		return
	}
	defer func() { h.lock.Close(); h.lock = nil }()
	if note, err := readAway(h.home); err != nil || note != nil {
		return
	}
	if _, err := os.Stat(filepath.Join(h.home, rundir.TrailerFile)); err != nil {
		return // home is gone: this record is all that there is
	}
	if flock(h.lock, syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.RemoveAll(h.dir)
	}
}

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// Locate finds where the record of a run directory lies now, which is elsewhere
// while the run goes on if the directory lies on a shared file system. The record
// stays there until release is called. Other paths come back as they are.
func Locate(path string) (dir string, release func()) {
	note, err := readAway(path)
	if err != nil || note == nil || !note.here() {
		return path, func() {}
	}
	h, err := take(note.Dir, path)
	if err != nil {
		return path, func() {}
	}
	return note.Dir, h.release
}

// bringHome copies a closed record to its place, reads it there against the
// trailer, and then takes the note away: from that moment on the run is there.
// Done twice, also by two processes at once, it comes to the same.
func (h *hold) bringHome() error {
	one, err := h.alone()
	if err != nil {
		return fmt.Errorf("bringing the run home: %w", err)
	}
	defer one.Close()
	note, err := readAway(h.home)
	if err != nil {
		return fmt.Errorf("bringing the run home: %w", err)
	}
	if note != nil && note.Dir != h.dir {
		return fmt.Errorf("bringing the run home: %s is the place of another record, in %s", h.home, note.Dir)
	}
	if err := copyRecord(h.dir, h.home); err != nil {
		return fmt.Errorf("bringing the run home: %w", err)
	}
	if err := os.Remove(filepath.Join(h.home, awayFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("bringing the run home: %w", err)
	}
	return nil
}

// alone waits until no other process copies the record.
func (h *hold) alone() (*os.File, error) {
	f, err := os.Open(filepath.Join(h.dir, rundir.LogFile))
	if err != nil {
		return nil, err
	}
	if err := flock(f, syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// copyRecord copies what is not there yet, the trailer and the receipt behind
// everything else.
func copyRecord(from, to string) error {
	var last []string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is no regular file", path)
		case name == rundir.TrailerFile || name == rundir.ReceiptFile:
			last = append(last, name)
			return nil
		}
		return copyFile(path, filepath.Join(to, name))
	})
	for _, name := range []string{rundir.TrailerFile, rundir.ReceiptFile} {
		for _, have := range last {
			if err == nil && have == name {
				err = copyFile(filepath.Join(from, name), filepath.Join(to, name))
			}
		}
	}
	return err
}

// copyTemp begins the name of a file that is being copied; the trailer of a
// record does not name such a file.
const copyTemp = ".copying-"

// copyFile copies by rename, and believes only what it reads back.
func copyFile(from, to string) error {
	want, err := digestFile(from)
	if err != nil {
		return err
	}
	if have, err := digestFile(to); err == nil && bytes.Equal(have, want) {
		return nil
	}
	dir := filepath.Dir(to)
	for _, old := range leftCopies(dir, filepath.Base(to)) {
		os.Remove(old)
	}
	f, err := os.CreateTemp(dir, copyTemp+filepath.Base(to)+"-*")
	if err != nil {
		return fmt.Errorf("copying %s: %w", filepath.Base(from), err)
	}
	defer os.Remove(f.Name())
	in, err := os.Open(from)
	if err == nil {
		_, err = io.Copy(f, in)
		in.Close()
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("copying %s: %w", filepath.Base(from), err)
	}
	have, err := digestFile(f.Name())
	switch {
	case err != nil:
		return fmt.Errorf("reading %s back: %w", filepath.Base(from), err)
	case !bytes.Equal(have, want):
		return fmt.Errorf("copying %s: the copy is another one than the file", filepath.Base(from))
	}
	return os.Rename(f.Name(), to)
}

// leftCopies are what a killed copier left of a file.
func leftCopies(dir, name string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), copyTemp+name+"-") {
			all = append(all, filepath.Join(dir, e.Name()))
		}
	}
	return all
}

func digestFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

// settle brings a closed record home and says where it lies then. The holder lets
// go of it: without a home that took it, it stays.
func (h *hold) settle() (string, error) {
	defer h.release()
	if _, err := os.Stat(filepath.Join(h.dir, rundir.TrailerFile)); err != nil {
		return h.dir, nil // the run is not closed
	}
	if err := h.bringHome(); err != nil {
		return h.dir, err
	}
	return h.home, nil
}

// Settle brings the record of a closed run home, where it is away, and returns
// where it lies then.
func Settle(dir string) (string, error) {
	d, err := rundir.Read(dir)
	if err != nil || d.Manifest == nil || d.Manifest.Capture.Home == "" {
		return dir, err
	}
	home := d.Manifest.Capture.Home
	note, err := readAway(home)
	if err != nil || note == nil || note.Dir != dir { // it is home, or somebody moved it
		return dir, err
	}
	h, err := take(dir, home)
	if err != nil {
		return dir, err
	}
	return h.settle()
}
