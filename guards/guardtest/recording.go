package guardtest

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/trainvet/trainvet/guards"
	"github.com/trainvet/trainvet/guards/record"
)

// Recording is a run whose record a test can look at.
type Recording struct {
	*guards.Run
	t   testing.TB
	dir string
}

// Record starts a run with a record of its own and makes it the default run
// until the test ends. Tests that use it must not run in parallel.
func Record(t testing.TB) *Recording {
	t.Helper()
	dir := t.TempDir()
	before := guards.Default()
	r := &Recording{Run: guards.New(guards.Options{Dir: dir}), t: t, dir: dir}
	guards.SetDefault(r.Run)
	t.Cleanup(func() {
		_ = r.Close() //trainvet:ignore TV201 the faults of a recording are those that its test raises on purpose
		guards.SetDefault(before)
	})
	return r
}

// Codes are the codes of all faults and findings that were recorded so far,
// each once, sorted.
func (r *Recording) Codes() []string {
	r.t.Helper()
	var codes []string
	for _, rec := range r.Records() {
		switch b := rec.Body.(type) {
		case *record.Fault:
			codes = append(codes, b.Code)
		case *record.Finding:
			codes = append(codes, b.Code)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Checked tells whether a decode site of this run was ever used.
func (r *Recording) Checked() bool {
	r.t.Helper()
	for _, rec := range r.Records() {
		if c, ok := rec.Body.(*record.Count); ok && c.Check == "decode" && c.Calls > 0 {
			return true
		}
	}
	return false
}

// Records are all records so far. One that is damaged fails the test.
func (r *Recording) Records() []record.Record {
	r.t.Helper()
	names, err := filepath.Glob(filepath.Join(r.dir, record.Folder, "*.jsonl"))
	if err != nil {
		r.t.Fatalf("looking for the run record: %v", err)
	}
	var out []record.Record
	for _, name := range names {
		out = append(out, r.read(name)...)
	}
	return out
}

func (r *Recording) read(name string) []record.Record {
	r.t.Helper()
	f, err := os.Open(name)
	if err != nil {
		r.t.Fatalf("reading the run record: %v", err)
	}
	defer f.Close()
	var out []record.Record
	for reader := record.NewReader(f); ; {
		e, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			return out
		case err != nil:
			r.t.Fatalf("reading the run record %s: %v", name, err)
		case e.Issue != nil:
			r.t.Fatalf("the run record %s is damaged: %+v", name, *e.Issue)
		}
		out = append(out, *e.Record)
	}
}
