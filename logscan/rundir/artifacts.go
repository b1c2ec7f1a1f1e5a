package rundir

import (
	"cmp"
	"context"
	_ "embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Mention is a file that something said the run wrote or read.
type Mention struct {
	Op     string // wrote, read
	Path   string // as it was said
	Kind   string
	Offset *int64 // of the capture when it was said
	Pid    int
	Rank   *int
}

// ArtifactOptions says which files of a run to look for.
type ArtifactOptions struct {
	// Folders are where the run was told to leave its output: every file in them
	// that changed since the run began is one that it wrote.
	Folders []string
	// Mentions are those of the log; those of the run records are known.
	Mentions []Mention
	// Taint says what is known against a file; empty: nothing. doubt: that is not
	// proven. Nil: nobody knows.
	Taint func(f Artifact) (why string, doubt bool)
	// Within bounds the time that digests may take; 0: DefaultDigestTime. What is
	// left then has no digest, and the event says so.
	Within time.Duration
}

// DefaultDigestTime is what digests may take at the end of a run.
const DefaultDigestTime = 30 * time.Second

// Artifact is a file as it lies there at the end of a run.
type Artifact struct {
	Path    string // absolute
	Size    int64
	Changed time.Time
	Digest  string // empty: not taken
}

// Bounds on what a run may name.
const (
	maxArtifacts  = 4096
	maxFolderDeep = 8
)

// Artifacts lists, as events for the sidecar, the files that a run wrote and
// read: those of its records and mentions, what lies in folders among them, and
// what changed in the declared folders. It is called after the child has ended
// and before the run is closed, and takes the digest of each.
//
// A digest is that of the file now. Of a file that was read and changed
// afterwards it would be another file's: then there is none.
func (d *Dir) Artifacts(ctx context.Context, opt ArtifactOptions) []Event {
	c := &artifacts{dir: d, opt: &opt, byKey: map[string]int{}}
	if d.Manifest != nil {
		c.cwd, c.begin = d.Manifest.Cwd, time.Unix(0, d.Manifest.Wall)
	}
	for _, a := range d.Evidence().Artifacts {
		m := Mention{Op: a.Op, Path: a.Path, Kind: a.Kind, Pid: a.Pid, Rank: a.Rank}
		if a.Sink != nil {
			m.Offset = &a.Sink.Offset
		}
		c.mention(m)
	}
	for _, m := range opt.Mentions {
		c.mention(m)
	}
	for _, folder := range opt.Folders {
		c.folder(Mention{Op: "wrote", Path: folder}, c.resolve(folder), true)
	}
	within := opt.Within
	if within == 0 {
		within = DefaultDigestTime
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return c.events(ctx)
}

// artifacts collects files, each once for each operation.
type artifacts struct {
	dir   *Dir
	opt   *ArtifactOptions
	cwd   string
	begin time.Time
	list  []found
	byKey map[string]int
}

type found struct {
	Mention
	Artifact
	late bool // changed since the run began
}

func (c *artifacts) resolve(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.cwd, name)
	}
	return filepath.Clean(name)
}

func (c *artifacts) mention(m Mention) {
	if (m.Op != "wrote" && m.Op != "read") || m.Path == "" || strings.Contains(m.Path, "://") {
		return
	}
	full := c.resolve(m.Path)
	info, err := os.Stat(full)
	switch {
	case err != nil: // gone, or never a file: the mention alone proves nothing
	case info.IsDir():
		c.folder(m, full, false)
	case info.Mode().IsRegular():
		c.file(m, full, info)
	}
}

// folder takes the files in a folder, a run directory of ours excepted.
func (c *artifacts) folder(m Mention, full string, changed bool) {
	own, err := filepath.Abs(c.dir.Path)
	if err != nil {
		own = c.dir.Path
	}
	_ = filepath.WalkDir(full, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read is not listed
		case e.IsDir():
			rel, _ := filepath.Rel(full, name)
			if name == own || e.Name() == ".trainvet" || e.Name() == ".git" || strings.Count(rel, string(filepath.Separator)) >= maxFolderDeep {
				return filepath.SkipDir
			}
			return nil
		case !e.Type().IsRegular() || len(c.list) >= maxArtifacts:
			return nil
		}
		info, err := e.Info()
		if err == nil && (!changed || info.ModTime().After(c.begin)) {
			m.Path = name
			c.file(m, name, info)
		}
		return nil
	})
}

func (c *artifacts) file(m Mention, full string, info fs.FileInfo) {
	key := m.Op + "\x00" + full
	f := found{Mention: m, Artifact: Artifact{Path: full, Size: info.Size(), Changed: info.ModTime()}, late: info.ModTime().After(c.begin)}
	if i, known := c.byKey[key]; known {
		if c.list[i].Offset != nil && m.Offset == nil {
			return // what is there says more
		}
		f.Kind = cmp.Or(f.Kind, c.list[i].Kind)
		c.list[i] = f
		return
	}
	if len(c.list) < maxArtifacts {
		c.byKey[key] = len(c.list)
		c.list = append(c.list, f)
	}
}

// events takes the digests, those of read files first: they carry taint on.
func (c *artifacts) events(ctx context.Context) []Event {
	slices.SortStableFunc(c.list, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.Op, b.Op), cmp.Compare(a.Artifact.Path, b.Artifact.Path))
	})
	digests := map[string]string{}
	var out []Event
	for i := range c.list {
		f := &c.list[i]
		e := Event{Type: EventArtifact, Op: f.Op, Path: f.Mention.Path, Size: f.Size, Offset: f.Offset, Pid: f.Pid, Rank: f.Rank,
			Changed: f.Changed.UnixNano(), Kind: cmp.Or(f.Kind, kindOf(f.Artifact.Path))}
		if f.Op == "read" && f.late {
			e.Text = "it changed after the run began: what was read of it is not known"
		} else if digest, known := digests[f.Artifact.Path]; known {
			f.Digest = digest
		} else if digest, err := digestFile(ctx, f.Artifact); err != nil {
			e.Text = "no digest: " + err.Error()
		} else {
			f.Digest, digests[f.Artifact.Path] = digest, digest
		}
		e.Digest = f.Digest
		if f.Op == "read" && c.opt.Taint != nil {
			e.Taint, e.Doubt = c.opt.Taint(f.Artifact)
		}
		out = append(out, e)
	}
	return out
}

//go:embed artifacts.tsv
var artifactsTSV string

// kindOf tells what a file is by its name; empty: not known.
func kindOf(name string) string {
	base := strings.ToLower(path.Base(filepath.ToSlash(name)))
	for line := range strings.Lines(artifactsTSV) {
		pattern, kind, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(pattern, "#") {
			continue
		}
		if match, err := path.Match(pattern, base); err == nil && match {
			return kind
		}
	}
	return ""
}
