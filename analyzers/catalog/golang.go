package catalog

import (
	_ "embed"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed go.tsv
var goRows string

//go:embed go_names.tsv
var goNames string

// Kind is what an API is to us.
type Kind string

// The kinds, see the package comment.
const (
	Decode   Kind = "decode"
	Step     Kind = "step"
	Implicit Kind = "implicit"
	Scaler   Kind = "scaler"
	Backward Kind = "backward"
	ZeroGrad Kind = "zero-grad"
	Clip     Kind = "clip"
	ClipNaN  Kind = "clip-nan"
	Eval     Kind = "eval"
	Bound    Kind = "bound"
	Source   Kind = "source"
	Forward  Kind = "forward"
	Opaque   Kind = "opaque"
)

// What a call does on the way.
const (
	DoesZeroGrad = "zero-grad"
	DoesBackward = "backward"
	DoesStep     = "step"
)

// Entry is one method or function of the catalogue.
type Entry struct {
	Package, Receiver, Name string
	Kind                    Kind
	IDs                     int // index of the ids argument; -1: none
	Does                    []string
	Impossible              string
	Bound                   string
	Fails                   Failure
	Sibling                 string
	Note                    string
}

// Failure is how a step says that it did not happen.
type Failure struct {
	How    string // error, panic, none, overflow, applied; empty: no step
	Result int    // of overflow and applied
}

// String names the API as a reader would write it.
func (e *Entry) String() string {
	if e.Receiver == "" {
		return e.Package + "." + e.Name
	}
	return "(" + e.Package + "." + e.Receiver + ")." + e.Name
}

// Go is the catalogue of Go APIs.
type Go struct {
	entries map[string][]*Entry // by method or function name
	modules map[string]bool     // import paths
	names   map[string]map[string]bool
}

// Golang returns the catalogue. It is read once and never changes.
var Golang = sync.OnceValue(func() *Go {
	g, err := parseGo(goRows, goNames)
	if err != nil {
		panic(err) // embedded, and read by a test
	}
	return g
})

const columns = 11

func parseGo(rows, names string) (*Go, error) {
	g := &Go{entries: map[string][]*Entry{}, modules: map[string]bool{}, names: map[string]map[string]bool{}}
	for i, line := range strings.Split(rows, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != columns {
			return nil, fmt.Errorf("go.tsv:%d: %d columns, %d are expected", i+1, len(cells), columns)
		}
		if err := g.add(cells); err != nil {
			return nil, fmt.Errorf("go.tsv:%d: %w", i+1, err)
		}
	}
	for i, line := range strings.Split(names, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		class, list, ok := strings.Cut(line, "\t")
		if !ok {
			return nil, fmt.Errorf("go_names.tsv:%d: a class, a tab and names are expected", i+1)
		}
		if g.names[class] == nil {
			g.names[class] = map[string]bool{}
		}
		for _, name := range strings.Split(list, ",") {
			g.names[class][name] = true
		}
	}
	return g, nil
}

func (g *Go) add(cells []string) error {
	for i := range cells {
		if cells[i] == "-" {
			cells[i] = ""
		}
	}
	base := Entry{Package: cells[0], Kind: Kind(cells[3]), IDs: -1, Does: list(cells[5]), Impossible: cells[6], Bound: cells[7], Sibling: cells[9], Note: cells[10]}
	if cells[4] != "" {
		n, err := strconv.Atoi(cells[4])
		if err != nil {
			return fmt.Errorf("ids %q is no number", cells[4])
		}
		base.IDs = n
	}
	how, result, numbered := strings.Cut(cells[8], ":")
	base.Fails.How = how
	if numbered {
		n, err := strconv.Atoi(result)
		if err != nil {
			return fmt.Errorf("fails %q: %q is no number", cells[8], result)
		}
		base.Fails.Result = n
	}
	if (base.Kind == Decode) != (base.IDs >= 0) {
		return fmt.Errorf("a decode has ids, and nothing else has: %v", cells)
	}
	g.modules[base.Package] = true
	for _, receiver := range strings.Split(cells[1], ",") {
		for _, name := range strings.Split(cells[2], ",") {
			e := base
			e.Receiver, e.Name = receiver, name
			if g.find(e.Package, receiver, name) != nil {
				return fmt.Errorf("%s is listed twice", &e)
			}
			g.entries[name] = append(g.entries[name], &e)
		}
	}
	return nil
}

func list(cell string) []string {
	if cell == "" {
		return nil
	}
	return strings.Split(cell, ",")
}

func (g *Go) find(pkg, receiver, name string) *Entry {
	for _, e := range g.entries[name] {
		if e.Package == pkg && e.Receiver == receiver {
			return e
		}
	}
	return nil
}

// Find returns the entry of a function or method; nil: it is in no row.
// Instances of generics are found by their origin, and the path of a vendored
// package by what follows "vendor/".
func (g *Go) Find(fn *types.Func) *Entry {
	if fn == nil || fn.Pkg() == nil || g.entries[fn.Name()] == nil {
		return nil
	}
	fn = fn.Origin()
	receiver := ""
	if recv := fn.Signature().Recv(); recv != nil {
		named := Named(recv.Type())
		if named == nil {
			return nil
		}
		receiver = named.Obj().Name()
	}
	return g.find(Path(fn.Pkg()), receiver, fn.Name())
}

// Sibling returns the method beside fn that returns the error which fn hides.
func (g *Go) Sibling(fn *types.Func) (*types.Func, bool) {
	e := g.Find(fn)
	if e == nil || e.Sibling == "" {
		return nil, false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		sibling, ok := fn.Pkg().Scope().Lookup(e.Sibling).(*types.Func)
		return sibling, ok
	}
	obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg(), e.Sibling)
	sibling, ok := obj.(*types.Func)
	return sibling, ok
}

// Lists reports whether a package has a row.
func (g *Go) Lists(pkg *types.Package) bool { return pkg != nil && g.modules[Path(pkg)] }

// Is reports whether go_names.tsv lists a name in a class.
func (g *Go) Is(class, name string) bool { return g.names[class][name] }

// Entries returns every entry, sorted.
func (g *Go) Entries() []*Entry {
	var out []*Entry
	for _, list := range g.entries {
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b *Entry) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// Path is a package's import path without the folder that vendors it.
func Path(pkg *types.Package) string {
	p := pkg.Path()
	if i := strings.LastIndex(p, "/vendor/"); i >= 0 {
		return p[i+len("/vendor/"):]
	}
	return p
}

// Named returns the named type of a receiver, by value or by pointer; nil: it
// has no name, as in an interface literal.
func Named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// Words returns the parts of names of a class, sorted.
func (g *Go) Words(class string) []string {
	var out []string
	for w := range g.names[class] {
		out = append(out, w)
	}
	slices.Sort(out)
	return out
}
