package sites

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Directive is what a comment says of a function: # trainvet: decode ids=0.
type Directive struct {
	Decode int // index of the ids argument; -1: no decode
	Guard  int // index of the ids argument; -1: no guard
	Step   bool
}

// ParseDirective reads what stands behind "# trainvet:". Words behind it are
// for people.
func ParseDirective(text string) (Directive, error) {
	d := Directive{Decode: -1, Guard: -1}
	words := strings.Fields(text)
	if len(words) == 0 {
		return d, fmt.Errorf("there are the directives decode, guard, step and ignore")
	}
	switch words[0] {
	case "step":
		d.Step = true
		return d, nil
	case "decode", "guard":
	default:
		return d, fmt.Errorf("unknown directive %.20q; there are decode, guard, step and ignore", words[0])
	}
	for _, w := range words[1:] {
		if text, ok := strings.CutPrefix(w, "ids="); ok {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return d, fmt.Errorf("ids=%.20s is no index of an argument, counted from 0 without self", text)
			}
			if words[0] == "decode" {
				d.Decode = n
			} else {
				d.Guard = n
			}
			return d, nil
		}
	}
	return d, fmt.Errorf("ids=N is expected, the index of the argument that holds the ids, counted from 0 without self")
}

// Declaration is a directive with the function that it stands at, whose last
// name is Name.
type Declaration struct {
	calls.Definition
	Directive
}

// Declare says which functions people have said something of.
func (f *Finder) Declare(list []Declaration) {
	f.said = map[string][]Declaration{}
	for _, d := range list {
		f.said[d.Name] = append(f.said[d.Name], d)
	}
}

// isDeclared adds a call of a function whose author says what it is.
func (f *Finder) isDeclared(call, fun syntax.Node, name []byte) bool {
	for _, d := range f.said[string(name)] {
		if f.Across == nil || f.Across.Means(f.file, fun, d.Definition) {
			f.declared(call, d.Directive)
			return true
		}
	}
	return false
}

func (f *Finder) declared(call syntax.Node, d Directive) {
	f.left = budget
	switch {
	case d.Decode >= 0:
		ids := f.arg(call, d.Decode)
		f.add(Site{Kind: site.Decode, Class: Token, Call: call, IDs: ids, Origin: f.origin(ids), By: "directive"})
	case d.Step:
		f.add(Site{Kind: site.Step, Class: Optimizer, Call: call, By: "directive"})
	}
}
