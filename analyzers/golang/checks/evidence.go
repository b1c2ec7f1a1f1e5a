package checks

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Guard is a check that stands in a function: a call of one that checks, or a
// comparison written out.
type Guard struct {
	Instr ssa.Instruction
	Pos   token.Pos
	Arg   ssa.Value // what is checked
	Call  *ssa.Call // nil: written out
	Bits  Bits
}

// Guards lists the checks of a function that could be one of ids: calls of
// functions that hold an argument against an upper bound, and comparisons one
// arm of which gives up.
func (f *Func) Guards() []Guard {
	var out []Guard
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch in := instr.(type) {
			case *ssa.Call:
				sum := f.pkg.summary(in.Common())
				for i, arg := range Args(in.Common()) {
					if bits := sum.bits(i); bits&Upper != 0 {
						out = append(out, Guard{in, in.Pos(), arg, in, bits})
					}
				}
				out = append(out, f.giving(in, sum)...)
				switch calleeName(in) {
				case "slices.IndexFunc", "slices.ContainsFunc":
					out = append(out, Guard{in, in.Pos(), in.Call.Args[0], in, Both})
				}
			case *ssa.If:
				out = append(out, f.written(in)...)
			}
		}
	}
	return out
}

// giving takes a call that gives back a list which it has checked.
func (f *Func) giving(in *ssa.Call, sum *Summary) []Guard {
	if sum == nil || len(sum.Gives) == 0 {
		return nil
	}
	if _, several := in.Type().(*types.Tuple); !several {
		return []Guard{{in, in.Pos(), in, in, sum.Gives[0]}}
	}
	var out []Guard
	for _, ref := range *in.Referrers() {
		if ex, ok := ref.(*ssa.Extract); ok && sum.Gives[ex.Index]&Upper != 0 {
			out = append(out, Guard{in, in.Pos(), ex, in, sum.Gives[ex.Index]})
		}
	}
	return out
}

func (s *Summary) bits(i int) Bits {
	if s == nil {
		return 0
	}
	return s.Nil[i] | s.True[i] | s.False[i] | s.Return[i]
}

// written takes a branch on a comparison that bounds a number.
func (f *Func) written(in *ssa.If) []Guard {
	c, ok := in.Cond.(*ssa.BinOp)
	if !ok || mirrored[c.Op] == 0 || !isInteger(c.X.Type()) {
		return nil
	}
	pos := c.Pos()
	if !pos.IsValid() {
		pos = in.Pos()
	}
	var out []Guard
	for _, v := range []ssa.Value{c.X, c.Y} {
		if _, isConst := v.(*ssa.Const); isConst {
			continue
		}
		if f.gives(in.Block().Succs[0]) || f.gives(in.Block().Succs[1]) {
			out = append(out, Guard{in, pos, v, nil, Upper})
		}
	}
	return out
}

// gives reports whether a block gives up: an error is returned, or nothing
// comes after it.
func (f *Func) gives(b *ssa.BasicBlock) bool {
	for range 4 { // an error is made over a few blocks at most
		for _, instr := range b.Instrs {
			if f.pkg.ends(instr) {
				return true
			}
		}
		switch last := b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.Panic:
			return true
		case *ssa.Return:
			if len(last.Results) == 0 {
				return false
			}
			v := last.Results[len(last.Results)-1]
			return isError(v.Type()) && !isNilConst(v) || isBool(v.Type())
		}
		if len(b.Succs) != 1 {
			return false
		}
		b = b.Succs[0]
	}
	return false
}

// Gives is what gives says, of the arms of a branch.
func (f *Func) Gives(in *ssa.If) bool {
	return f.gives(in.Block().Succs[0]) || f.gives(in.Block().Succs[1])
}

// Fail is the way that a comparison sends a number that is not below its bound.
type Fail struct {
	Value, Limit ssa.Value
	Arm          *ssa.BasicBlock
}

// Fails lists the ways of a branch that numbers beyond an upper bound take: one
// for each side of the comparison that may be the number.
func (f *Func) Fails(in *ssa.If) []Fail {
	c, ok := in.Cond.(*ssa.BinOp)
	if !ok || mirrored[c.Op] == 0 || !isInteger(c.X.Type()) {
		return nil
	}
	var out []Fail
	for _, side := range []struct {
		v, limit ssa.Value
		op       token.Token
	}{{c.X, c.Y, c.Op}, {c.Y, c.X, mirrored[c.Op]}} {
		if k, ok := side.limit.(*ssa.Const); ok && k.Int64() <= 0 {
			continue
		}
		if _, ok := side.v.(*ssa.Const); ok {
			continue
		}
		arm := in.Block().Succs[0]
		if side.op == token.LSS || side.op == token.LEQ {
			arm = in.Block().Succs[1]
		}
		out = append(out, Fail{side.v, side.limit, arm})
	}
	return out
}

// Related reports whether two values come from one place: the ids that were
// checked, and those that are decoded.
func (f *Func) Related(a, b ssa.Value) bool {
	if f.places.of(a) == f.places.of(b) {
		return true
	}
	for _, x := range f.Sources(a).Ends {
		for _, y := range f.Sources(b).Ends {
			if x.At == y.At {
				if _, isConst := x.Value.(*ssa.Const); !isConst {
					return true
				}
			}
		}
	}
	return false
}

// Reaches reports whether control can go from one instruction to another.
func Reaches(from, to ssa.Instruction) bool {
	if from.Block() == to.Block() && after(to, from) {
		return true
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock(nil), from.Block().Succs...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if b == to.Block() {
			return true
		}
		work = append(work, b.Succs...)
	}
	return false
}
