package probe

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"

	"github.com/trainvet/trainvet/internal/machine"
)

//go:embed workers/*.py
var workers embed.FS

// Options says what to probe.
type Options struct {
	Python  string           // interpreter; empty: look for one
	Devices []machine.Device // to compute on
	Only    []string         // names, patterns or groups; none: all
	Ops     string           // the user's file of operators
	Within  time.Duration    // for one group of checks
	Check   time.Duration    // for one check
	Env     func(string) string
	Now     func() time.Time
	Look    Look // how the machine itself is looked at
	// Crowd is how many processes there are for each processor: deadlines are
	// longer by as much. nil: not looked at.
	Crowd func() float64
	// Told is called as results come, from one goroutine at a time; nil: nobody
	// listens.
	Told func(Result)
}

// prober is one run of a probe.
type prober struct {
	opt     Options
	python  string
	program string
	checks  []Check

	mu     sync.Mutex
	report Report
}

// Run probes. It fails only where the probe itself cannot be made: what a check
// finds is in the report.
func Run(ctx context.Context, opt Options) (*Report, error) {
	p := &prober{opt: opt, checks: selected(opt.Only)}
	begin := opt.Now()
	p.report = Report{Version: 1, At: begin.UTC().Format(time.RFC3339)}
	for _, r := range lookAtMachine(ctx, opt.Look, p.checks) {
		p.tell(r)
	}
	if p.wantsPython() {
		if err := p.framework(ctx); err != nil {
			return nil, err
		}
	}
	p.report.order()
	p.report.elapsed = opt.Now().Sub(begin)
	return &p.report, ctx.Err()
}

func (p *prober) wantsPython() bool {
	return p.opt.Ops != "" || slices.ContainsFunc(p.checks, func(c Check) bool { return c.Group != "machine" })
}

// tell keeps a result and hands it on.
func (p *prober) tell(r Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report.Results = append(p.report.Results, r)
	if p.opt.Told != nil {
		p.opt.Told(r)
	}
}

// framework runs the groups that need Python, once a control has passed.
func (p *prober) framework(ctx context.Context) error {
	python, why := FindPython(p.opt.Python, p.opt.Env)
	if python == "" {
		p.report.Missing = append(p.report.Missing, why)
		return nil
	}
	dir, err := os.MkdirTemp("", "trainvet-probe-")
	if err != nil {
		return fmt.Errorf("making room for the probe's programs: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := unpack(dir); err != nil {
		return err
	}
	p.python, p.program = python, filepath.Join(dir, "worker.py")
	if err := p.control(ctx); err != nil || p.report.Broken != "" {
		return err
	}
	if p.report.Facts.Torch == "" {
		why := "there is no torch in " + python
		if p.report.Facts.TorchError != "" {
			why += " (" + p.report.Facts.TorchError + ")"
		}
		p.report.Missing = append(p.report.Missing, why+": train, parity, transfer and dtype were not run")
		return nil
	}
	for _, d := range p.opt.Devices {
		if err := p.device(ctx, d); err != nil {
			return err
		}
	}
	if p.report.Failed() && ctx.Err() == nil {
		return p.control(ctx)
	}
	return nil
}

// unpack writes the programs where Python can read them.
func unpack(dir string) error {
	return fs.WalkDir(workers, "workers", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := workers.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o600)
		}
		if err != nil {
			return fmt.Errorf("writing the probe's programs: %w", err)
		}
		return nil
	})
}

// control runs the check that cannot fail, and learns what the framework is.
func (p *prober) control(ctx context.Context) error {
	e, err := p.worker(ctx, request{Group: "control", Device: "cpu"})
	if err != nil {
		return err
	}
	switch {
	case e.hung:
		p.report.Broken = "the control did not end in time: " + e.evidence()
	case !e.done:
		p.report.Broken = fmt.Sprintf("the control ended with %s: %s", e.how, e.evidence())
	case len(e.results) != 1 || e.results[0].Status != Pass:
		p.report.Broken = "the control failed"
		for _, r := range e.results {
			p.report.Broken += ": " + r.Text
		}
	}
	if p.report.Broken != "" {
		return nil
	}
	if err := json.Unmarshal(e.facts, &p.report.Facts); err != nil {
		p.report.Broken = "what the control says of the framework cannot be read: " + err.Error()
	}
	return nil
}

