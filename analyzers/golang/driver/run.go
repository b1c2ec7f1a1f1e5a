package driver

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Run analyses all that opt names. The error is of the whole: no go command, a
// pattern that means nothing, an interrupt. What a single package lacks stands
// in its unit.
func Run(ctx context.Context, opt Options) (*Result, error) {
	jobs, err := plan(opt.Dir, opt.Patterns)
	if err != nil || len(jobs) == 0 {
		return &Result{}, err
	}
	g, err := newGoCommand(opt)
	if err != nil {
		return nil, err
	}
	g.env = append(slices.Clone(g.env), unit.WireEnvironment())
	sets := opt.TagSets
	if len(sets) == 0 {
		sets = []string{""}
	}
	var all collection
	for i := range jobs {
		if err := g.workspace(ctx, &jobs[i]); err != nil {
			return nil, err
		}
		for _, tags := range sets {
			o, err := g.analyse(ctx, jobs[i], tags, opt.Tool)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			all.add(o)
		}
		deserted, err := leftOut(jobs[i], all.included)
		if err != nil {
			return nil, err
		}
		all.Excluded = append(all.Excluded, deserted...)
		all.Modules = append(all.Modules, filepath.ToSlash(jobs[i].dir))
	}
	return all.result(opt.Names), nil
}

// analyse runs the units of one module with one set of tags, and holds those
// that answered against the packages that were asked for. Where one is missing
// it is found out why, and packages that the go command could have analysed
// are given to it again.
func (g *goCommand) analyse(ctx context.Context, j job, tags, tool string) (*outcome, error) {
	a := newAnswers()
	var (
		list          []*listed
		listErr, err  error
		asked         sync.WaitGroup
		ignoredErrors = func(string, string) error { return nil } // go vet says the same
	)
	asked.Go(func() { list, listErr = g.list(ctx, j, tags, true, ignoredErrors) })
	_, err = g.vet(ctx, j, tags, tool, a)
	asked.Wait()
	if err != nil {
		return nil, err
	}
	if listErr != nil {
		return nil, listErr
	}
	if len(list) > 0 && !slices.ContainsFunc(list, func(l *listed) bool { return !l.answered(a) }) {
		return newOutcome(j, list, a, tags), nil
	}
	if list, err = g.list(ctx, j, tags, false, a.text); err != nil {
		return nil, err
	}
	again := healthy(list)
	if len(a.units) == 0 && len(again) > 0 && len(again) < len(list) {
		if _, err := g.vet(ctx, job{dir: j.dir, patterns: again, alone: j.alone}, tags, tool, a); err != nil {
			return nil, err
		}
	}
	if err := g.rescue(ctx, j, tags, tool, list, a); err != nil {
		return nil, err
	}
	return newOutcome(j, list, a, tags), nil
}

func (g *goCommand) vet(ctx context.Context, j job, tags, tool string, a *answers, flags ...string) (ok bool, err error) {
	args := append([]string{"vet", "-vettool=" + tool, "-json"}, append(buildFlags(tags), flags...)...)
	out := &splitter{object: a.object, text: a.text}
	errs := &splitter{object: a.object, text: a.text}
	cmd := g.command(ctx, j, append(append(args, "--"), j.patterns...)...)
	ok, err = g.stream(cmd, out, errs)
	if err != nil {
		return false, err
	}
	for _, s := range []*splitter{out, errs} {
		if err := s.Close(); err != nil {
			return false, err
		}
	}
	return ok, nil
}

func healthy(list []*listed) []string {
	var out []string
	for _, l := range list {
		if l.loads() {
			out = append(out, l.ImportPath)
		}
	}
	return out
}
