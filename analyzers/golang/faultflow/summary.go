package faultflow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// summary is what a function of the package does with a fault that it is given
// in a parameter.
type summary struct {
	carries  bool // it comes back in a result
	flattens bool // its text comes back as an error
	keeps    bool // on some path it is handed on, or the program stops
	loses    bool // on some path nothing is left of it
}

// summaryOf answers for the function that a call with a held argument calls;
// nil: its body is not seen.
func (e *engine) summaryOf(c *ssa.CallCommon, p *path) *summary {
	fn := c.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || fn.Pkg == nil || fn.Pkg.Pkg != e.pass.Pkg {
		return nil
	}
	for i, arg := range c.Args {
		if p.held[arg] && i < len(fn.Params) {
			return e.summary(param{fn, i})
		}
	}
	return nil
}

func (e *engine) summary(of param) *summary {
	if s := e.sums[of]; s != nil {
		return s
	}
	s := &summary{keeps: true} // within a cycle: taken for handed on
	e.sums[of] = s
	entry := of.fn.Blocks[0]
	ends := e.walk(of.fn, nil, newPath(entry, of.fn.Params[of.index]), 0)
	s.keeps = len(ends) == 0
	for _, end := range ends {
		switch end.outcome {
		case kept:
			s.keeps = true
		case returned:
			s.carries = true
		case flattened, replaced:
			s.flattens = true
		default:
			s.loses = true
		}
	}
	return s
}

// passes reports whether a parameter comes back in an error result.
func (e *engine) passes(fn *ssa.Function, index int) bool {
	if fn.Pkg == nil || fn.Pkg.Pkg != e.pass.Pkg {
		return true
	}
	key := param{fn, index}
	if is, ok := e.passed[key]; ok {
		return is
	}
	e.passed[key] = false
	t := e.tracer(func(v ssa.Value) *origin {
		if v == fn.Params[index] {
			return &origin{}
		}
		return nil
	})
	for _, r := range returns(fn) {
		for i, v := range r.Results {
			if isErrorResult(fn, i) && t.carries(v) != nil {
				e.passed[key] = true
			}
		}
	}
	return e.passed[key]
}

// nature is what a predicate looks at.
type nature int

const (
	unseen   nature = iota
	ofFaults        // it answers whether the error is a fault
	ofOthers        // it looks for other types alone
	ofText          // it looks at the text
)

// predicate answers a condition that asks a function about the held error.
func (e *engine) predicate(c *ssa.CallCommon, p *path, w *walk) answer {
	if !inert(c) {
		return both
	}
	switch e.natureOf(c, p) {
	case ofFaults:
		return w.kind(true, true)
	case ofOthers:
		return w.kind(false, true)
	case ofText:
		a := both
		a.text = true
		return a
	}
	return both
}

func (e *engine) natureOf(c *ssa.CallCommon, p *path) nature {
	fn := c.StaticCallee()
	if fn != nil && len(fn.Blocks) > 0 && fn.Pkg != nil && fn.Pkg.Pkg == e.pass.Pkg {
		for i, arg := range c.Args {
			if p.held[arg] && i < len(fn.Params) {
				return e.nature(fn, i)
			}
		}
		return unseen
	}
	decl := callee(c)
	if decl == nil {
		return unseen
	}
	if e.pass.ImportObjectFact(decl, &Tells{}) {
		return ofFaults
	}
	return ofOthers // os.IsNotExist: who does not know faults cannot mean them
}

// nature looks into a predicate of the package.
func (e *engine) nature(fn *ssa.Function, index int) nature {
	var faults, others, text bool
	p := newPath(fn.Blocks[0], fn.Params[index])
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			text = text || e.textual(p, c, 0) || c.Call.IsInvoke() && c.Call.Method.Name() == "Error"
			if fault, is := e.typeTest(&c.Call); is {
				faults, others = faults || fault, others || !fault
			}
		}
	}
	switch {
	case faults:
		return ofFaults
	case text:
		return ofText
	case others:
		return ofOthers
	}
	return unseen
}

// typeTest reports whether a call is errors.Is or errors.As, and of a fault.
func (e *engine) typeTest(c *ssa.CallCommon) (fault, is bool) {
	fn := callee(c)
	if !isErrorsTest(fn) || fn.Name() == "Unwrap" {
		return false, false
	}
	if fn.Name() == "AsType" {
		return e.faultyType(c.Signature().Results().At(0).Type()), true
	}
	if len(c.Args) < 2 {
		return false, false
	}
	target := c.Args[1]
	if fn.Name() == "Is" {
		fault, _ := e.standsFor(target)
		return fault, true
	}
	if m, ok := target.(*ssa.MakeInterface); ok {
		target = m.X
	}
	ptr, ok := target.Type().Underlying().(*types.Pointer)
	return ok && e.faultyType(ptr.Elem()), true
}

// exportTells makes facts of the package's predicates.
func (e *engine) exportTells() {
	for obj, fn := range e.byFunc {
		results := obj.Signature().Results()
		if results.Len() != 1 || !types.Identical(results.At(0).Type().Underlying(), types.Typ[types.Bool]) {
			continue
		}
		for i, p := range fn.Params {
			if isError(p.Type()) && e.nature(fn, i) == ofFaults {
				e.pass.ExportObjectFact(obj, &Tells{Param: i})
			}
		}
	}
}
