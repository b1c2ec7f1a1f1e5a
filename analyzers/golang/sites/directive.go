package sites

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Directive is what comments at a function's declaration say of it.
type Directive struct {
	Decode int // index of the ids argument; -1: no decode
	Guard  int // index of the ids argument; -1: no guard
	Step   bool
}

// AFact marks it as one.
func (*Directive) AFact() {}

func (d *Directive) String() string {
	var words []string
	if d.Decode >= 0 {
		words = append(words, "decode ids="+strconv.Itoa(d.Decode))
	}
	if d.Guard >= 0 {
		words = append(words, "guard ids="+strconv.Itoa(d.Guard))
	}
	if d.Step {
		words = append(words, "step")
	}
	return "trainvet " + strings.Join(words, ", ")
}

// readDirectives takes the facts of what the package imports, and makes those
// of its own functions and interface methods.
func (r *Result) readDirectives() {
	for _, f := range r.pass.AllObjectFacts() {
		if d, ok := f.Fact.(*Directive); ok {
			if fn, ok := f.Object.(*types.Func); ok {
				r.directives[fn] = *d
			}
		}
	}
	for _, f := range r.pass.Files {
		if !mentions(f) {
			continue // nearly every file
		}
		read := map[*ast.Comment]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				r.declare(read, n.Name, n.Doc)
			case *ast.InterfaceType:
				for _, m := range n.Methods.List {
					for _, name := range m.Names {
						r.declare(read, name, m.Doc, m.Comment)
					}
				}
			}
			return true
		})
		r.astray(f, read)
	}
}

// astray finds the directives that stand at nothing that they could be said of.
func (r *Result) astray(f *ast.File, read map[*ast.Comment]bool) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			switch word, _, is := directive(c); {
			case !is || read[c] || word == "ignore" || word == "fault":
			default:
				r.malformed(c, word, errAstray)
			}
		}
	}
}

var errAstray = errors.New("it stands at no declaration of a function or method, and says nothing")

// directive splits a comment; false: it is none.
func directive(c *ast.Comment) (word, rest string, is bool) {
	text, is := strings.CutPrefix(c.Text, "//trainvet:")
	word, rest, _ = strings.Cut(text, " ")
	return word, rest, is
}

func (r *Result) malformed(c *ast.Comment, word string, err error) {
	r.Malformed = append(r.Malformed, unit.Finding{Code: "TV907", Pos: c.Pos(), End: c.End(), Message: fmt.Sprintf("//trainvet:%s: %v", word, err)})
}

func mentions(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//trainvet:") {
				return true
			}
		}
	}
	return false
}

func (r *Result) declare(read map[*ast.Comment]bool, name *ast.Ident, groups ...*ast.CommentGroup) {
	fn, ok := r.pass.TypesInfo.Defs[name].(*types.Func)
	if !ok {
		return
	}
	d, found := Directive{Decode: -1, Guard: -1}, false
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, c := range group.List {
			word, rest, is := directive(c)
			if !is || word == "ignore" {
				continue
			}
			read[c] = true
			if err := d.set(fn, word, strings.Fields(rest)); err != nil {
				r.malformed(c, word, err)
				continue
			}
			found = true
		}
	}
	if found {
		r.directives[fn] = d
		r.pass.ExportObjectFact(fn, &d)
	}
}

// set takes one directive. Words behind the index are for people.
func (d *Directive) set(fn *types.Func, word string, words []string) error {
	if word == "step" {
		d.Step = true
		return nil
	}
	if word != "decode" && word != "guard" {
		return fmt.Errorf("unknown directive; there are decode, guard, step and ignore")
	}
	n, err := idsOf(fn, words)
	if err != nil {
		return err
	}
	if word == "decode" {
		d.Decode = n
	} else {
		d.Guard = n
	}
	return nil
}

func idsOf(fn *types.Func, words []string) (int, error) {
	params := fn.Signature().Params()
	for _, w := range words {
		text, ok := strings.CutPrefix(w, "ids=")
		if !ok {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n >= params.Len() {
			return 0, fmt.Errorf("ids=%.20s is no argument of %s, which has %d, counted from 0", text, fn.Name(), params.Len())
		}
		return n, nil
	}
	return 0, fmt.Errorf("ids=N is expected, the index of the argument that holds the ids, counted from 0")
}
