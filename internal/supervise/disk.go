//go:build unix

package supervise

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// spare is room that is set aside on the disk of the run and let go when the
// disk is full, so that a print to a full disk is not what ends the trainer.
type spare struct {
	dir  string
	size int64     // 0: nothing is set aside
	next time.Time // when to look at the disk again
}

// What a disk must have left is a part of the reserve: what a trainer prints
// between two looks fits many times. Far from that a look now and then will do.
const (
	spareShare   = 4
	spareFar     = 8
	diskInterval = time.Second
)

func newSpare(dir string, size int64) *spare {
	s := &spare{dir: dir}
	left, err := free(dir)
	if err != nil || size <= 0 || left < 2*size { // taking half of what is left would be what fills it
		return s
	}
	f, err := os.OpenFile(filepath.Join(dir, spareFile), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return s
	}
	if err := errors.Join(allocate(f, size), f.Close()); err != nil {
		os.Remove(f.Name())
		return s
	}
	s.size = size
	return s
}

// tight reports a disk with next to nothing left.
func (s *spare) tight(reserve int64, now time.Time) bool {
	if reserve <= 0 || now.Before(s.next) {
		return false
	}
	left, err := free(s.dir)
	if err != nil || left >= spareFar*reserve {
		s.next = now.Add(diskInterval)
	}
	return err == nil && left < reserve/spareShare
}

func (s *spare) release() error {
	if s.size == 0 {
		return nil
	}
	s.size = 0
	if err := os.Remove(filepath.Join(s.dir, spareFile)); err != nil {
		return fmt.Errorf("releasing the reserve: %w", err)
	}
	return nil
}

// hole is the stretch of a log that was given back to the disk.
type hole struct{ from, to int64 }

// block is what file systems free in pieces of.
const block = 1 << 20

// shrink frees the middle of a log that takes more than most: the beginning
// says what was started, the end how it went. It returns what is free behind it.
func shrink(log *os.File, had hole, most int64) (hole, error) {
	info, err := log.Stat()
	if err != nil {
		return had, fmt.Errorf("looking at the log: %w", err)
	}
	taken := info.Size() - (had.to - had.from)
	if taken <= most {
		return had, nil
	}
	next := had
	if next.to == 0 {
		next.from = most / 4 / block * block
		next.to = next.from
	}
	next.to = (info.Size() - most/2) / block * block
	if next.to <= had.to || next.to <= next.from {
		return had, nil
	}
	if err := punch(log, next.from, next.to-next.from); err != nil {
		return had, fmt.Errorf("freeing a part of the log: %w", err)
	}
	return next, nil
}