// device runs all groups on one device. On an accelerator they run one after
// the other, so that none disturbs another; on the CPU two at a time, but for
// dtype, which measures.
func (p *prober) device(ctx context.Context, d machine.Device) error {
	if _, ok := p.report.Facts.Devices[d.Label()]; !ok {
		p.report.Missing = append(p.report.Missing, fmt.Sprintf(
			"%s (%s): torch %s cannot use it (it was built for %s)", d.Label(), d.Name, p.report.Facts.Torch, p.report.Facts.builtFor()))
		return nil
	}
	together := 1
	if d.Kind == "cpu" {
		together = 2
	}
	work := pool.New().WithErrors().WithMaxGoroutines(together)
	for _, group := range []string{"transfer", "train", "parity"} {
		work.Go(func() error { return p.group(ctx, d, group) })
	}
	return errors.Join(work.Wait(), p.group(ctx, d, "dtype"))
}

func (f *Facts) builtFor() string {
	switch {
	case f.CUDA != "":
		return "CUDA " + f.CUDA
	case f.HIP != "":
		return "ROCm " + f.HIP
	}
	return "the CPU"
}

// names are the checks of a group that were asked for; all: every one, those
// of the user's file too.
func (p *prober) names(group string) (names []string, all bool) {
	for _, c := range p.checks {
		if c.Group == group {
			names = append(names, c.Name)
		}
	}
	return names, len(p.opt.Only) == 0 || slices.Contains(p.opt.Only, group)
}

// group runs the checks of a group in one process, and what a death left over
// one by one.
func (p *prober) group(ctx context.Context, d machine.Device, group string) error {
	names, all := p.names(group)
	req := request{Group: group, Device: d.Label()}
	if group == "parity" || group == "dtype" {
		req.Ops = p.opt.Ops
	}
	if !all {
		req.Checks = names
		for _, o := range p.opt.Only {
			if strings.HasPrefix(o, "user-") {
				req.Checks = append(req.Checks, o)
			}
		}
		if len(req.Checks) == 0 {
			return nil
		}
	}
	e, err := p.worker(ctx, req)
	if err != nil || ctx.Err() != nil {
		return err
	}
	p.take(d, e.results)
	if e.done {
		return nil
	}
	return p.oneByOne(ctx, d, req, e)
}

// take explains and keeps results.
func (p *prober) take(d machine.Device, results []Result) {
	for _, r := range results {
		r.explain(d.Kind, p.report.Facts)
		p.tell(r)
	}
}

// oneByOne runs again what the death of a shared process left without a result,
// each check in a process of its own.
func (p *prober) oneByOne(ctx context.Context, d machine.Device, req request, dead ended) error {
	if dead.planned == nil { // it never came to its checks
		p.tell(Result{Group: req.Group, Name: req.Group, Device: d.Label(), Status: deathOf(dead), Text: "the group did not begin: its process " + deathWords(dead), Evidence: dead.evidence()})
		return nil
	}
	left := slices.DeleteFunc(slices.Clone(dead.planned), func(n string) bool {
		return slices.ContainsFunc(dead.results, func(r Result) bool { return r.Name == n })
	})
	for _, name := range left {
		req.Checks = []string{name}
		e, err := p.worker(ctx, req)
		if err != nil || ctx.Err() != nil {
			return err
		}
		if len(e.results) > 0 {
			r := e.results[0]
			if name == dead.begun && r.Status == Pass {
				r.Status, r.Evidence = deathOf(dead), dead.evidence()
				r.Text = "behind other checks the process " + deathWords(dead) + "; alone the check passes"
			}
			p.take(d, []Result{r})
			continue
		}
		p.tell(Result{Group: req.Group, Name: name, Device: d.Label(), Status: deathOf(e), Text: "the process " + deathWords(e), Evidence: e.evidence()})
	}
	return nil
}

func deathOf(e ended) Status {
	if e.hung {
		return Hang
	}
	return Crash
}

func deathWords(e ended) string {
	if e.hung {
		return "did not end in time and was killed"
	}
	return "ended with " + e.how
}

// order brings the results into the order of the checks.
func (r *Report) order() {
	place := map[string]int{}
	for i, c := range Checks() {
		place[c.Name] = i
	}
	at := func(x Result) int {
		if i, ok := place[x.Name]; ok {
			return i
		}
		return len(place)
	}
	slices.SortStableFunc(r.Results, func(a, b Result) int {
		if a.Device != b.Device && (a.Device == "" || b.Device == "") {
			return strings.Compare(a.Device, b.Device)
		}
		return at(a) - at(b)
	})
}
