package sites

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Callee is how a call names what it calls: the last part of the receiver and
// the name, without self: scaler.step for self.scaler.step(opt).
func Callee(tree *syntax.Tree, n syntax.Node) string {
	if tree.Kind(n) == syntax.Call {
		n = tree.Child(n, syntax.RoleFunc)
	}
	return string(callee(tree, n, 2))
}

func callee(tree *syntax.Tree, n syntax.Node, parts int) []byte {
	switch tree.Kind(n) {
	case syntax.Name:
		return bytes.Clone(tree.Name(n))
	case syntax.Attribute:
		object := tree.First(n)
		if parts == 1 || tree.Kind(object) == syntax.Name && string(tree.Name(object)) == "self" {
			return bytes.Clone(tree.Name(n))
		}
		return append(append(callee(tree, object, parts-1), '.'), tree.Name(n)...)
	case syntax.Call:
		return append(callee(tree, tree.First(n), parts), "()"...)
	case syntax.Subscript:
		return append(bytes.TrimSuffix(callee(tree, tree.First(n), parts), []byte("[]")), "[]"...)
	case syntax.Await, syntax.Starred:
		return callee(tree, tree.First(n), parts)
	}
	return []byte("?")
}

// Shaper hashes calls. Its memory is used again.
type Shaper struct{ buf []byte }

// Shape hashes a call in a form that formatting does not touch: kinds of
// nodes, names, operators, the values of literals, keyword arguments by name.
// Comments, parentheses, trailing commas, continuations and the way in which a
// literal is written do not count; of the callee its last two parts do.
func (s *Shaper) Shape(tree *syntax.Tree, n syntax.Node) site.Shape {
	s.buf = append(s.buf[:0], "python\x00"...)
	if tree.Kind(n) == syntax.Call {
		s.buf = append(append(s.buf, callee(tree, tree.Child(n, syntax.RoleFunc), 2)...), 0)
		s.arguments(tree, n)
	} else {
		s.node(tree, n)
	}
	sum := sha256.Sum256(s.buf)
	return site.Shape(hex.EncodeToString(sum[:4]))
}

func (s *Shaper) node(tree *syntax.Tree, n syntax.Node) {
	s.buf = append(s.buf, byte(tree.Kind(n))+1, byte(tree.Role(n))+1, byte(tree.Op(n))+1, byte(tree.CompareOp(n))+1)
	switch tree.Kind(n) {
	case syntax.Constant:
		s.constant(tree, n)
	case syntax.JoinedStr, syntax.TemplateStr:
		s.buf = append(s.buf, bytes.ReplaceAll(bytes.ToLower(tree.Source(n)), []byte("'"), []byte(`"`))...)
	case syntax.Call:
		s.node(tree, tree.Child(n, syntax.RoleFunc))
		s.arguments(tree, n)
	default:
		s.buf = append(s.buf, tree.Name(n)...)
		for c := range tree.Children(n) {
			s.node(tree, c)
		}
	}
	s.buf = append(s.buf, 0)
}

// arguments writes the positional ones in their order and keywords by name.
func (s *Shaper) arguments(tree *syntax.Tree, call syntax.Node) {
	var keywords []syntax.Node
	for c := range tree.Children(call) {
		switch tree.Role(c) {
		case syntax.RoleArg:
			s.node(tree, c)
		case syntax.RoleKeyword:
			keywords = append(keywords, c)
		}
	}
	slices.SortStableFunc(keywords, func(a, b syntax.Node) int { return bytes.Compare(tree.Name(a), tree.Name(b)) })
	for _, k := range keywords {
		s.node(tree, k)
	}
}

// constant writes a literal by its value, as far as that is cheap to know.
func (s *Shaper) constant(tree *syntax.Tree, n syntax.Node) {
	if v, ok := tree.StringValue(n); ok {
		s.buf = append(s.buf, v...)
		return
	}
	for _, c := range tree.Source(n) {
		if c != '_' {
			s.buf = append(s.buf, fold(c))
		}
	}
}
