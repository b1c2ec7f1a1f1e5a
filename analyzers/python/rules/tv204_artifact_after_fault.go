package rules

import (
	"github.com/trainvet/trainvet/analyzers/python/faultflow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv204: a model or a number is written by a handler or a finally block, which
// a fault runs too. Where the fault is lost before, TV201 shows what is written
// behind it.
func tv204() Rule {
	return Rule{
		Code: "TV204", Needs: [][]string{{"except:", "Exception", "finally"}, {"save", "dump", "to_csv", "log_metric", "wandb.log"}},
		Check: func(f *File, r *Report) {
			for try := range f.All(syntax.Try) {
				flow := f.Faults()
				var at syntax.Node
				if at = flow.Artifact(f.simple(try, syntax.RoleFinal)...); at == 0 {
					h := flow.Sees(try)
					if h == 0 || flow.Loses(h) {
						continue
					}
					at = flow.Artifact(f.simple(h, syntax.RoleBody)...)
				}
				if at == 0 {
					continue
				}
				if src := flow.SourceIn(try, syntax.RoleBody); src != nil && src.Kind <= faultflow.Backward {
					r.Add(Finding{
						At: at, Message: "this is written after a fault too: whoever finds it takes it for a result of a run that ended well",
						Related: f.sourceRelated(src),
					})
				}
			}
		},
	}
}

// simple are the statements of a block and of the blocks in it, each for itself.
func (f *File) simple(holder syntax.Node, role syntax.Role) []syntax.Node {
	var out []syntax.Node
	for s := range f.ChildrenOf(holder, role) {
		for n := range f.Within(s) {
			if f.Kind(n).IsStatement() {
				out = append(out, n)
			}
		}
	}
	return out
}
