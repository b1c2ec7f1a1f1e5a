package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv703: items drawn with NumPy's global source. Torch before 1.9 does not seed
// it in the workers of a loader, which are copies of one process.
func tv703() Rule {
	return Rule{
		Code:  "TV703",
		Needs: [][]string{{"np.random.", "numpy.random"}, {"__getitem__"}},
		Facts: []string{"num_workers", "worker_init_fn"},
		Check: func(f *File, r *Report) {
			for class := range f.All(syntax.ClassDef) {
				if !f.isDataset(class) || f.asksWorker(class) {
					continue
				}
				for _, m := range f.reached(class, f.method(class, "__getitem__")) {
					f.globalDraws(r, m)
				}
			}
		},
	}
}

// globalDraws reports the first draw of a method.
func (f *File) globalDraws(r *Report, m syntax.Node) {
	if string(f.Name(m)) == "__init__" || f.callsAny(m, "seed", "manual_seed", "set_state") {
		return
	}
	for n := range f.Within(m) {
		if f.Kind(n) != syntax.Call || !drawsGlobally(f.Path(f.First(n))) {
			continue
		}
		r.Add(Finding{
			At:      n,
			Message: f.Src(f.First(n)) + " draws an item from NumPy's global source, which torch before 1.9 leaves the same in every worker: all of them draw the same numbers",
			If:      []string{"num_workers"},
			Unless:  []string{"worker_init_fn"},
		})
		return
	}
}

// drawsGlobally reports whether a function of numpy.random draws, and makes no
// source of its own.
func drawsGlobally(path string) bool {
	name, ok := strings.CutPrefix(path, "numpy.random.")
	if !ok {
		return false
	}
	switch name {
	case "default_rng", "RandomState", "Generator", "SeedSequence", "seed", "get_state", "set_state", "PCG64", "Philox", "MT19937":
		return false
	}
	return !strings.Contains(name, ".")
}
