package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Dir is a run directory as it was read. What is nil was not there or could
// not be read; Verify says which.
type Dir struct {
	Path     string
	Manifest *Manifest
	Events   []Event // of the sidecar
	Trailer  *Trailer
	Receipt  *Receipt

	manifestDigest string
	trailerDigest  string
	manifestWhole  bool // its own digest holds
	loose          bool // records without anything around them
	noRecords      bool // their folder, which the run began with, is gone
	trailerWhole   bool
	children       []child  // that guarded processes started
	read           []Damage // found while reading
	verified       bool
	checked        []Damage // found by Verify
}

// ErrNotRun says that a folder is no run directory.
var ErrNotRun = errors.New("no run directory: it holds neither manifest nor sidecar nor trailer nor records")

// maxFile bounds manifest, sidecar, trailer and receipt.
const maxFile = 64 << 20

// Read reads the small files of a run directory. The error is ErrNotRun for
// another folder, or what kept it from being read at all; everything else
// that is wrong becomes Damage.
func Read(dir string) (*Dir, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("reading the run directory: %w", err)
	}
	defer root.Close()
	d := &Dir{Path: dir}
	found := d.readManifest(root)
	found = d.readSidecar(root) || found
	found = d.readTrailer(root) || found
	if !found && hasRecords(root) {
		d.loose, d.read, found = true, nil, true
	}
	if !found {
		return nil, fmt.Errorf("reading %s: %w", dir, ErrNotRun)
	}
	d.readReceipt(root)
	return d, nil
}

// source names a file of the directory as the audit names its sources.
func (d *Dir) source(name string) string { return filepath.Join(d.Path, filepath.FromSlash(name)) }

func (d *Dir) damaged(file string, kind DamageKind, format string, args ...any) {
	d.read = append(d.read, Damage{File: file, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

func (d *Dir) readManifest(root *os.Root) bool {
	text, ok := d.slurp(root, ManifestFile, true)
	if !ok {
		return false
	}
	d.manifestDigest = digest(text)
	var m Manifest
	if d.manifestWhole = d.unseal(ManifestFile, text, &m, &m.Version); m.Version == Version {
		d.Manifest = &m
	}
	return true
}

func (d *Dir) readTrailer(root *os.Root) bool {
	text, ok := d.slurp(root, TrailerFile, false)
	if !ok {
		return false
	}
	d.trailerDigest = digest(text)
	var t Trailer
	if d.trailerWhole = d.unseal(TrailerFile, text, &t, &t.Version); t.Version == Version {
		d.Trailer = &t
	}
	return true
}

func (d *Dir) readReceipt(root *os.Root) {
	text, ok := d.slurp(root, ReceiptFile, false)
	if !ok {
		return
	}
	var r Receipt
	if !d.unseal(ReceiptFile, text, &r, &r.Version) {
		return
	}
	if err := r.check(); err != nil {
		d.damaged(ReceiptFile, Malformed, "%v", err)
		return
	}
	if r.Trailer != "" && r.Trailer != d.trailerDigest {
		d.damaged(ReceiptFile, Changed, "it vouches for another trailer than the one that is there")
		return
	}
	d.Receipt = &r
}

func (d *Dir) readSidecar(root *os.Root) bool {
	text, ok := d.slurp(root, SidecarFile, true)
	if !ok {
		return false
	}
	events, damage := readSidecar(text)
	d.Events = events
	d.read = append(d.read, damage...)
	return true
}

// unseal reads a sealed file of this version and reports whether it is whole.
func (d *Dir) unseal(name string, text []byte, v any, version *int) bool {
	err := unseal(text, v)
	switch {
	case errors.Is(err, errSeal):
		d.damaged(name, Changed, "%v", err)
	case err != nil:
		*version = 0
		d.damaged(name, Malformed, "%.200s", err)
	default:
		err = checkVersion(name, *version)
		if err != nil {
			d.damaged(name, Malformed, "%v", err)
		}
	}
	return err == nil
}

// slurp reads a small file whole.
func (d *Dir) slurp(root *os.Root, name string, required bool) ([]byte, bool) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if required {
			d.damaged(name, Missing, "it is not there")
		}
		return nil, false
	case err != nil:
		d.damaged(name, Unreadable, "%v", err)
		return nil, false
	case !info.Mode().IsRegular():
		d.damaged(name, NotRegular, "%s", info.Mode().Type())
		return nil, false
	case info.Size() > maxFile:
		d.damaged(name, Unreadable, "%d bytes, %d at most", info.Size(), maxFile)
		return nil, false
	}
	f, err := root.Open(name)
	if err != nil {
		d.damaged(name, Unreadable, "%v", err)
		return nil, false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		d.damaged(name, Unreadable, "%v", err)
		return nil, false
	}
	return text, true
}
