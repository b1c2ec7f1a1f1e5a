package python

import (
	"github.com/trainvet/trainvet/analyzers/site"
)

// Options say what to scan.
type Options struct {
	Root    string   // absolute; files are named from here
	Folders []string // absolute; each with all below it
	Files   []string // absolute; single files
	Workers int      // 0: one a core
	MaxSize int64    // of a file in bytes, 0: 32 MiB; of notebooks four times that
	Guards  []string // functions that check ids: package.name or name, with :N the index of the ids
	// Source says that only what stands in the source guards: no site is left
	// to trainvet run, whatever the launchers of the tree say.
	Source bool
	// Rules says which rules run, by code; nil: those of tier core.
	Rules func(code string) bool
}

const defaultSize = 32 << 20

// Result is what a scan found. Files are named from the root, slash separated.
type Result struct {
	Sites    []site.Site
	Findings []site.Finding // of rules, and of directives that say nothing
	Ignores  []site.Ignore
	Units    []site.Unit
	Possible []Possible // calls that no rule could tell, and names in what was not analysed
	Stats    Stats
}

// Possible is a call that may be a site.
type Possible struct {
	Unit string
	At   site.Position
	Name string // as it is called
	Why  string
	Dark bool // it lies in what was not analysed
}

// Stats says what a scan did.
type Stats struct {
	Files, Parsed, Notebooks int
	Bytes                    int64
}
