package sites

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"hash"
	"reflect"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Shape hashes a call or a statement in a form that formatting does not touch:
// kinds of nodes, names, operators and the values of literals. Parentheses,
// comments, positions and the way in which a literal is written do not count;
// of a callee the last two parts do.
func Shape(node ast.Node) site.Shape {
	h := sha256.New()
	s := shaper{h}
	if call, ok := node.(*ast.CallExpr); ok {
		s.put("call", Callee(call))
		for _, arg := range call.Args {
			s.node(arg)
		}
		s.put("end", fmt.Sprint(call.Ellipsis.IsValid()))
	} else {
		s.node(node)
	}
	return site.Shape(hex.EncodeToString(h.Sum(nil)[:4]))
}

type shaper struct{ h hash.Hash }

func (s shaper) put(words ...string) {
	for _, w := range words {
		s.h.Write([]byte(w))
		s.h.Write([]byte{0})
	}
}

func (s shaper) node(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			s.put("end")
			return true
		case *ast.ParenExpr:
			s.node(n.X)
			return false
		case *ast.CommentGroup, *ast.Comment:
			return false
		case *ast.Ident:
			s.put("name", n.Name)
		case *ast.BasicLit:
			s.put("literal", literal(n))
		case *ast.BinaryExpr:
			s.put("binary", n.Op.String())
		case *ast.UnaryExpr:
			s.put("unary", n.Op.String())
		case *ast.AssignStmt:
			s.put("assign", n.Tok.String(), fmt.Sprint(len(n.Lhs)))
		case *ast.IncDecStmt:
			s.put("incdec", n.Tok.String())
		case *ast.BranchStmt:
			s.put("branch", n.Tok.String())
		case *ast.RangeStmt:
			s.put("range", n.Tok.String())
		case *ast.GenDecl:
			s.put("decl", n.Tok.String())
		case *ast.ChanType:
			s.put("chan", fmt.Sprint(n.Dir))
		case *ast.SliceExpr:
			s.put("slice", fmt.Sprint(n.Low != nil, n.High != nil, n.Max != nil))
		case *ast.CallExpr:
			s.put("call", fmt.Sprint(n.Ellipsis.IsValid()))
		case *ast.ForStmt:
			s.put("for", fmt.Sprint(n.Init != nil, n.Cond != nil, n.Post != nil))
		case *ast.IfStmt:
			s.put("if", fmt.Sprint(n.Init != nil, n.Else != nil))
		default:
			s.put(reflect.TypeOf(n).Elem().Name())
		}
		return true
	})
}

// literal writes a literal by its value, as far as the language gives it one.
func literal(l *ast.BasicLit) string {
	v := constant.MakeFromLiteral(l.Value, l.Kind, 0)
	if v.Kind() == constant.Unknown {
		return l.Value
	}
	kind := l.Kind
	if kind == token.CHAR {
		kind = token.INT
	}
	return kind.String() + " " + v.ExactString()
}
