package unit

import (
	"go/ast"
	"go/token"
)

// span is a stretch of lines, both ends included.
type span struct{ from, to int }

func (s span) holds(line int) bool { return s.from <= line && line <= s.to }

// lines says which lines of a file belong to which statement. A statement that
// has a body stands for its header alone: an exemption of an if must not
// exempt whatever is written into its branches later.
type lines struct {
	statements []span
	code       map[int]bool // lines on which some node begins or ends
}

func (p *Package) line(pos token.Pos) int { return p.position(pos).Line }

func (p *Package) readLines(f *ast.File) *lines {
	in := &lines{code: map[int]bool{}}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		case *ast.File:
			return true
		}
		from, to := p.line(n.Pos()), p.line(n.End()-1)
		in.code[from], in.code[to] = true, true
		if end, ok := header(n); ok {
			in.statements = append(in.statements, span{from, p.line(end)})
		}
		return true
	})
	return in
}

// header finds where the part of a statement or declaration ends that an
// exemption covers.
func header(n ast.Node) (end token.Pos, ok bool) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return 0, false
	case *ast.IfStmt:
		return n.Body.Lbrace, true
	case *ast.ForStmt:
		return n.Body.Lbrace, true
	case *ast.RangeStmt:
		return n.Body.Lbrace, true
	case *ast.SwitchStmt:
		return n.Body.Lbrace, true
	case *ast.TypeSwitchStmt:
		return n.Body.Lbrace, true
	case *ast.SelectStmt:
		return n.Body.Lbrace, true
	case *ast.CaseClause:
		return n.Colon, true
	case *ast.CommClause:
		return n.Colon, true
	case *ast.LabeledStmt:
		return n.Colon, true
	case *ast.FuncDecl:
		return n.Type.End() - 1, true
	case *ast.GenDecl:
		if n.Lparen.IsValid() {
			return n.Lparen, true
		}
	case ast.Stmt, ast.Decl, ast.Spec, *ast.Field:
	default:
		return 0, false
	}
	return firstBody(n), true
}

// firstBody is the opening brace of the first function literal within a simple
// statement, else the statement's end.
func firstBody(n ast.Node) token.Pos {
	end := n.End() - 1
	ast.Inspect(n, func(inner ast.Node) bool {
		if lit, ok := inner.(*ast.FuncLit); ok {
			end = min(end, lit.Body.Lbrace)
			return false
		}
		return true
	})
	return end
}

// covered finds the lines that a directive on this line means; last is where
// the comment that it is part of ends.
func (in *lines) covered(line, last int) (from, to int) {
	if !in.code[line] {
		best := span{}
		for _, s := range in.statements {
			if s.from == last+1 && s.to >= best.to {
				best = s
			}
		}
		if best.from != 0 {
			return line, best.to
		}
	}
	best := span{}
	for _, s := range in.statements {
		if s.holds(line) && (best.from == 0 || s.to-s.from < best.to-best.from) {
			best = s
		}
	}
	if best.from != 0 {
		return best.from, best.to
	}
	return line, line
}
