package supervise

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed launchers.tsv
var launchersTSV string

// launcherRow is one row of launchers.tsv.
type launcherRow struct{ kind, name, launcher, does string }

// launcherRows reads the table. A fault in it panics: it is part of the
// program, and a test reads it.
func launcherRows(kind string) []launcherRow {
	var rows []launcherRow
	for i, line := range strings.Split(strings.TrimSuffix(launchersTSV, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			panic(fmt.Sprintf("launchers.tsv:%d: %d columns, not 4", i+1, len(f)))
		}
		if f[0] == kind {
			rows = append(rows, launcherRow{f[0], f[1], f[2], f[3]})
		}
	}
	return rows
}

// surroundings are what the environment says of who started trainvet.
type surroundings struct {
	rank      *int
	world     int
	launcher  string // empty: a person, or not known
	scheduler string // above which restarts what exits non-zero; empty: none
	term      string // what a SIGTERM from above means, as an ending
}

func look(getenv func(string) string) surroundings {
	var s surroundings
	for _, r := range launcherRows("rank") {
		if n, err := strconv.Atoi(getenv(r.name)); err == nil && n >= 0 && s.rank == nil {
			s.rank, s.launcher = &n, r.launcher
			s.world, _ = strconv.Atoi(getenv(r.does))
		}
	}
	for _, r := range launcherRows("scheduler") {
		if getenv(r.name) != "" && s.scheduler == "" {
			s.scheduler, s.term = r.launcher, r.does
		}
	}
	for _, r := range launcherRows("variable") {
		if getenv(r.name) != "" && s.launcher == "" {
			s.launcher = r.launcher
		}
	}
	if s.launcher == "" {
		s.launcher = s.scheduler
	}
	return s
}

// Scheduler names what stands above this process and ends jobs; empty: nothing.
func Scheduler(getenv func(string) string) string { return look(getenv).scheduler }

// spreads finds the launcher that a command line starts with and that collects
// the output of other processes.
func spreads(argv []string) (launcherRow, bool) {
	for _, r := range launcherRows("spreads") {
		if filepath.Base(argv[0]) == r.name {
			return r, true
		}
	}
	return launcherRow{}, false
}

// isPython reports a program that runs Python: by its name, or by the first
// line of the script that it is.
func isPython(program string, firstLine string) bool {
	if interpreter, ok := strings.CutPrefix(firstLine, "#!"); ok {
		words := strings.Fields(interpreter)
		if len(words) > 1 && filepath.Base(words[0]) == "env" {
			words = words[1:]
		}
		if len(words) > 0 && namedPython(filepath.Base(words[0])) {
			return true
		}
	}
	return namedPython(filepath.Base(program))
}

// namedPython takes python3.12 for python.
func namedPython(base string) bool {
	base = strings.TrimSuffix(base, ".exe")
	stem := strings.TrimRight(base, "0123456789.t")
	for _, r := range launcherRows("python") {
		if base == r.name || stem == r.name {
			return true
		}
	}
	return false
}
