package rules

import (
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// shortRun is how many steps a run has that cannot afford to lose the first
// ones: the default scale of 65536 may need ten skips to come down.
const shortRun = 2000

// tv307: a scaler that starts at its default scale in a run of few steps.
func tv307() Rule {
	return Rule{
		Code:  "TV307",
		Needs: [][]string{{"GradScaler("}, {".scale("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			budget, n := f.stepBudget()
			if n == 0 {
				return
			}
			for call := range f.CallsOf("GradScaler") {
				if f.Keyword(call, "init_scale") != 0 || f.Unpacks(call) || f.IsFalse(f.Keyword(call, "enabled")) || f.numeric(f.Arg(call, 0)) {
					continue
				}
				r.Add(Finding{
					At:      call,
					Message: "the scale starts at 65536 and the run has " + strconv.Itoa(n) + " steps: those that it takes to come down are lost",
					Related: []Related{{At: budget, Message: "the steps of the run"}},
				})
			}
		},
	}
}

func (f *File) numeric(n syntax.Node) bool {
	_, err := strconv.ParseFloat(strings.ReplaceAll(f.Src(n), "_", ""), 64)
	return n != 0 && err == nil
}

// stepBudget is a literal that says how many steps the run has, if they are
// few.
func (f *File) stepBudget() (at syntax.Node, steps int) {
	small := func(name string, v syntax.Node) bool {
		if v == 0 || !isBudgetName(name) {
			return false
		}
		n, err := strconv.Atoi(strings.ReplaceAll(f.Src(v), "_", ""))
		if err == nil && n > 0 && n <= shortRun {
			at, steps = v, n
		}
		return at != 0
	}
	for n := range f.All(syntax.Assign) {
		if small(f.Last(f.Child(n, syntax.RoleTarget)), f.Child(n, syntax.RoleValue)) {
			return at, steps
		}
	}
	for call := range f.CallsOf("add_argument") {
		name, _ := f.Str(f.Arg(call, 0))
		if small(strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_"), f.Keyword(call, "default")) {
			return at, steps
		}
	}
	return 0, 0
}

func isBudgetName(name string) bool {
	switch strings.ToLower(name) {
	case "max_steps", "max_iters", "max_train_steps", "num_train_steps", "total_steps", "num_steps", "num_iterations", "max_iterations", "train_steps", "n_steps":
		return true
	}
	return false
}
