package driver

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/site"
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
			a, err := g.analyse(ctx, jobs[i], tags, opt.Tool)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			all.add(a)
		}
		all.Modules = append(all.Modules, filepath.ToSlash(jobs[i].dir))
	}
	return all.result(opt.Names), nil
}

// analyse runs the units of one module with one set of tags. Where the go
// command reports failure, it is found out which packages it left out, and
// those that it could have analysed are given to it again.
func (g *goCommand) analyse(ctx context.Context, j job, tags, tool string) (*answers, error) {
	a := newAnswers()
	ok, err := g.vet(ctx, j, tags, tool, a)
	if err != nil || ok && len(a.broken) == 0 {
		a.tag(tags)
		return a, err
	}
	list, err := g.list(ctx, j, tags, a.text)
	if err != nil {
		return nil, err
	}
	if again := healthy(list); len(a.analysed) == 0 && len(again) > 0 && len(again) < len(list) {
		if _, err := g.vet(ctx, job{dir: j.dir, patterns: again, alone: j.alone}, tags, tool, a); err != nil {
			return nil, err
		}
	}
	a.complain(j, list)
	a.tag(tags)
	return a, nil
}

func (g *goCommand) vet(ctx context.Context, j job, tags, tool string, a *answers) (ok bool, err error) {
	args := append([]string{"vet", "-vettool=" + tool, "-json"}, buildFlags(tags)...)
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

// tag notes with which tags the units were built.
func (a *answers) tag(tags string) {
	for i := range a.Units {
		a.Units[i].Tags = tagList(tags)
	}
}

// complain adds a unit with its problem for each package that did not answer.
func (a *answers) complain(j job, list []*listed) {
	why := newReasons(j, list, a)
	for _, l := range list {
		if own := l.own(); len(own) > 0 {
			a.missing(why, l, l.ImportPath, own)
		}
		if outer := l.files(l.XTestGoFiles); len(outer) > 0 {
			a.missing(why, l, l.ImportPath+"_test", outer)
		}
		a.Excluded = append(a.Excluded, l.files(l.IgnoredGoFiles)...)
	}
	if len(list) > 0 {
		return
	}
	if problem, at := why.ofAll(); problem != "" {
		a.Units = append(a.Units, site.Unit{Name: filepath.ToSlash(j.dir), Problem: problem, At: at})
	}
}

func (a *answers) missing(why *reasons, l *listed, name string, files []string) {
	if a.analysed[name] && a.broken[name] == "" {
		return
	}
	u := site.Unit{Name: name, Files: files}
	u.Problem, u.At = why.of(l, name)
	a.Units = slices.DeleteFunc(a.Units, func(have site.Unit) bool { return have.Name == name })
	a.Units = append(a.Units, u)
}
