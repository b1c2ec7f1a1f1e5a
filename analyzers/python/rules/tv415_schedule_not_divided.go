package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv415: a schedule that is planned in batches and stepped every few of them
// ends when a part of it is done: the learning rate never comes down.
func tv415() Rule {
	return Rule{
		Code:  "TV415",
		Needs: [][]string{{"num_training_steps", "T_max", "total_steps"}, {".step("}, {"accum"}},
		Check: func(f *File, r *Report) {
			if f.Uses(Accelerate | Lightning | Fabric | DeepSpeed | Transformers) {
				return
			}
			for _, keyword := range []string{"num_training_steps", "T_max", "total_steps"} {
				f.Walk(f.Root(), func(n syntax.Node) syntax.Walk {
					if f.Kind(n) == syntax.Call && listed("scheduler-class", f.Last(f.First(n))) {
						f.plansBatches(r, n, f.Keyword(n, keyword))
					}
					return syntax.Into
				})
			}
		},
	}
}

func (f *File) plansBatches(r *Report, call, total syntax.Node) {
	if total == 0 || !f.countsBatches(total, 4) {
		return
	}
	p := f.Parent(call)
	if f.Kind(p) != syntax.Assign {
		return
	}
	made := f.Child(p, syntax.RoleTarget)
	for step := range f.CallsOf("step") {
		loop := f.Loop(step)
		if loop == 0 || !f.Same(f.Receiver(step), made) || f.Function(step) != f.Function(call) && (f.Kind(made) != syntax.Attribute || f.Names.Class(step) != f.Names.Class(call)) {
			continue
		}
		if m := f.modulo(step, loop); m != 0 && strings.Contains(strings.ToLower(f.Src(m)), "accum") {
			r.Add(Finding{
				At:      total,
				Message: "the schedule is planned for every batch and stepped once in " + f.Src(f.lastChild(m)) + ": the run ends while the learning rate is still high",
				Related: []Related{{At: step, Message: "stepped here"}},
			})
			return
		}
	}
}

// countsBatches reports whether a number of steps is made of the length of a
// loader, and divided by nothing.
func (f *File) countsBatches(n syntax.Node, hops int) bool {
	text := strings.ToLower(f.Src(n))
	if strings.Contains(text, "/") || strings.Contains(text, "accum") || hops == 0 {
		return false
	}
	counts := false
	for c := range f.Within(n) {
		switch f.Kind(c) {
		case syntax.Call:
			counts = counts || string(f.Name(f.First(c))) == "len" && strings.Contains(strings.ToLower(f.Src(c)), "loader")
		case syntax.Name:
			list, sure := f.Values(c)
			if !sure || len(list) != 1 {
				continue
			}
			if k := f.Kind(list[0]); k == syntax.BinOp || k == syntax.Call {
				src := strings.ToLower(f.Src(list[0]))
				if strings.Contains(src, "/") || strings.Contains(src, "accum") {
					return false
				}
				counts = counts || f.countsBatches(list[0], hops-1)
			}
		}
	}
	return counts
}
