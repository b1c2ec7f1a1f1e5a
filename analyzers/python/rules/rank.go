package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// branch is which ranks take the true branch of a test.
type branch int8

const (
	anyRank   branch = iota // the test says nothing of ranks
	mainRank                // rank 0 alone, or some of its passes
	otherRank               // all but rank 0
)

func (b branch) flip() branch {
	switch b {
	case mainRank:
		return otherRank
	case otherRank:
		return mainRank
	}
	return anyRank
}

// rankTest reads a test: rank == 0, accelerator.is_main_process, a name that is
// assigned such a test.
func (f *File) rankTest(test syntax.Node) branch { return f.rankOf(test, 2) }

func (f *File) rankOf(test syntax.Node, hops int) branch {
	switch f.Kind(test) {
	case syntax.UnaryOp:
		if f.Op(test) == syntax.Not {
			return f.rankOf(f.First(test), hops).flip()
		}
	case syntax.BoolOp:
		for o := range f.Children(test) {
			if b := f.rankOf(o, hops); b != anyRank {
				return b
			}
		}
	case syntax.Compare:
		return f.rankCompare(test)
	case syntax.Call, syntax.Name, syntax.Attribute:
		if inList("main-name", strings.TrimLeft(f.Last(test), "_")) {
			return mainRank
		}
		if list, _ := f.Values(test); hops > 0 && len(list) == 1 {
			return f.rankOf(list[0], hops-1)
		}
	}
	return anyRank
}

func (f *File) rankCompare(test syntax.Node) branch {
	left := f.First(test)
	right := f.Next(left)
	if right == 0 || f.Next(right) != 0 {
		return anyRank
	}
	op := f.CompareOp(right)
	if f.Src(left) == "0" && (op == syntax.Eq || op == syntax.NotEq) {
		left, right = right, left
	}
	if !f.isRank(left) {
		return anyRank
	}
	switch value := f.Src(right); {
	case op == syntax.Eq && value == "0", op == syntax.LtE && value == "0", op == syntax.Lt && value == "1",
		op == syntax.In && strings.Contains(value, "0"):
		return mainRank
	case op == syntax.NotEq && value == "0", op == syntax.Gt && value == "0", op == syntax.GtE && value == "1",
		op == syntax.NotIn && strings.Contains(value, "0"):
		return otherRank
	}
	return anyRank
}

// isRank reports whether an expression is the rank of the process among all, or
// all of its machine: get_rank(group) is not.
func (f *File) isRank(n syntax.Node) bool {
	switch f.Kind(n) {
	case syntax.BinOp: // rank % ranks_per_node, what a launcher numbers by; rank % 2 is whose turn it is
		return f.Op(n) == syntax.Mod && f.isRank(f.First(n)) && f.Src(f.Next(f.First(n))) != "2"
	case syntax.Call:
		if first := f.Arg(n, 0); first != 0 { // int(os.environ["RANK"]), get_rank(group)
			name := f.Last(n)
			return (name == "int" || name == "getattr") && f.saysRank(first, f.Arg(n, 1))
		}
	case syntax.Subscript:
		return f.saysRank(n)
	}
	return inList("rank-name", strings.TrimLeft(f.Last(n), "_"))
}

func (f *File) saysRank(list ...syntax.Node) bool {
	for _, n := range list {
		if n == 0 {
			continue
		}
		for c := range f.Preorder(n) {
			if text, ok := f.Str(c); ok && inList("rank-name", text) {
				return true
			}
		}
		if k := f.Kind(n); (k == syntax.Name || k == syntax.Attribute || k == syntax.Call) && f.isRank(n) {
			return true
		}
	}
	return false
}

// ranked is where a node is kept from some ranks.
type ranked struct {
	branch branch      // who comes to the node
	test   syntax.Node // the test that decides
	stands syntax.Node // the If, or the statement that leaves before
}

// ranks finds the innermost test of the rank that decides, within the function,
// whether a node is reached.
func (f *File) ranks(n syntax.Node) ranked {
	for p := f.Parent(n); p != 0; n, p = p, f.Parent(p) {
		if k := f.Kind(p); k.IsFunction() || k == syntax.ClassDef || k == syntax.Module {
			return f.leaver(n)
		}
		if r := f.leaver(n); r.branch != anyRank {
			return r
		}
		if k := f.Kind(p); k != syntax.If && k != syntax.IfExp {
			continue
		}
		test := f.Child(p, syntax.RoleTest)
		b := f.rankTest(test)
		switch {
		case b == anyRank:
		case f.Role(n) == syntax.RoleBody:
			return ranked{b, test, p}
		case f.Role(n) == syntax.RoleOrElse && f.Kind(test) != syntax.BoolOp:
			return ranked{b.flip(), test, p}
		}
	}
	return ranked{}
}

// leaver is an earlier statement of the same block that some ranks leave by:
// if rank != 0: return.
func (f *File) leaver(n syntax.Node) ranked {
	if !f.Kind(n).IsStatement() {
		return ranked{}
	}
	for s := f.First(f.Parent(n)); s != 0 && s != n; s = f.Next(s) {
		if f.Kind(s) != syntax.If || f.Role(s) != f.Role(n) || f.Child(s, syntax.RoleOrElse) != 0 {
			continue
		}
		last := syntax.Node(0)
		for c := range f.ChildrenOf(s, syntax.RoleBody) {
			last = c
		}
		switch f.Kind(last) {
		case syntax.Return, syntax.Continue, syntax.Break, syntax.Raise:
			test := f.Child(s, syntax.RoleTest)
			if b := f.rankTest(test); b != anyRank && f.Kind(test) != syntax.BoolOp {
				return ranked{b.flip(), test, s}
			}
		}
	}
	return ranked{}
}

// onlyMain reports whether a function's decorators let rank 0 in alone.
func (f *File) onlyMain(def syntax.Node) bool {
	for d := range f.ChildrenOf(def, syntax.RoleDecorate) {
		if inList("main-decorator", f.Last(d)) {
			return true
		}
	}
	return false
}
