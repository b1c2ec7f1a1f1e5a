package supervise

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

//go:embed frameworks.tsv
var frameworksTSV string

// framework is a row of frameworks.tsv.
type framework struct{ kind, name, what string }

// frameworkRows reads the table. A fault in it panics: it is part of the program,
// and a test reads it.
func frameworkRows(kind string) []framework {
	var rows []framework
	for i, line := range strings.Split(strings.TrimSuffix(frameworksTSV, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			panic(fmt.Sprintf("frameworks.tsv:%d: %d columns, not 3", i+1, len(f)))
		}
		if f[0] == kind {
			rows = append(rows, framework{f[0], f[1], f[2]})
		}
	}
	return rows
}

// loadedIn finds the first library of the table that the mappings of a process
// hold to be run: one that is only read, as a linker does, computes nothing.
func loadedIn(maps io.Reader, rows []framework) string {
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		address, rest, _ := strings.Cut(lines.Text(), " ")
		mode, rest, _ := strings.Cut(rest, " ")
		if address == "" || len(mode) < 3 || mode[2] != 'x' {
			continue
		}
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			continue
		}
		base := filepath.Base(rest[slash:])
		for _, r := range rows {
			if strings.HasPrefix(base, r.name) {
				return r.what
			}
		}
	}
	return ""
}

// openedIn finds the first device of the table among the paths of open files.
func openedIn(paths []string, rows []framework) string {
	for _, p := range paths {
		for _, r := range rows {
			if strings.HasPrefix(p, r.name) {
				return p
			}
		}
	}
	return ""
}
