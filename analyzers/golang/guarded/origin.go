package guarded

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/checks"
)

// origin says where ids come from: a device or model (generated), text that was
// encoded here (data), the source (constant), or it cannot be told. The worst
// of several counts.
func (w *work) origin(src checks.Sources, depth int) string {
	worst, have := 0, false
	for _, end := range src.Ends {
		have = true
		worst = max(worst, w.rank(end, depth))
	}
	if !have {
		return "unknown"
	}
	return origins[worst]
}

var origins = []string{"constant", "data", "unknown", "generated"}

const (
	isConstant = iota
	isData
	isUnknown
	isGenerated
)

func (w *work) rank(end checks.Source, depth int) int {
	if end.Chosen {
		return isGenerated
	}
	switch v := end.Value.(type) {
	case *ssa.Const:
		return isConstant
	case *ssa.Phi:
		if checks.Counter(v) {
			return isConstant
		}
	case *ssa.Call:
		return w.rankCall(v, depth)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return w.rankCall(call, depth)
		}
	}
	return isUnknown
}

func (w *work) rankCall(call *ssa.Call, depth int) int {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "len" || b.Name() == "cap" {
			return isConstant // the host counts
		}
		return isUnknown
	}
	fn := checks.Callee(call.Common())
	if fn == nil {
		return isUnknown
	}
	if e := w.table.Find(fn); e != nil && e.Kind == catalog.Source {
		return isGenerated
	}
	if w.table.Is("encode", fn.Name()) {
		return isData
	}
	low := strings.ToLower(fn.Name())
	for _, word := range w.table.Words("generate-words") {
		if strings.Contains(low, word) {
			return isGenerated
		}
	}
	return w.rankBody(call, depth)
}

// rankBody asks the body of a function of this package what it returns.
func (w *work) rankBody(call *ssa.Call, depth int) int {
	body := call.Call.StaticCallee()
	if body == nil || body.Blocks == nil || depth > 2 {
		return isUnknown
	}
	f := w.checks.Analyze(body)
	worst, have := 0, false
	for _, b := range body.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) == 0 || b == body.Recover {
			continue
		}
		for _, end := range f.Sources(ret.Results[0]).Ends {
			if c, ok := end.Value.(*ssa.Const); ok && c.Value == nil {
				continue
			}
			have, worst = true, max(worst, w.rank(end, depth+1))
		}
	}
	if !have {
		return isUnknown
	}
	return worst
}
