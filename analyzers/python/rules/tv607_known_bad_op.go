package rules

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

//go:embed known_bad_ops.tsv
var badOpRows string

// badOp is an operator that a backend computes wrongly.
type badOp struct {
	paths             []string
	backend, training string
	until, effect     string
}

// badOps are read once and never change.
var badOps = sync.OnceValue(func() []badOp {
	list, err := readBadOps(badOpRows)
	if err != nil {
		panic(err) // embedded, and read by a test
	}
	return list
})

func readBadOps(rows string) ([]badOp, error) {
	var out []badOp
	for i, line := range strings.Split(rows, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) < 5 || cells[2] != "training" && cells[2] != "always" {
			return nil, fmt.Errorf("known_bad_ops.tsv:%d: paths, backend, training or always, until and effect are expected", i+1)
		}
		out = append(out, badOp{strings.Split(cells[0], ","), cells[1], cells[2], cells[3], cells[4]})
	}
	return out, nil
}

// tv607: an operator that the device computes wrongly, in a file that may be on
// that device.
func tv607() Rule {
	return Rule{
		Code:  "TV607",
		Needs: [][]string{{"\"mps\"", "'mps'", "mps.is_available", "mps.is_built"}, badOpWords()},
		Check: func(f *File, r *Report) {
			if !f.mpsReachable() || f.refusesMPS() {
				return
			}
			trains := f.trainsSomething()
			for _, op := range badOps() {
				if op.training == "training" && !trains {
					continue
				}
				for _, path := range op.paths {
					for call := range f.CallsOf(path[strings.LastIndexByte(path, '.')+1:]) {
						if f.Is(call, path) && !f.onCPU(call) {
							r.Say(call, "%s on %s: %s (%s)", path, op.backend, op.effect, op.until)
						}
					}
				}
			}
		},
	}
}

// badOpWords are the last names of all operators.
func badOpWords() []string {
	var out []string
	for _, op := range badOps() {
		for _, p := range op.paths {
			out = append(out, p[strings.LastIndexByte(p, '.')+1:]+"(")
		}
	}
	return out
}

// trainsSomething reports whether a file computes gradients or steps.
func (f *File) trainsSomething() bool {
	for _, name := range []string{"backward", "zero_grad", "manual_backward"} {
		for range f.CallsOf(name) {
			return true
		}
	}
	return false
}

// refusesMPS reports whether a file raises, or takes the CPU, where mps is
// asked for.
func (f *File) refusesMPS() bool {
	for n := range f.All(syntax.If) {
		test := f.Src(f.Child(n, syntax.RoleTest))
		if !strings.Contains(test, "mps") {
			continue
		}
		for s := range f.ChildrenOf(n, syntax.RoleBody) {
			if f.Kind(s) == syntax.Raise || f.Kind(s) == syntax.Assign && f.deviceOf(f.Child(s, syntax.RoleValue)) == "cpu" {
				return true
			}
		}
	}
	return false
}

// onCPU reports whether what a call gives goes to the CPU at once.
func (f *File) onCPU(call syntax.Node) bool {
	p := f.Parent(call)
	if f.Kind(p) != syntax.Attribute || f.Kind(f.Parent(p)) != syntax.Call {
		return false
	}
	name := string(f.Name(p))
	return name == "cpu" || name == "to" && f.deviceOf(f.Arg(f.Parent(p), 0)) == "cpu"
}
