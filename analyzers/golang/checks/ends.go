package checks

import "golang.org/x/tools/go/ssa"

// ends reports whether nothing comes after an instruction: a call of what ends
// the process, the goroutine or the test, or of a function that always does.
func (p *Package) ends(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Common().Signature().Results().Len() > 0 {
		return false
	}
	fn := Callee(call.Common())
	if fn != nil {
		if fn.Pkg() != nil && p.table.Is("ends", fn.Pkg().Path()+"."+fn.Name()) || p.table.Is("ends-named", fn.Name()) {
			return true
		}
	}
	return p.neverReturns(call.Common().StaticCallee())
}

// neverReturns reports whether no way through a function leads to its return.
// One that runs on for ever, as a server does, ends nothing.
func (p *Package) neverReturns(fn *ssa.Function) bool {
	if fn == nil || fn.Blocks == nil {
		return false
	}
	if known, ok := p.endings[fn]; ok {
		return known
	}
	p.endings[fn] = false // a function that calls itself is none of them
	seen := make([]bool, len(fn.Blocks))
	returns, stops := false, false
	var visit func(*ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if seen[b.Index] || returns {
			return
		}
		seen[b.Index] = true
		for _, instr := range b.Instrs {
			switch instr.(type) {
			case *ssa.Return:
				returns = true
			case *ssa.Panic:
				stops = true
			}
			if p.ends(instr) {
				stops = true
				return
			}
		}
		for _, next := range b.Succs {
			visit(next)
		}
	}
	visit(fn.Blocks[0])
	p.endings[fn] = stops && !returns
	return p.endings[fn]
}
