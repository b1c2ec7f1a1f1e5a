package guarded

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/golang/upward"
	"github.com/trainvet/trainvet/analyzers/site"
)

// handlers lists the places between a guard and the top of the run that see
// its error, innermost first.
func (w *work) handlers(g found) []site.Handling {
	if g.call != nil {
		if _, has := upward.ErrorOf(g.call); has {
			return upward.Handlings(w.unit, w.up.FromCall(g.call))
		}
	}
	fn := g.at.Parent()
	if !returnsError(fn) {
		return nil
	}
	own := site.Handling{At: w.unit.Position(g.pos), Func: upward.Name(fn), Message: "an error of its own is returned"}
	return append([]site.Handling{own}, upward.Handlings(w.unit, w.up.FromFunc(fn))...)
}

func returnsError(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	n := results.Len()
	return n > 0 && types.Identical(results.At(n-1).Type(), types.Universe.Lookup("error").Type())
}
