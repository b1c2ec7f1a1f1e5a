package python

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/sourcegraph/conc/pool"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/rules"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Scan finds the sites of Python source. The error is of the whole, an
// interrupt; what a single file lacks stands in its unit.
func Scan(ctx context.Context, opt Options) (*Result, error) {
	files := list(ctx, opt)
	tree := across(opt, files)
	res, declared, err := scan(ctx, opt, files, tree, nil)
	if err != nil {
		return nil, err
	}
	if len(declared) > 0 { // nearly never: then other files may call what one declares
		if res, _, err = scan(ctx, opt, files, tree, declared); err != nil {
			return nil, err
		}
	}
	for path, why := range files.problems {
		name := relative(opt.Root, path)
		res.Units = append(res.Units, site.Unit{Name: name, Files: []string{name}, Problem: why})
	}
	res.sort()
	if !opt.Source {
		launched(opt, files, tree, res)
	}
	return res, nil
}

// chunk is how many files a worker takes at once: few enough that the last one
// does not keep the others waiting.
const chunk = 16

func scan(ctx context.Context, opt Options, files *listing, tree *calls.Tree, declared []sites.Declaration) (*Result, []sites.Declaration, error) {
	n := opt.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	n = max(1, min(n, (len(files.files)+chunk-1)/chunk))
	set := rules.NewSet(rules.All(), running(opt))
	look := newLooker(sites.NewFilter(functionNames(declared)...), set)
	var next atomic.Int64
	workers := make([]*worker, n)
	p := pool.New().WithContext(ctx).WithCancelOnError()
	for i := range workers {
		w := newWorker(func() bool { return ctx.Err() != nil }, opt, look, tree, declared)
		workers[i] = w
		p.Go(func(ctx context.Context) error {
			for {
				from := int(next.Add(chunk)) - chunk
				if from >= len(files.files) {
					return ctx.Err() // the last file may have been given up
				}
				for _, name := range files.files[from:min(from+chunk, len(files.files))] {
					if err := ctx.Err(); err != nil {
						return err
					}
					w.file(name)
				}
			}
		})
	}
	if err := p.Wait(); err != nil {
		return nil, nil, err
	}
	res := &Result{}
	var found []sites.Declaration
	var runners []*rules.Runner
	for _, w := range workers {
		res.join(&w.res)
		runners = append(runners, w.runner)
		found = append(found, w.found...)
	}
	res.Findings = append(res.Findings, set.Join(runners...)...)
	return res, found, nil
}

func functionNames(declared []sites.Declaration) []string {
	var out []string
	for _, d := range declared {
		out = append(out, d.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *Result) join(o *Result) {
	r.Sites = append(r.Sites, o.Sites...)
	r.Findings = append(r.Findings, o.Findings...)
	r.Ignores = append(r.Ignores, o.Ignores...)
	r.Units = append(r.Units, o.Units...)
	r.Possible = append(r.Possible, o.Possible...)
	r.Stats.Files += o.Stats.Files
	r.Stats.Parsed += o.Stats.Parsed
	r.Stats.Notebooks += o.Stats.Notebooks
	r.Stats.Bytes += o.Stats.Bytes
}

func (r *Result) sort() {
	slices.SortStableFunc(r.Sites, func(a, b site.Site) int { return byPlace(a.At, b.At) })
	slices.SortStableFunc(r.Ignores, func(a, b site.Ignore) int { return byPlace(a.At, b.At) })
	slices.SortStableFunc(r.Possible, func(a, b Possible) int { return byPlace(a.At, b.At) })
	slices.SortStableFunc(r.Units, func(a, b site.Unit) int { return strings.Compare(a.Name, b.Name) })
	site.Sort(r.Findings)
}

func byPlace(a, b site.Position) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// relative names a file from the root; one outside keeps its full name.
func relative(root, name string) string {
	if rest, ok := strings.CutPrefix(name, root+string(filepath.Separator)); ok {
		return filepath.ToSlash(rest)
	}
	rel, err := filepath.Rel(root, name)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}

// problem says why a file was not analysed; empty: it is none of the tree's.
func (w *worker) problem(path string, err error) string {
	var link *linkError
	switch {
	case errors.Is(err, errGone):
		return ""
	case errors.As(err, &link):
		if leadsInside(w.opt.Root, path, link.to) {
			return ""
		}
		return err.Error() + ", outside of the tree"
	}
	return "it cannot be read: " + reason(err)
}
