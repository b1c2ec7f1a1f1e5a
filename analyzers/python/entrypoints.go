package python

import (
	"bytes"
	"path"
	"regexp"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/site"
)

// entry is a line that makes a command of a function: train = "pkg.cli:main".
var entry = regexp.MustCompile(`(?m)^\s*["']?[\w.-]+["']?\s*=\s*["']?([\w.]+):[\w.]+`)

// entryLists are the headings below which commands are listed.
var entryLists = [...]string{"[project.scripts]", "[tool.poetry.scripts]", "console_scripts"}

// entryPoint finds a command that a package installs and that gets to an open
// site: whoever types it goes past trainvet run.
func entryPoint(tree *calls.Tree, texts []launcherText, open []*site.Site) *launch {
	sited := map[string]bool{}
	for _, s := range open {
		if !s.Test {
			sited[s.At.File] = true
		}
	}
	for _, t := range texts {
		switch path.Base(t.name) {
		case "pyproject.toml", "setup.cfg", "setup.py":
		default:
			continue
		}
		for _, heading := range entryLists {
			at := bytes.Index(t.text, []byte(heading))
			if at < 0 {
				continue
			}
			at += len(heading)
			end := len(t.text)
			if i := bytes.Index(t.text[at:], []byte("\n[")); i >= 0 {
				end = at + i
			}
			for _, m := range entry.FindAllSubmatchIndex(t.text[at:end], -1) {
				module := string(t.text[at+m[2] : at+m[3]])
				if tree.Reaches(t.name, module, sited) {
					line := 1 + bytes.Count(t.text[:at+m[2]], []byte("\n"))
					return &launch{at: site.Position{File: t.name, Line: line}}
				}
			}
		}
	}
	return nil
}
