package rundir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tempPrefix marks a file that is being written; one that a killed writer left
// is removed when the trailer is written.
const tempPrefix = ".writing-"

// Create makes an empty run directory. It must not exist yet.
func Create(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("creating the run directory: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("creating the run directory: %w", err)
	}
	if err := os.Mkdir(filepath.Join(dir, RecordsDir), 0o700); err != nil {
		return fmt.Errorf("creating the run directory: %w", err)
	}
	return nil
}

// WriteManifest writes manifest.json. The version is set here.
func WriteManifest(dir string, m Manifest) error {
	m.Version = Version
	return writeSealed(dir, ManifestFile, m)
}

// WriteReceipt writes receipt.json, unless it would say TRUSTED of what only
// the log speaks (ErrBelowCaptured).
func WriteReceipt(dir string, r Receipt) error {
	r.Version = Version
	if err := r.check(); err != nil {
		return err
	}
	return writeSealed(dir, ReceiptFile, r)
}

// WriteTrailer closes a run: it reads every file of the directory and names it
// with size and digest. Nothing may be written to the directory afterwards but
// a receipt. The cost is one reading of all files.
func WriteTrailer(dir string, wall, mono int64) error {
	text, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		return fmt.Errorf("closing the run: %w", err)
	}
	var m Manifest
	if err := unseal(text, &m); err != nil {
		return fmt.Errorf("closing the run: reading %s: %w", ManifestFile, err)
	}
	t := Trailer{Version: Version, ID: m.ID, Wall: wall, Mono: mono, Manifest: digest(text)}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("closing the run: %w", err)
	}
	defer root.Close()
	err = walk(root, func(name string, info fs.FileInfo) error {
		switch {
		case outsideTrailer(name):
			return nil
		case strings.HasPrefix(filepath.Base(name), tempPrefix):
			return root.Remove(name)
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s is no regular file", name)
		}
		f, err := measure(root, name)
		t.Files = append(t.Files, f)
		return err
	})
	if err != nil {
		return fmt.Errorf("closing the run: %w", err)
	}
	slices.SortFunc(t.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return writeSealed(dir, TrailerFile, t)
}

// outsideTrailer: files that a trailer does not name.
func outsideTrailer(name string) bool { return name == TrailerFile || name == ReceiptFile }

// writeSealed writes by rename, so that a reader sees the old file or the new
// one, and syncs both, so that a crash of the machine leaves one of them.
func writeSealed(dir, name string, v any) error {
	text, err := seal(v)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", name, err)
	}
	f, err := os.CreateTemp(dir, tempPrefix+"*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return syncDir(dir)
}

// syncDir makes a rename durable. Some file systems cannot sync a folder; the
// rename stands all the same.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("syncing %s: %w", dir, err)
	}
	defer d.Close()
	_ = d.Sync()
	return nil
}

// measure reads a file for its size and digest.
func measure(root *os.Root, name string) (File, error) {
	f, err := root.Open(name)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return File{Name: name, Size: n, SHA256: hex.EncodeToString(h.Sum(nil))}, err
}

// maxDepth bounds how deep a run directory is searched.
const maxDepth = 8

// walk calls fn with every entry of the directory that is no folder, by slash
// separated name. Links are not followed.
func walk(root *os.Root, fn func(name string, info fs.FileInfo) error) error {
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.Count(name, "/") >= maxDepth {
				return fmt.Errorf("%s is nested too deep", name)
			}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return fn(name, info)
	})
}

// Sidecar writes sidecar.jsonl, event by event, each by one write.
type Sidecar struct {
	file *os.File
	seq  uint64
	buf  []byte
}

// CreateSidecar starts the sidecar of a run directory.
func CreateSidecar(dir string) (*Sidecar, error) {
	f, err := os.OpenFile(filepath.Join(dir, SidecarFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("creating the sidecar: %w", err)
	}
	return &Sidecar{file: f}, nil
}

// Write numbers an event and appends it. It is not safe for concurrent use.
func (s *Sidecar) Write(e Event) error {
	e.Seq = s.seq + 1
	line, err := AppendEvent(s.buf[:0], e)
	if err != nil {
		return err
	}
	s.buf = line
	if _, err := s.file.Write(line); err != nil {
		return fmt.Errorf("writing a %s event: %w", e.Type, err)
	}
	s.seq++
	return nil
}

// Close closes the file.
func (s *Sidecar) Close() error { return s.file.Close() }
