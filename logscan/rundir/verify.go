package rundir

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// DamageKind says in what way a file is not as it should be.
type DamageKind string

// The kinds of damage.
const (
	Missing    DamageKind = "missing"     // it is not there
	Cut        DamageKind = "cut"         // it is shorter than the trailer says, or its last line is torn
	Grown      DamageKind = "grown"       // it is longer than the trailer says
	Changed    DamageKind = "changed"     // its digest is another one
	Unnamed    DamageKind = "unnamed"     // it is there, and the trailer does not name it
	Gap        DamageKind = "gap"         // lines are missing in it
	Malformed  DamageKind = "malformed"   // it makes no sense, or is of a later version
	Unreadable DamageKind = "unreadable"  // it could not be read
	NotRegular DamageKind = "not-regular" // it is a link, a pipe, a device
	NoTrailer  DamageKind = "no-trailer"  // the run was not closed: the capture is incomplete
)

// Damage is one thing that is wrong with a run directory.
type Damage struct {
	File string     `json:"file"`
	Kind DamageKind `json:"kind"`
	Text string     `json:"text"`
}

func (d Damage) String() string { return d.File + ": " + string(d.Kind) + ": " + d.Text }

// Verify holds every file against the trailer and returns all that is wrong,
// sorted by file. An empty list means that the run is sealed. It reads every
// file once; later calls return the same list.
func (d *Dir) Verify() []Damage {
	if !d.verified {
		d.verified = true
		d.checked = slices.Clone(d.read)
		d.verify()
		slices.SortStableFunc(d.checked, func(a, b Damage) int {
			if a.File == b.File {
				return 0
			}
			if a.File < b.File {
				return -1
			}
			return 1
		})
	}
	return slices.Clone(d.checked)
}

// Sealed reports whether manifest and trailer are whole and every file is as
// the trailer says.
func (d *Dir) Sealed() bool {
	return len(d.Verify()) == 0 && d.manifestWhole && d.trailerWhole && d.Manifest != nil && d.Trailer != nil
}

func (d *Dir) found(file string, kind DamageKind, format string, args ...any) {
	d.checked = append(d.checked, Damage{File: file, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

func (d *Dir) verify() {
	if d.Trailer == nil {
		if !slices.ContainsFunc(d.read, func(x Damage) bool { return x.File == TrailerFile }) {
			d.found(TrailerFile, NoTrailer, "the run was not closed, its capture is incomplete")
		}
		return
	}
	root, err := os.OpenRoot(d.Path)
	if err != nil {
		d.found(".", Unreadable, "%v", err)
		return
	}
	defer root.Close()
	named := d.namedFiles()
	d.holdManifest(named)
	err = walk(root, func(name string, info fs.FileInfo) error {
		want, ok := named[name]
		delete(named, name)
		switch {
		case !info.Mode().IsRegular():
			d.found(name, NotRegular, "%s", info.Mode().Type())
		case outsideTrailer(name):
		case !ok:
			d.found(name, Unnamed, "the trailer does not name it")
		default:
			d.hold(root, want)
		}
		return nil
	})
	if err != nil {
		d.found(".", Unreadable, "%v", err)
	}
	for name := range named {
		d.found(name, Missing, "the trailer names it")
	}
}

// namedFiles returns the trailer's files by name, those with a name that no
// writer of ours makes reported.
func (d *Dir) namedFiles() map[string]File {
	named := make(map[string]File, len(d.Trailer.Files))
	for _, f := range d.Trailer.Files {
		_, twice := named[f.Name]
		if !fs.ValidPath(f.Name) || outsideTrailer(f.Name) || twice {
			d.found(TrailerFile, Malformed, "it cannot name %.80q", f.Name)
			continue
		}
		named[f.Name] = f
	}
	return named
}

// holdManifest ties the trailer to its manifest: a trailer of another run does
// not close this one.
func (d *Dir) holdManifest(named map[string]File) {
	if _, ok := named[ManifestFile]; !ok || d.Trailer.Manifest != named[ManifestFile].SHA256 {
		d.found(TrailerFile, Malformed, "it does not name its manifest")
	}
	if d.Manifest != nil && (d.Manifest.ID != d.Trailer.ID || d.manifestDigest != d.Trailer.Manifest) {
		d.found(ManifestFile, Changed, "it is not the manifest that the trailer closes")
	}
	for _, name := range []string{SidecarFile, LogFile} {
		if _, ok := named[name]; !ok && d.needs(name) {
			d.found(TrailerFile, Malformed, "it does not name %s", name)
		}
	}
}

// needs reports whether a run has a file by what its manifest says.
func (d *Dir) needs(name string) bool {
	if name == SidecarFile || d.Manifest == nil {
		return true
	}
	return slices.ContainsFunc(d.Manifest.Capture.Sinks, func(s Sink) bool { return s.File == name })
}

func (d *Dir) hold(root *os.Root, want File) {
	got, err := measure(root, want.Name)
	switch {
	case err != nil:
		d.found(want.Name, Unreadable, "%v", err)
	case got.Size < want.Size:
		d.found(want.Name, Cut, "%d bytes, %d when the run was closed", got.Size, want.Size)
	case got.Size > want.Size:
		d.found(want.Name, Grown, "%d bytes, %d when the run was closed", got.Size, want.Size)
	case got.SHA256 != want.SHA256:
		d.found(want.Name, Changed, "its digest is not the one of the trailer")
	}
}
