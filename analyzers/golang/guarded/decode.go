package guarded

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/golang/checks"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/site"
)

// judge computes the state of a decode, or says whose finding it is.
func (w *work) judge(s *sites.Site) (State, *types.Func) {
	open := State{State: site.Unguarded, Origin: "unknown"}
	if s.Escapes {
		open.Why = "passed on as a value: who calls it with which ids is not followed"
		return open, nil
	}
	in, ids := w.instruction(s)
	if in == nil {
		open.Why = "it stands in code that nothing reaches, or in a declaration"
		return open, nil
	}
	if ids == nil {
		open.Why = "its ids are no argument of their own"
		return open, nil
	}
	f := w.checks.Analyze(in.Parent())
	src := f.Sources(ids)
	open.Origin = w.origin(src, 0)
	bits := f.CheckedPath(ids, w.paths[s], in)
	if checks.Enough(bits, w.idType(s, ids)) {
		if quiet := w.silent(f, in, ids); quiet != nil && open.Origin != "data" && open.Origin != "constant" {
			return w.quiet(s, src, open, quiet)
		}
		return w.guarded(s, f, in, ids, src, open)
	}
	switch open.Origin {
	case "data":
		open.State, open.Why = site.Guarded, "its ids come from encoding text in this function: they never left the host"
		return open, nil
	case "constant":
		open.State, open.Why = site.Guarded, "its ids are constants or counted by a loop: none comes from a device"
		return open, nil
	}
	if open.Missed = w.missed(s, f, in, ids); open.Missed != nil {
		open.Why = open.Missed.Why
		open.Guard = &site.Related{At: w.unit.Position(open.Missed.Pos), Message: open.Missed.Here}
		return open, nil
	}
	open.Why = w.why(s, f, in, ids, bits)
	return w.passedOn(s, src, open)
}

// instruction finds a decode in the SSA form, and its ids.
func (w *work) instruction(s *sites.Site) (in ssa.Instruction, ids ssa.Value) {
	switch n := s.Call.(type) {
	case *ast.CallExpr:
		if call := w.prog.Call(n); call != nil {
			return call, w.argument(s, call.Common())
		}
	case *ast.IndexExpr:
		if read := w.prog.Lookup(n); read != nil {
			return read, read.Index
		}
	}
	return nil, nil
}

// argument returns the ids of a call.
func (w *work) argument(s *sites.Site, call *ssa.CallCommon) ssa.Value {
	args, i := checks.Args(call), s.IDs
	if call.Signature().Recv() != nil || call.IsInvoke() {
		i++
	}
	if i < 0 || i >= len(args) {
		return nil
	}
	return args[i]
}

// idType is the type of what must be checked.
func (w *work) idType(s *sites.Site, ids ssa.Value) types.Type {
	if w.paths[s] == "" {
		return ids.Type()
	}
	return types.Typ[types.Int] // a field: signed, to be safe
}

// guarded is the state of a decode whose ids were checked. What was checked
// after it had been narrowed is not.
func (w *work) guarded(s *sites.Site, f *checks.Func, in ssa.Instruction, ids ssa.Value, src checks.Sources, st State) (State, *types.Func) {
	g, found := w.evidence(f, in, ids)
	for _, c := range src.Narrows {
		if w.launders(f, c) {
			st.Missed = &Missed{
				Code: "TV112", Pos: c.Pos(), Here: "narrowed here",
				Why: "its ids are narrowed from " + name(c.X.Type()) + " to " + name(c.Type()) + " before anything checks them, and what a fault left can be a word of the vocabulary afterwards",
			}
			st.Why, st.Guard = st.Missed.Why, &site.Related{At: w.unit.Position(c.Pos()), Message: "narrowed here"}
			return st, nil
		}
	}
	st.State = site.Guarded
	st.Why = "its ids are checked on every path"
	if found {
		st.Why = "checked by " + g.text
		st.Guard = &site.Related{At: w.unit.Position(g.pos), Message: g.text}
		st.Handlers = w.handlers(g)
	}
	return st, nil
}

func name(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// launders reports whether a narrowing can hide a fault: the wide number is not
// checked before, and is none of the host's own.
func (w *work) launders(f *checks.Func, c *ssa.Convert) bool {
	if checks.Enough(f.Checked(c.X, c), c.X.Type()) {
		return false
	}
	switch w.origin(f.Sources(c.X), 0) {
	case "data", "constant":
		return false
	}
	return true
}

// why says what is missing.
func (w *work) why(s *sites.Site, f *checks.Func, in ssa.Instruction, ids ssa.Value, bits checks.Bits) string {
	text := ""
	_, partly := w.evidence(f, in, ids)
	switch {
	case partly && bits&checks.Upper != 0:
		text = "the check before it lets negative ids through"
	case partly && bits&checks.Lower != 0:
		text = "the check before it lets ids beyond the vocabulary through"
	default:
		text = "nothing holds its ids against the vocabulary"
	}
	switch {
	case s.Entry != nil:
		text += "; " + impossible[s.Entry.Impossible]
	case s.By == "lookup":
		text += "; " + impossible["empty"]
	}
	return text
}

// impossible says what becomes of an id that no token has.
var impossible = map[string]string{
	"drops":    "an impossible id is dropped and the text scores as a bad model",
	"replaces": "an impossible id becomes an ordinary token and the text scores as a bad model",
	"empty":    "an impossible id leaves an empty text, which scores as a bad model",
	"false":    "an impossible id is told from a missing token by nothing",
	"error":    "an impossible id is an error of the tokenizer, not known for a fault",
	"panics":   "an impossible id panics, not known for a fault",
	"":         "what becomes of an impossible id is not known",
}

// found is a guard that stands before a decode.
type found struct {
	pos  token.Pos
	text string
	call *ssa.Call
	at   *ssa.BasicBlock
}

// evidence finds the guard that checks a site: the last one of its ids that
// must be passed on the way.
func (w *work) evidence(f *checks.Func, in ssa.Instruction, ids ssa.Value) (found, bool) {
	var best found
	ok := false
	for _, g := range f.Guards() {
		if !f.Related(g.Arg, ids) || !checks.Reaches(g.Instr, in) || g.Instr == in {
			continue
		}
		if ok && best.call != nil && g.Call == nil {
			continue // a function says more than a comparison
		}
		best, ok = found{pos: g.Pos, text: w.guardText(g), call: g.Call, at: g.Instr.Block()}, true
	}
	return best, ok
}

func (w *work) guardText(g checks.Guard) string {
	if g.Call == nil {
		return "a comparison"
	}
	if fn := checks.Callee(g.Call.Common()); fn != nil {
		if fn.Pkg() != nil && fn.Pkg() != w.pass.Pkg {
			return fn.Pkg().Name() + "." + sites.Qualified(fn)
		}
		return sites.Qualified(fn)
	}
	return "a function of its own"
}
