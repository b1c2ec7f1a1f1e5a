package nancompare

import (
	_ "embed"
	"go/ast"
	"strings"
	"unicode"
)

//go:embed names.tsv
var nameText string

// names is the table of names.tsv: word to role.
type names map[string]string

func readNames() names {
	t := names{}
	for line := range strings.Lines(nameText) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if !strings.HasPrefix(line, "#") && len(cells) > 1 {
			t[cells[1]] = cells[0]
		}
	}
	return t
}

// roles are those of the words of a name.
type roles struct{ loss, score, best, bound, other bool }

func (r roles) metric() bool { return (r.loss || r.score) && !r.other }

// of reads the names in an expression: of a selector both parts, of a call
// what is called.
func (t names) of(e ast.Expr) roles {
	var r roles
	for _, word := range nameWords(e) {
		switch t[word] {
		case "loss":
			r.loss = true
		case "score":
			r.score = true
		case "best":
			r.best = true
		case "bound":
			r.bound = true
		case "other":
			r.other = true
		}
	}
	return r
}

func nameWords(e ast.Expr) []string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return split(e.Name)
	case *ast.SelectorExpr:
		return append(nameWords(e.X), split(e.Sel.Name)...)
	case *ast.IndexExpr:
		return nameWords(e.X)
	case *ast.StarExpr:
		return nameWords(e.X)
	case *ast.CallExpr:
		return nameWords(e.Fun)
	}
	return nil
}

// split cuts a name at underscores and capitals: valLoss, F1Score, best_wer.
func split(name string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = nil
		}
	}
	list := []rune(name)
	for i, r := range list {
		if r == '_' {
			flush()
			continue
		}
		lower := i > 0 && (unicode.IsLower(list[i-1]) || unicode.IsDigit(list[i-1]))
		ends := i > 0 && unicode.IsUpper(list[i-1]) && i+1 < len(list) && unicode.IsLower(list[i+1])
		if unicode.IsUpper(r) && (lower || ends) {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}
