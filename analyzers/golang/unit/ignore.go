package unit

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

const ignorePrefix = "//trainvet:ignore"

var untilWord = regexp.MustCompile(`^until=(\S+)\s*`)

// readIgnores finds the inline exemptions. One behind code covers that line's
// statement; one on a line of its own covers the statement below.
func (p *Package) readIgnores(files []*ast.File) []site.Ignore {
	var out []site.Ignore
	for _, f := range files {
		var spans [][2]int // of statements and declarations, filled at the first directive
		for _, group := range f.Comments {
			for _, c := range group.List {
				rest, ok := strings.CutPrefix(c.Text, ignorePrefix)
				if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
					continue
				}
				if spans == nil {
					spans = p.spans(f)
				}
				out = append(out, p.ignore(c, rest, spans))
			}
		}
	}
	return out
}

func (p *Package) ignore(c *ast.Comment, rest string, spans [][2]int) site.Ignore {
	ig := site.Ignore{At: p.Position(c.Slash)}
	codes, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	reason = strings.TrimSpace(reason)
	if m := untilWord.FindStringSubmatch(reason); m != nil {
		ig.Until, reason = m[1], reason[len(m[0]):]
	}
	ig.Reason = reason
	if codes != "" {
		ig.Codes = strings.Split(codes, ",")
	}
	ig.From, ig.To = covered(ig.At.Line, spans)
	return ig
}

// covered finds the lines of the statement that a comment on this line means:
// the smallest one that ends or starts on the line, else the one that starts
// on the next.
func covered(line int, spans [][2]int) (from, to int) {
	for _, start := range []int{line, line + 1} {
		best := [2]int{}
		for _, s := range spans {
			if s[0] != start && !(start == line && s[1] == line) {
				continue
			}
			if best[0] == 0 || s[1]-s[0] < best[1]-best[0] {
				best = s
			}
		}
		if best[0] != 0 {
			return min(best[0], line), max(best[1], line)
		}
	}
	return line, line
}

func (p *Package) spans(f *ast.File) [][2]int {
	out := [][2]int{}
	line := func(pos token.Pos) int { return p.fset.PositionFor(pos, false).Line }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
		case ast.Stmt, ast.Decl, ast.Spec, *ast.Field:
			out = append(out, [2]int{line(n.Pos()), line(n.End() - 1)})
		}
		return true
	})
	return out
}

// exempt reports whether an inline exemption that has a reason covers f.
func (p *Package) exempt(f Finding) bool {
	at := p.Position(f.Pos)
	for i := range p.ignores {
		ig := &p.ignores[i]
		if ig.At.File != at.File || at.Line < ig.From || at.Line > ig.To || ig.Reason == "" {
			continue
		}
		for _, code := range ig.Codes {
			if code == f.Code {
				return true
			}
		}
	}
	return false
}
