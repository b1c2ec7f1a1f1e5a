package rules

import (
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// answers reports whether a handler tells whoever asked that there was an error:
// it sends, puts or fails something that says so, yields it, returns it with a
// status of HTTP, or leaves its text to the function around. What is appended to a
// list is a row, no answer.
func (f *File) answers(h syntax.Node) bool {
	for s := range f.ChildrenOf(h, syntax.RoleBody) {
		for n := range f.Within(s) {
			switch f.Kind(n) {
			case syntax.Call:
				if f.tells(n) {
					return true
				}
			case syntax.Yield:
				if saysError(f.Src(n)) || f.yieldsError(h, n) {
					return true
				}
			case syntax.Return:
				if f.isStatus(f.First(n)) {
					return true
				}
			case syntax.Assign:
				if f.leavesText(h, n) {
					return true
				}
			}
		}
	}
	return false
}

// tells reports whether a call hands an error to somebody: by what it is called,
// and by what it is given. Loggers tell nobody who could act.
func (f *File) tells(call syntax.Node) bool {
	name := strings.ToLower(strings.TrimLeft(f.Last(f.First(call)), "_"))
	if f.Keyword(call, "error") != 0 && strings.Contains(name, "progress") {
		return true
	}
	if f.shows(call) {
		return true
	}
	if !named("teller", name) {
		return false
	}
	return saysError(name) || saysError(f.Src(call)[len(f.Src(f.First(call))):]) || f.isStatus(call)
}

// shows reports whether a call puts an error before whoever sits at the page or
// the window: st.error(e), gr.Warning(str(e)).
func (f *File) shows(call syntax.Node) bool { return named("page", f.Path(f.First(call))) }

// leavesText reports whether an assignment leaves the exception, or its text, in a
// variable of the function around: a thread does so for who waits for it.
func (f *File) leavesText(h, assign syntax.Node) bool {
	name, target := f.Name(h), f.Child(assign, syntax.RoleTarget)
	if len(name) == 0 {
		return false
	}
	root := f.stemOf(target)
	if f.Kind(root) != syntax.Name || f.Names.IsSelf(root) {
		return false
	}
	scope := f.Names.Resolve(root, f.Name(root))
	if scope == 0 || scope == f.Function(h) || scope == f.Root() {
		return false
	}
	for n := range f.Within(f.Child(assign, syntax.RoleValue)) {
		if f.Kind(n) == syntax.Name && string(f.Name(n)) == string(name) {
			return true
		}
	}
	return false
}

// yieldsError reports whether a yield gives a name that the handler makes of an
// error.
func (f *File) yieldsError(h, yield syntax.Node) bool {
	for n := range f.Within(h) {
		if f.Kind(n) == syntax.Assign && saysError(f.Src(f.Child(n, syntax.RoleValue))) {
			for c := range f.Within(yield) {
				if f.Same(c, f.Child(n, syntax.RoleTarget)) {
					return true
				}
			}
		}
	}
	return false
}

func saysError(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "error") || strings.Contains(text, "fail")
}

// isStatus reports whether an expression holds a status of HTTP for an error: the
// last of a tuple, or an argument.
func (f *File) isStatus(n syntax.Node) bool {
	if k := f.Kind(n); k != syntax.Tuple && k != syntax.Call {
		return false
	}
	for c := range f.Children(n) {
		if f.Kind(c) == syntax.Keyword && string(f.Name(c)) == "status_code" {
			c = f.Child(c, syntax.RoleValue)
		}
		if code, err := strconv.Atoi(f.Src(c)); err == nil && code >= 400 && code < 600 {
			return true
		}
	}
	return false
}
