package child

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// reader reads what is known of an expression in one declared function.
type reader struct {
	info  *types.Info
	inits map[types.Object][]ast.Expr // what local variables are set to, in order
}

func newReader(info *types.Info, body ast.Node) *reader {
	r := &reader{info: info, inits: map[types.Object][]ast.Expr{}}
	note := func(id *ast.Ident, value ast.Expr) {
		if obj := info.ObjectOf(id); obj != nil {
			r.inits[obj] = append(r.inits[obj], value)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				id, ok := lhs.(*ast.Ident)
				if !ok {
					continue
				}
				if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
					note(id, n.Rhs[i])
				} else {
					note(id, nil)
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if i < len(n.Values) && len(n.Values) == len(n.Names) {
					note(id, n.Values[i])
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok {
					note(id, nil)
				}
			}
		}
		return true
	})
	return r
}

// word is the text of an expression; what is not known of it is a hole.
func (r *reader) word(e ast.Expr, depth int) string {
	if tv, ok := r.info.Types[e]; ok && tv.Value != nil && tv.Value.Kind() == constant.String {
		return constant.StringVal(tv.Value)
	}
	if depth > 4 {
		return hole
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.word(e.X, depth)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return r.word(e.X, depth+1) + r.word(e.Y, depth+1)
		}
	case *ast.Ident:
		if list := r.inits[r.info.ObjectOf(e)]; len(list) == 1 && list[0] != nil {
			return r.word(list[0], depth+1)
		}
	case *ast.CallExpr:
		return r.callWord(e, depth)
	}
	return hole
}

func (r *reader) callWord(call *ast.CallExpr, depth int) string {
	fn, ok := typeutil.Callee(r.info, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return hole
	}
	switch fn.Pkg().Path() + "." + fn.Name() {
	case "path/filepath.Join", "path.Join":
		var parts []string
		for _, arg := range call.Args {
			parts = append(parts, r.word(arg, depth+1))
		}
		if call.Ellipsis.IsValid() {
			return hole
		}
		return strings.Join(parts, "/")
	case "fmt.Sprintf":
		return r.format(call, depth)
	}
	return hole
}

// format fills the verbs of a format with what is known of the arguments.
func (r *reader) format(call *ast.CallExpr, depth int) string {
	format := r.word(call.Args[0], depth+1)
	var b strings.Builder
	arg := 1
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		switch {
		case format[i] == '%':
			b.WriteByte('%')
		case (format[i] == 's' || format[i] == 'v') && arg < len(call.Args):
			b.WriteString(r.word(call.Args[arg], depth+1))
			arg++
		default:
			b.WriteString(hole)
			arg++
		}
	}
	return b.String()
}

// words are the texts of a list of arguments; a list that is spread is read
// from what its variable is set to.
func (r *reader) words(args []ast.Expr, spread bool) []string {
	var out []string
	for i, arg := range args {
		if spread && i == len(args)-1 {
			out = append(out, r.list(arg, 0)...)
			continue
		}
		out = append(out, r.word(arg, 0))
	}
	return out
}

func (r *reader) list(e ast.Expr, depth int) []string {
	if depth > 8 {
		return nil
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return r.words(e.Elts, false)
	case *ast.Ident:
		var out []string
		for _, value := range r.inits[r.info.ObjectOf(e)] {
			if value != nil {
				out = append(out, r.grown(e, value, depth)...)
			}
		}
		return out
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && id.Name == "append" && len(e.Args) > 0 {
			first := r.list(e.Args[0], depth+1)
			return append(first, r.words(e.Args[1:], e.Ellipsis.IsValid())...)
		}
	}
	return nil
}

// grown reads args = append(args, "x") as what it adds.
func (r *reader) grown(id *ast.Ident, value ast.Expr, depth int) []string {
	call, ok := value.(*ast.CallExpr)
	if ok && len(call.Args) > 0 {
		first, same := call.Args[0].(*ast.Ident)
		if same && r.info.ObjectOf(first) == r.info.ObjectOf(id) {
			return r.words(call.Args[1:], call.Ellipsis.IsValid())
		}
	}
	return r.list(value, depth+1)
}
