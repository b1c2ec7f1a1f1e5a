package rundir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ErrTaken says that another process is the writer of a sidecar.
var ErrTaken = errors.New("another process writes the sidecar")

// OpenSidecar continues the sidecar of a run directory, for a supervisor that
// takes over, and locks it. The error is ErrTaken while another one has it. A
// line that a killed writer left unfinished gets its line feed, and reads as
// damaged.
func OpenSidecar(dir string) (*Sidecar, error) {
	f, err := os.OpenFile(filepath.Join(dir, SidecarFile), os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("continuing the sidecar: %w", err)
	}
	s := &Sidecar{file: f}
	if err := s.resume(); err != nil {
		f.Close()
		return nil, fmt.Errorf("continuing the sidecar: %w", err)
	}
	return s, nil
}

// resume locks first: what is read before may be old.
func (s *Sidecar) resume() error {
	taken, err := s.Lock()
	if err == nil && taken {
		err = ErrTaken
	}
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(s.file, maxFile))
	if err == nil && len(text) > 0 && text[len(text)-1] != '\n' {
		_, err = s.file.WriteString("\n")
	}
	events, _ := readSidecar(text)
	if n := len(events); n > 0 {
		s.seq = events[n-1].Seq
	}
	return err
}

// Lock makes this process the only writer of the sidecar, until it ends. It
// reports whether another one is.
func (s *Sidecar) Lock() (taken bool, err error) { return lock(s.file) }

// Locked reports whether a process writes the sidecar of a run directory, which
// is to say that a supervisor lives.
func Locked(dir string) (bool, error) {
	f, err := os.Open(filepath.Join(dir, SidecarFile))
	if err != nil {
		return false, fmt.Errorf("looking for a supervisor: %w", err)
	}
	defer f.Close()
	return locked(f)
}
