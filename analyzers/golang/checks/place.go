package checks

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// Place is where a value lies, the same pointer for the same place: two loads
// of one variable are two values and one place.
type Place struct {
	base   ssa.Value // of a root
	parent *Place
	step   string    // of a part: ".2" field, "[]" element, "[:]" part of a list, "narrow"
	index  ssa.Value // of an element; of a narrowing, the conversion
	every  *Place    // of an element, or a part of one: the same part of every element
}

// places makes them.
type places struct {
	known map[Place]*Place
	used  map[ssa.Value]bool  // values that places are named after
	busy  map[*ssa.Alloc]bool // what they hold is being asked
}

func newPlaces() *places {
	return &places{known: map[Place]*Place{}, used: map[ssa.Value]bool{}, busy: map[*ssa.Alloc]bool{}}
}

func (ps *places) intern(p Place) *Place {
	if q := ps.known[p]; q != nil {
		return q
	}
	q := &p
	ps.known[p] = q
	for _, v := range []ssa.Value{p.base, p.index} {
		if v != nil {
			ps.used[v] = true
		}
	}
	return q
}

func (ps *places) root(v ssa.Value) *Place { return ps.intern(Place{base: v}) }

func (ps *places) part(of *Place, step string, index ssa.Value) *Place {
	var every *Place
	switch {
	case step == "[]":
		every = ps.everyOf(of)
		if c, ok := index.(*ssa.Const); ok && c.Value != nil {
			step, index = "["+c.Value.ExactString()+"]", nil
		}
	case of.every != nil:
		every = ps.part(of.every, step, index)
	}
	return ps.intern(Place{parent: of, step: step, index: index, every: every})
}

// everyOf is the place of every element of a list at once.
func (ps *places) everyOf(list *Place) *Place {
	return ps.intern(Place{parent: list, step: "[*]"})
}

// of returns the place of a value, through conversions that keep it.
func (ps *places) of(v ssa.Value) *Place {
	switch v := v.(type) {
	case *ssa.Convert:
		if Narrows(v) {
			return ps.part(ps.of(v.X), "narrow", v)
		}
		if isInteger(v.Type()) && isInteger(v.X.Type()) {
			return ps.of(v.X)
		}
	case *ssa.MultiConvert:
		if widens(v) {
			return ps.of(v.X)
		}
	case *ssa.ChangeType:
		return ps.of(v.X)
	case *ssa.MakeInterface:
		return ps.of(v.X)
	case *ssa.ChangeInterface:
		return ps.of(v.X)
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return ps.of(v.X)
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return ps.at(v.X)
		}
	case *ssa.Field:
		return ps.part(ps.of(v.X), "."+strconv.Itoa(v.Field), nil)
	case *ssa.Index:
		return ps.part(ps.of(v.X), "[]", v.Index)
	case *ssa.Lookup:
		if !v.CommaOk {
			return ps.part(ps.of(v.X), "[]", v.Index)
		}
	case *ssa.Extract:
		return ps.part(ps.root(v.Tuple), "#"+strconv.Itoa(v.Index), nil)
	case *ssa.Slice:
		if v.Low == nil && v.High == nil {
			return ps.list(v.X)
		}
		return ps.part(ps.list(v.X), "[:]", v)
	}
	return ps.root(v)
}

// list is the place of what is sliced: an array is sliced by its address.
func (ps *places) list(v ssa.Value) *Place {
	if _, ok := v.Type().Underlying().(*types.Pointer); ok {
		return ps.at(v)
	}
	return ps.of(v)
}

// at returns the place that an address points to.
func (ps *places) at(addr ssa.Value) *Place {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return ps.part(ps.at(a.X), "."+strconv.Itoa(a.Field), nil)
	case *ssa.IndexAddr:
		return ps.part(ps.list(a.X), "[]", a.Index)
	case *ssa.ChangeType:
		return ps.at(a.X)
	case *ssa.Alloc:
		v := holding(a)
		if v == nil || ps.busy[a] {
			return ps.root(a)
		}
		ps.busy[a] = true
		defer delete(ps.busy, a)
		return ps.of(v)
	case *ssa.FreeVar, *ssa.Global:
		return ps.root(a)
	}
	return ps.of(addr) // what a pointer points to has no name but the pointer's
}

