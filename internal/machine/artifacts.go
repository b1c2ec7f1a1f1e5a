package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// artifactsFile holds the files that runs on this machine tainted. The machine's
// own files begin otherwise.
const artifactsFile = "artifacts.json"

// maxTainted bounds the files that are remembered: the newest.
const maxTainted = 8192

// TaintedFile is a file that a run wrote after a fault.
type TaintedFile struct {
	Path    string    `json:"path"` // absolute, where it was written
	Digest  string    `json:"sha256,omitempty"`
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"` // its last change
	Run     string    `json:"run"`
	Why     string    `json:"why"` // marker or artifact that tainted it
	// Doubt: it is not proven that it was written after the fault.
	Doubt bool `json:"doubt,omitempty"`
}

// Tainted is what is known of tainted files.
type Tainted struct {
	Version int           `json:"version"`
	Files   []TaintedFile `json:"files"` // oldest first
}

// Find says what is known against a file; empty: nothing. doubt: it may be
// tainted, and that is not proven. A file is the tainted
// one by its digest, wherever it lies by now; or, where there is no digest, by
// its path, size and last change.
func (t *Tainted) Find(path, digest string, size int64, changed time.Time) (why string, doubt bool) {
	for i := len(t.Files) - 1; i >= 0; i-- {
		f := &t.Files[i]
		same := digest != "" && f.Digest == digest
		if digest == "" || f.Digest == "" {
			same = f.Path == path && f.Size == size && f.Changed.Equal(changed)
		}
		if same {
			return fmt.Sprintf("run %s (%s)", f.Run, f.Why), f.Doubt
		}
	}
	return "", false
}

// TaintFiles remembers tainted files.
func (s *Store) TaintFiles(files []TaintedFile) error {
	if len(files) == 0 {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("making the state directory: %w", err)
	}
	path := filepath.Join(s.dir, artifactsFile)
	unlock, err := lock(path + ".lock")
	if err != nil {
		return fmt.Errorf("locking the list of tainted files: %w", err)
	}
	defer unlock()
	t, err := s.Tainted()
	if err != nil {
		if keep := os.Rename(path, path+".damaged"); keep != nil {
			return errors.Join(err, keep)
		}
		t = &Tainted{}
	}
	t.Version = Version
	for _, f := range files {
		t.put(f)
	}
	t.Files = t.Files[max(0, len(t.Files)-maxTainted):]
	return replace(path, t)
}

func (t *Tainted) put(f TaintedFile) {
	for i := range t.Files {
		if o := &t.Files[i]; o.Path == f.Path && o.Digest == f.Digest && o.Size == f.Size && o.Changed.Equal(f.Changed) {
			*o = f
			return
		}
	}
	t.Files = append(t.Files, f)
}

// Tainted reads the list. One that is not there is empty; one that cannot be
// read is an error, and not an empty one.
func (s *Store) Tainted() (*Tainted, error) {
	f, err := os.Open(filepath.Join(s.dir, artifactsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return &Tainted{Version: Version}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the list of tainted files: %w", err)
	}
	defer f.Close()
	var t Tainted
	err = json.NewDecoder(io.LimitReader(f, maxArtifactsFile)).Decode(&t)
	if err == nil && t.Version != Version {
		err = fmt.Errorf("version %d, only %d is known", t.Version, Version)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the list of tainted files: %w", err)
	}
	return &t, nil
}

const maxArtifactsFile = 64 << 20
