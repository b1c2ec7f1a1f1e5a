package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/trainvet/trainvet/logscan"
)

// Comparison measures the audit beside cat and ripgrep.
type Comparison struct {
	Runner   Runner
	Trainvet string // the binary
	Ripgrep  string // empty: there is none
	Dir      string // for the logs, which are removed when they are measured
	Size     int64
	Rounds   int
	Seed     uint64
	Faults   int
	Lines    *Faults
	Bars     bool // hold the figures against the bars
}

// Report is what was measured of one shape.
type Report struct {
	Shape string
	Bytes int64
	Names []string // candidates
	Usage [][]Usage
	Lines []Line
}

// smallSize is that of a short run's log.
const (
	smallSize  = 64 << 10
	smallShape = "hf"
)

// AllShapes are the shapes of single logs, the many logs of ranks, a small log,
// and logs that were compressed.
func AllShapes() []string {
	names := []string{}
	for _, n := range Shapes() {
		if n != rankShape {
			names = append(names, n)
		}
	}
	names = append(names, ranksName, smallName)
	for _, k := range packers() {
		names = append(names, packedShape+k.suffix)
	}
	return names
}

// target is a written log and what is measured on it.
type target struct {
	path       string
	bytes      int64
	window     int64
	candidates []Candidate
}

// Measure writes the log of a shape, measures all candidates on it, and removes it.
func (c *Comparison) Measure(ctx context.Context, shape string) (*Report, error) {
	dir, err := os.MkdirTemp(c.Dir, "logbench-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the logs: %w", err)
	}
	defer os.RemoveAll(dir)
	t, err := c.write(ctx, shape, dir)
	if err != nil {
		return nil, err
	}
	if _, err := c.Runner.Rounds(ctx, t.candidates[:1], 1); err != nil { // into the page cache
		return nil, err
	}
	r := &Report{Shape: shape, Bytes: t.bytes}
	if r.Usage, err = c.Runner.Rounds(ctx, t.candidates, c.Rounds); err != nil {
		return nil, fmt.Errorf("shape %s: %w", shape, err)
	}
	for i := range t.candidates {
		r.Names = append(r.Names, t.candidates[i].Name)
	}
	r.Lines = judge(shape, r.Names, r.Usage, t.window)
	if !c.Bars {
		for i := range r.Lines {
			r.Lines[i].Limit, r.Lines[i].Outcome, r.Lines[i].Why = 0, NoBar, ""
		}
	}
	return r, nil
}

func (c *Comparison) write(ctx context.Context, shape, dir string) (*target, error) {
	log := Log{Shape: shape, Size: c.Size, Seed: c.Seed}
	switch shape {
	case ranksName:
		return c.ranks(&log, dir)
	case smallName:
		return c.small(&log, dir)
	}
	packed, suffix, isPacked := strings.Cut(shape, ".")
	log.Shape = packed
	var err error
	if log.Faults, err = c.Lines.Choose(log.Shape, c.Faults, c.Seed); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, log.Shape+".log")
	if isPacked {
		return c.packed(&log, path, suffix)
	}
	truth, err := log.WriteFile(path)
	if err != nil {
		return nil, err
	}
	t := &target{path: path, bytes: truth.Bytes, candidates: []Candidate{c.cat(path), c.audit(path), c.auditAll(path)}}
	if c.Ripgrep != "" {
		more, err := c.searches(ctx, path, dir)
		if err != nil {
			return nil, err
		}
		t.candidates = append(t.candidates, more...)
	}
	return t, nil
}

func (c *Comparison) cat(path ...string) Candidate {
	return Candidate{Name: cat, Argv: append([]string{"cat"}, path...), OK: []int{0}}
}

// An audit's exit code is its verdict: nothing found, poisoned, in doubt.
func (c *Comparison) audit(path string) Candidate {
	return Candidate{Name: audit, Argv: []string{c.Trainvet, "audit", path}, OK: []int{0, 1, 4}}
}

func (c *Comparison) auditAll(path string) Candidate {
	return Candidate{Name: auditAll, Argv: []string{c.Trainvet, "audit", "--all", path}, OK: []int{0, 1, 4}}
}

// ranks is many small logs: what a file costs beside its bytes.
func (c *Comparison) ranks(log *Log, dir string) (*target, error) {
	var err error
	if log.Faults, err = c.Lines.Choose(rankShape, c.Faults, c.Seed); err != nil {
		return nil, err
	}
	files, truth, err := log.WriteRanks(dir)
	if err != nil {
		return nil, err
	}
	read := c.cat(files...)
	read.Dir = dir
	return &target{path: dir, bytes: truth.Bytes, candidates: []Candidate{read, c.audit(dir)}}, nil
}

// small is one log that is read whole: nearly all of its cost is start-up.
func (c *Comparison) small(log *Log, dir string) (*target, error) {
	log.Shape, log.Size = smallShape, min(log.Size, smallSize)
	path := filepath.Join(dir, log.Shape+".log")
	truth, err := log.WriteFile(path)
	if err != nil {
		return nil, err
	}
	return &target{path: path, bytes: truth.Bytes, candidates: []Candidate{c.cat(path), c.audit(path)}}, nil
}

// searches are ripgrep's: count the lines that hold a literal which the audit's
// filter looks for; list all of them and every training-loss value.
func (c *Comparison) searches(ctx context.Context, path, dir string) ([]Candidate, error) {
	plan, err := logscan.Open(ctx, []string{path}, nil, logscan.Options{})
	if err != nil {
		return nil, fmt.Errorf("opening the written log: %w", err)
	}
	literals, values, err := plan.Literals(ctx, plan.Sources()[0])
	if err != nil {
		return nil, err
	}
	var plain, expressions []string
	for _, l := range literals {
		if strings.ContainsAny(l, "\r\n") { // a line search cannot look for it
			continue
		}
		plain = append(plain, l)
		expressions = append(expressions, regexp.QuoteMeta(l))
	}
	for _, v := range values {
		expressions = append(expressions, regexp.QuoteMeta(v)+`[-+]?(?:[0-9][0-9.]*(?:e[-+]?[0-9]+)?|nan|inf)`)
	}
	anchors, task := filepath.Join(dir, "anchors"), filepath.Join(dir, "task")
	for name, list := range map[string][]string{anchors: plain, task: expressions} {
		if err := os.WriteFile(name, []byte(strings.Join(list, "\n")+"\n"), 0o644); err != nil {
			return nil, fmt.Errorf("writing what ripgrep looks for: %w", err)
		}
	}
	return []Candidate{
		{Name: rgCount, Argv: []string{c.Ripgrep, "--no-config", "-icF", "-f", anchors, path}, OK: []int{0, 1}},
		{Name: rgValues, Argv: []string{c.Ripgrep, "--no-config", "-iob", "-f", task, path}, OK: []int{0, 1}},
	}, nil
}

// Write writes the log of a shape to a path, a folder for those of ranks.
func (c *Comparison) Write(shape, path string) (*Truth, error) {
	log := Log{Shape: shape, Size: c.Size, Seed: c.Seed}
	switch shape {
	case ranksName:
		log.Shape = rankShape
	case smallName:
		log.Shape, log.Size = smallShape, min(log.Size, smallSize)
	}
	var err error
	if log.Faults, err = c.Lines.Choose(log.Shape, c.Faults, c.Seed); err != nil {
		return nil, err
	}
	if shape != ranksName {
		return log.WriteFile(path)
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("writing the logs of ranks: %w", err)
	}
	_, truth, err := log.WriteRanks(path)
	return truth, err
}
