package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// markFiles remembers the files that a run wrote after a fault, so that a run
// that reads one of them inherits it.
func markFiles(out *supervise.Outcome, res *verdict.Result) error {
	d, err := rundir.Read(out.Dir)
	if err != nil || d.Manifest == nil {
		return err
	}
	files := taintedFiles(out.ID, d.Manifest.Cwd, res)
	if len(files) == 0 {
		return nil
	}
	dir, err := machine.Dir(os.Getenv)
	if err != nil {
		return fmt.Errorf("marking the tainted files: %w", err)
	}
	return machine.Open(dir).TaintFiles(files)
}

// taintedFiles are the poisoned and doubtful ones that are there. Of a mere name in the log,
// or of a folder, nothing can be remembered.
func taintedFiles(run, cwd string, res *verdict.Result) []machine.TaintedFile {
	var files []machine.TaintedFile
	for i := range res.Artifacts {
		a := &res.Artifacts[i]
		if a.Verdict < verdict.Unproven {
			continue
		}
		path := a.Name
		if !filepath.IsAbs(path) {
			path = filepath.Join(cwd, path)
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		files = append(files, machine.TaintedFile{
			Path: path, Digest: a.Digest, Size: info.Size(), Changed: info.ModTime(), Run: run, Why: a.Why[0].Code, Doubt: a.Verdict == verdict.Unproven,
		})
	}
	return files
}
