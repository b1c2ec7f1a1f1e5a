package unit

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

const ignorePrefix = "//trainvet:ignore"

var untilWord = regexp.MustCompile(`^until=(\S+)\s*`)

// readIgnores finds the inline exemptions. One behind code covers the statement
// that it stands in; one on a line of its own covers the statement below.
func (p *Package) readIgnores(files []*ast.File) []site.Ignore {
	var out []site.Ignore
	for _, f := range files {
		var in *lines // filled at the first directive
		for _, group := range f.Comments {
			for _, c := range group.List {
				rest, ok := strings.CutPrefix(c.Text, ignorePrefix)
				if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
					continue
				}
				if in == nil {
					in = p.readLines(f)
				}
				out = append(out, p.ignore(c, rest, in, p.line(group.End()-1)))
			}
		}
	}
	return out
}

// ignore reads one directive; last is the last line of its comment.
func (p *Package) ignore(c *ast.Comment, rest string, in *lines, last int) site.Ignore {
	ig := site.Ignore{At: p.Position(c.Slash)}
	rest = strings.TrimSpace(rest)
	codes, reason := rest, ""
	if i := strings.IndexAny(rest, " \t"); i >= 0 {
		codes, reason = rest[:i], strings.TrimSpace(rest[i:])
	}
	if m := untilWord.FindStringSubmatch(reason); m != nil {
		ig.Until, reason = m[1], reason[len(m[0]):]
	}
	ig.Reason = reason
	if codes != "" {
		ig.Codes = strings.Split(codes, ",")
	}
	ig.From, ig.To = in.covered(ig.At.Line, last)
	return ig
}

// exempt reports whether an inline exemption that has a reason covers f.
func (p *Package) exempt(f Finding) bool {
	at := p.Position(f.Pos)
	return slices.ContainsFunc(p.ignores, func(ig site.Ignore) bool {
		return ig.Reason != "" && ig.At.File == at.File && ig.From <= at.Line && at.Line <= ig.To && slices.Contains(ig.Codes, f.Code)
	})
}
