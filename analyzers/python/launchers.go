package python

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/site"
)

// maxLauncher is far more than any script of a person.
const maxLauncher = 1 << 20

// launched leaves open sites to the runtime where the tree says that its
// programs are started through trainvet run, all that it starts and at least
// one. A notebook is started by nobody: it loads trainvet by itself.
func launched(opt Options, files *listing, tree *calls.Tree, res *Result) {
	var open []*site.Site
	for i := range res.Sites {
		if s := &res.Sites[i]; s.State.Fails() && !isNotebook(s.At.File) {
			open = append(open, s)
		}
	}
	if len(open) == 0 || len(opt.Folders) == 0 {
		return
	}
	texts := launcherTexts(opt, files)
	if texts == nil {
		return
	}
	watched, bare := starts(readLaunchers(), texts)
	if watched == nil {
		return
	}
	if bare == nil {
		bare = entryPoint(tree, texts, open)
	}
	for _, s := range open {
		if bare != nil {
			s.Why += fmt.Sprintf("; %s:%d starts a program past trainvet run", bare.at.File, bare.at.Line)
			continue
		}
		s.State, s.Why = site.Runtime, fmt.Sprintf("left to trainvet run, through which the programs are started (%s:%d)", watched.at.File, watched.at.Line)
	}
}

// launcherText is a file that may start programs.
type launcherText struct {
	name string // from the root
	text []byte
}

// launcherTexts reads what may start programs; nil: none of it speaks of
// trainvet, as in nearly every tree, and what else it starts does not matter.
func launcherTexts(opt Options, files *listing) []launcherText {
	var buf []byte
	speaks := false
	for _, name := range files.launchers {
		var err error
		if buf, err = read(name, buf, maxLauncher); err == nil && bytes.Contains(buf, []byte("trainvet")) {
			speaks = true
			break
		}
	}
	if !speaks {
		return nil
	}
	var out []launcherText
	for _, name := range files.launchers {
		if text, err := read(name, nil, maxLauncher); err == nil { // what cannot be read starts nothing that is known
			out = append(out, launcherText{relative(opt.Root, name), text})
		}
	}
	return out
}

// starts finds the first line that starts a program through trainvet run, and
// the first that starts one past it.
func starts(l launchers, texts []launcherText) (watched, bare *launch) {
	for _, t := range texts {
		for _, at := range l.launches(t.name, t.text) {
			switch {
			case at.watched && watched == nil:
				watched = &at
			case !at.watched && bare == nil:
				bare = &at
			}
		}
	}
	return watched, bare
}

// IsLauncher reports whether a file may start programs, by its name.
func IsLauncher(name string) bool { return readLaunchers().has("file", filepath.Base(name)) }

func (l *listing) isLauncher(name string) bool {
	return l.known.has("file", filepath.Base(name))
}

// extension is what a notebook loads to be watched.
const extension = "trainvet"

// loaded leaves the open sites of a notebook to the runtime that it loads,
// behind the cell that does.
func loaded(src *source, list []site.Site) {
	for _, ext := range src.cells.Loads {
		if ext.Name != extension {
			continue
		}
		for i := range list {
			s := &list[i]
			if s.State.Fails() && (s.At.Cell > ext.Cell || s.At.Cell == ext.Cell && s.At.Line > ext.Line) {
				s.State, s.Why = site.Runtime, fmt.Sprintf("left to trainvet, which cell %d loads", ext.Cell)
			}
		}
	}
}
