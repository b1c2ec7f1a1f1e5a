package syntax

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
)

// dumper writes a tree as testdata/dump.py does.
type dumper struct {
	w      *bufio.Writer
	t      *Tree
	fplace bool // positions within f-strings; without them, fields of one line only
	aplace bool // positions of aliases
}

func (d *dumper) dump() { d.node(1, 0, true); d.w.Flush() }

func newDumper(w io.Writer, t *Tree, major, minor int) *dumper {
	v := major*100 + minor
	return &dumper{w: bufio.NewWriter(w), t: t, fplace: v >= 312, aplace: v >= 310}
}

func (d *dumper) node(n Node, depth int, placed bool) {
	t := d.t
	k := t.Kind(n)
	role := t.Role(n)
	fmt.Fprintf(d.w, "%d %s %s ", depth, k, role)
	if placed && k != Module && k != Comprehension && k != WithItem && k != MatchCase && (d.aplace || k != Alias) {
		a, b := t.Pos(n), t.EndPos(n)
		fmt.Fprintf(d.w, "%d:%d-%d:%d", a.Line, a.Column, b.Line, b.Column)
	}
	d.detail(n, k)
	d.w.WriteByte('\n')
	if k == JoinedStr && !d.fplace {
		placed = false
		if t.Pos(n).Line != t.EndPos(n).Line {
			return
		}
	}
	for c := range t.Children(n) {
		switch {
		case t.Kind(c) == Ident:
		case t.Role(c) == RoleKeywordPattern:
			p := t.First(c)
			t.nodes[p].role = RoleKeywordPattern
			d.node(p, depth+1, placed)
		default:
			d.node(c, depth+1, placed)
		}
	}
}

func ident(b []byte) string {
	if b == nil {
		return "-"
	}
	if !isASCII(b) {
		return "?"
	}
	return string(b)
}

func (d *dumper) detail(n Node, k Kind) {
	t, w := d.t, d.w
	ctx := [...]string{"", " store", " del"}[t.Context(n)]
	switch k {
	case FunctionDef, AsyncFunctionDef, ClassDef, ExceptHandler, TypeVar, ParamSpec, TypeVarTuple,
		MatchAs, MatchStar, MatchMapping:
		fmt.Fprintf(w, " %s", ident(t.Name(n)))
	case Name, Attribute:
		fmt.Fprintf(w, " %s%s", ident(t.Name(n)), ctx)
	case Subscript, Starred, List, Tuple:
		w.WriteString(ctx)
	case Constant:
		fmt.Fprintf(w, " %s", d.constant(n))
	case BinOp, BoolOp, UnaryOp, AugAssign, MatchSingleton:
		fmt.Fprintf(w, " %s", t.Op(n))
	case Compare:
		for c := range t.ChildrenOf(n, RoleRight) {
			fmt.Fprintf(w, " %s", t.CompareOp(c))
		}
	case Keyword:
		if t.Op(n) == Unpack {
			w.WriteString(" **")
		} else {
			fmt.Fprintf(w, " %s", ident(t.Name(n)))
		}
	case Param:
		fmt.Fprintf(w, " %s %s", ident(t.Name(n)), t.Op(n))
	case Alias:
		fmt.Fprintf(w, " %s %s", ident(t.Name(n)), ident(t.AsName(n)))
	case ImportFrom:
		fmt.Fprintf(w, " %d %s", t.Level(n), ident(t.Name(t.Child(n, RoleModule))))
	case Global, Nonlocal:
		for c := range t.Children(n) {
			fmt.Fprintf(w, " %s", ident(t.Name(c)))
		}
	case MatchClass:
		for c := range t.ChildrenOf(n, RoleKeywordPattern) {
			fmt.Fprintf(w, " %s", ident(t.Name(c)))
		}
	case AnnAssign:
		target := t.Child(n, RoleTarget)
		simple := 0
		if t.Kind(target) == Name && !t.InParens(target) {
			simple = 1
		}
		fmt.Fprintf(w, " %d", simple)
	case FormattedValue, Interpolation:
		fmt.Fprintf(w, " %d", t.Conversion(n))
	case Comprehension:
		async := 0
		if t.IsAsync(n) {
			async = 1
		}
		fmt.Fprintf(w, " %d", async)
	}
}

func (d *dumper) constant(n Node) string {
	op := d.t.Op(n)
	if op != Str && op != Bytes {
		return op.String()
	}
	v, ok := d.t.StringValue(n)
	if !ok {
		return op.String() + " *"
	}
	return fmt.Sprintf("%s %d", op, crc32.ChecksumIEEE(v))
}

// sameLine compares two lines of a dump. In ours a * stands for any value: a
// string that holds characters by name; a ? for any name: one that CPython may
// have normalised.
func sameLine(ours, theirs []byte) bool {
	if bytes.Equal(ours, theirs) {
		return true
	}
	a, b := bytes.Split(ours, []byte(" ")), bytes.Split(theirs, []byte(" "))
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if w := string(a[i]); w != "*" && w != "?" && w != string(b[i]) {
			return false
		}
	}
	return true
}
