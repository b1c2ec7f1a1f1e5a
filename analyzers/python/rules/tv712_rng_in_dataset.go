package rules

import (
	"path"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// tv712: a source of random numbers that a dataset made once is copied into
// every worker in the same state, and again at each epoch: the workers draw the
// same numbers, and so does the next epoch. What seeds the global ones of each
// worker does not reach it.
func tv712() Rule {
	return Rule{
		Code:  "TV712",
		Needs: [][]string{{"__getitem__", "DataLoader("}, {"default_rng", "RandomState", "random.Random", "import Random", "Generator", "DataLoader("}},
		Check: func(f *File, r *Report) {
			if workers, some := f.loaders(); some {
				r.Note(loadersHere{workers})
			}
			for class := range f.All(syntax.ClassDef) {
				if f.isDataset(class) {
					f.datasetRNG(r, class)
				}
			}
		},
		Finish: withWorkers,
	}
}

// loadersHere is left of a file that makes loaders: whether one may have workers.
type loadersHere struct{ workers bool }

// loaders reports whether a file makes loaders, and whether one of them may have
// workers.
func (f *File) loaders() (workers, some bool) {
	for call := range f.CallsOf("DataLoader") {
		some = true
		if n := f.ArgOr(call, 5, "num_workers"); f.Unpacks(call) || n != 0 && f.Src(n) != "0" {
			return true, true
		}
	}
	return false, some
}

// withWorkers keeps what is said of datasets whose loaders have workers: without
// them one source is one source. The loaders are those of the nearest folder, at
// or around the dataset, below which there are some: a repository holds several
// projects.
func withWorkers(notes []Note, r *Joined) {
	for _, n := range notes {
		found, ok := n.Value.(site.Finding)
		if !ok {
			continue
		}
		for folder := path.Dir(n.File); ; folder = path.Dir(folder) {
			workers, some := loadersBelow(notes, folder)
			if workers {
				r.Add(found)
			}
			if some || folder == "." || folder == "/" {
				break
			}
		}
	}
}

// loadersBelow says of the files of a folder, and of all below it, what loaders
// says of one.
func loadersBelow(notes []Note, folder string) (workers, some bool) {
	for _, n := range notes {
		l, ok := n.Value.(loadersHere)
		if ok && (folder == "." || strings.HasPrefix(n.File, folder+"/")) {
			some, workers = true, workers || l.workers
		}
	}
	return workers, some
}

func (f *File) datasetRNG(r *Report, class syntax.Node) {
	item := f.reached(class, f.method(class, "__getitem__"))
	if f.asksWorker(class) {
		return
	}
	for _, m := range item {
		f.seededPerItem(r, m)
	}
	done := map[string]bool{}
	for name := range f.Names.Attributes(class) {
		if done[string(name)] {
			continue
		}
		done[string(name)] = true
		made, once := f.madeOnce(class, item, name)
		if !once {
			continue
		}
		if use := f.usesAttr(item, name); use != 0 && !f.setElsewhere(class, name) {
			r.Note(site.Finding{
				At: r.Place(made), End: r.run.end(r.src, Finding{At: made}),
				Message: "self." + string(name) + " is made once for the dataset: every worker of a DataLoader gets a copy in the same state and draws the same numbers, and the next epoch repeats them",
				Related: []site.Related{{At: r.Place(use), Message: "items are drawn with it here"}},
			})
		}
	}
}

// madeOnce is where the only value of an attribute that is a source of random
// numbers is made, outside of what makes an item.
func (f *File) madeOnce(class syntax.Node, item []syntax.Node, name []byte) (made syntax.Node, once bool) {
	for b := range f.Names.Bindings(class, name) {
		def := f.Function(b.Target)
		if b.How != names.Assign || has(item, def) || string(f.Name(def)) != "__init__" {
			return 0, false
		}
		if f.isRNG(b.Value) {
			made = b.Value
		}
	}
	return made, made != 0
}

// usesAttr is a place in these methods that reads an attribute of self.
func (f *File) usesAttr(methods []syntax.Node, name []byte) syntax.Node {
	for _, m := range methods {
		if string(f.Name(m)) == "__init__" {
			continue
		}
		for n := range f.Preorder(m) {
			if f.Kind(n) == syntax.Attribute && string(f.Name(n)) == string(name) && f.Names.IsSelf(f.First(n)) && f.Context(n) == syntax.Load {
				return n
			}
		}
	}
	return 0
}

// setElsewhere reports whether something outside of the class gives its objects
// another one, or seeds theirs again: a worker_init_fn.
func (f *File) setElsewhere(class syntax.Node, name []byte) bool {
	for n := range f.Preorder(f.Root()) {
		if f.Kind(n) != syntax.Attribute || string(f.Name(n)) != string(name) || f.Names.IsSelf(f.First(n)) && f.Names.Class(n) != class {
			continue
		}
		if f.Context(n) == syntax.Store && !f.Holds(class, n) {
			return true
		}
		if p := f.Parent(n); f.Kind(p) == syntax.Attribute && f.Kind(f.Parent(p)) == syntax.Call {
			switch string(f.Name(p)) {
			case "seed", "manual_seed", "set_state", "setstate":
				if def := f.Function(n); string(f.Name(def)) != "__init__" {
					return true
				}
			}
		}
	}
	return false
}

// asksWorker reports whether a class asks which worker or rank it is in.
func (f *File) asksWorker(class syntax.Node) bool {
	for n := range f.Preorder(class) {
		switch k := f.Kind(n); {
		case k != syntax.Name && k != syntax.Attribute:
		case string(f.Name(n)) == "get_worker_info", string(f.Name(n)) == "getpid", string(f.Name(n)) == "worker_info":
			return true
		}
	}
	return false
}

// seededPerItem reports sources that are made anew for each item from a seed
// that knows nothing of the item.
func (f *File) seededPerItem(r *Report, m syntax.Node) {
	for n := range f.Within(m) {
		if f.Kind(n) != syntax.Call || !f.isRNG(n) {
			continue
		}
		seed := f.ArgOr(n, 0, "seed")
		if seed != 0 && f.sameForAll(seed) {
			r.Add(Finding{
				At:      n,
				Message: "this source of random numbers is made anew for each item from the seed " + f.Src(seed) + ", which is the same for all: every item, in every epoch, is drawn with the same numbers",
			})
		}
	}
}

// sameForAll reports whether a seed is a constant, or an attribute that only
// __init__ sets.
func (f *File) sameForAll(seed syntax.Node) bool {
	switch f.Kind(seed) {
	case syntax.Constant:
		return !f.IsNone(seed)
	case syntax.Attribute:
		if !f.Names.IsSelf(f.First(seed)) {
			return false
		}
		bound := false
		for b := range f.Names.Attr(f.Names.Class(seed), f.Name(seed)) {
			if b.How != names.Assign || string(f.Name(f.Function(b.Target))) != "__init__" {
				return false
			}
			bound = true
		}
		return bound
	}
	return false
}