// holding returns what a variable holds for good: a parameter that is a variable
// only because a closure reads it, or a struct of which only fields are read, as
// the one that a loop over structs has.
func holding(a *ssa.Alloc) ssa.Value {
	var held ssa.Value
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != a || held != nil {
				return nil
			}
			held = ref.Val
		case *ssa.MakeClosure:
			fn, ok := ref.Fn.(*ssa.Function)
			if !ok {
				return nil
			}
			for i, b := range ref.Bindings {
				if b == a && writes(fn.FreeVars[i]) {
					return nil
				}
			}
		case *ssa.FieldAddr:
			if !onlyRead(ref) {
				return nil
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return nil
		}
	}
	if _, ok := held.(*ssa.Parameter); ok {
		return held
	}
	if held != nil {
		if _, ok := held.Type().Underlying().(*types.Struct); ok {
			return held
		}
	}
	return nil
}

// onlyRead reports whether a field is never written or handed out by address.
func onlyRead(field *ssa.FieldAddr) bool {
	for _, ref := range *field.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			if !onlyRead(ref) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// mentions reports whether a place is named after a value.
func (p *Place) mentions(v ssa.Value) bool {
	for ; p != nil; p = p.parent {
		if p.base == v || p.index == v {
			return true
		}
	}
	return false
}

// within reports whether p is q or a part of it.
func (p *Place) within(q *Place) bool {
	for ; p != nil; p = p.parent {
		if p == q {
			return true
		}
	}
	return false
}

// Root returns the value that a place is a part of.
func (p *Place) Root() ssa.Value {
	for p.parent != nil {
		p = p.parent
	}
	return p.base
}

// Narrows reports whether a conversion can make another number of an integer:
// the type is narrower. A change of sign at one width is seen by any check.
func Narrows(c *ssa.Convert) bool {
	from, ok := integer(c.X.Type())
	to, ok2 := integer(c.Type())
	if !ok || !ok2 {
		return false
	}
	if k, isConst := c.X.(*ssa.Const); isConst && k.Value != nil && k.Value.Kind() == constant.Int {
		return false
	}
	return width(to) < width(from)
}

// widens reports whether the conversion of a type parameter keeps the number
// whichever integer type it stands for.
func widens(c *ssa.MultiConvert) bool {
	from, ok := widths(c.X.Type())
	to, ok2 := widths(c.Type())
	return ok && ok2 && slices.Max(from) <= slices.Min(to)
}

// widths lists the widths of the integer types that a type can be; false: it
// can be something else.
func widths(t types.Type) ([]int, bool) {
	if b, ok := integer(t); ok {
		return []int{width(b)}, true
	}
	union, ok := t.Underlying().(*types.Interface)
	if !ok {
		return nil, false
	}
	var out []int
	for e := range union.EmbeddedTypes() {
		for _, term := range terms(e) {
			more, ok := widths(term)
			if !ok {
				return nil, false
			}
			out = append(out, more...)
		}
	}
	return out, len(out) > 0
}

func terms(t types.Type) []types.Type {
	union, ok := t.(*types.Union)
	if !ok {
		return []types.Type{t}
	}
	var out []types.Type
	for term := range union.Terms() {
		out = append(out, term.Type())
	}
	return out
}

func integer(t types.Type) (*types.Basic, bool) {
	b, ok := t.Underlying().(*types.Basic)
	return b, ok && b.Info()&types.IsInteger != 0
}

func isInteger(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return p != nil // a list of ids of any type is indexed by its elements only
	}
	_, ok := integer(t)
	return ok
}

func unsigned(t types.Type) bool {
	b, ok := integer(t)
	return ok && b.Info()&types.IsUnsigned != 0
}

// width of an integer type in bits; int and uint are those of the machines
// that train.
func width(b *types.Basic) int {
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}
