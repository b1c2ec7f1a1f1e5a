package faultflow

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// TextTest is a test in a handler that looks at the text of the exception.
type TextTest struct {
	Test  syntax.Node // in the handler
	Where Hop         // the comparison itself: in a function that the test calls it stands elsewhere
}

// TextTests are the tests of a handler that decide by the text of the exception
// whether it goes on.
func (a *Analyzer) TextTests(h syntax.Node) []TextTest {
	u := a.here
	var out []TextTest
	for s := range u.tree.ChildrenOf(h, syntax.RoleBody) {
		u.tree.Walk(s, func(n syntax.Node) syntax.Walk {
			k := u.tree.Kind(n)
			if k.IsFunction() || k == syntax.Lambda || k == syntax.ClassDef {
				return syntax.Over
			}
			if k != syntax.If || !u.decides(n) {
				return syntax.Into
			}
			test := u.tree.Child(n, syntax.RoleTest)
			if where := a.textTest(u, test, u.textOf(h), maxHelpers); where != nil {
				out = append(out, TextTest{test, *where})
			}
			return syntax.Into
		})
	}
	return out
}

// decides reports whether an if does something else than to log: it raises or
// jumps in one of its arms.
func (u *unit) decides(n syntax.Node) bool {
	found := false
	u.tree.Walk(n, func(c syntax.Node) syntax.Walk {
		switch u.tree.Kind(c) {
		case syntax.Raise, syntax.Continue, syntax.Break, syntax.Return:
			found = true
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}

// texts are the names that hold an exception and its text.
type texts struct {
	exception string
	variables []string
}

// textOf collects the variables of a handler that are made of its exception.
func (u *unit) textOf(h syntax.Node) texts {
	t := texts{exception: string(u.tree.Name(h))}
	u.collect(h, &t)
	return t
}

// isText reports whether an expression is the text of an exception.
func (u *unit) isText(n syntax.Node, t texts) bool {
	if n == 0 {
		return false
	}
	switch u.tree.Kind(n) {
	case syntax.Call:
		fun := u.tree.First(n)
		switch name := last(u.tree, fun); name {
		case "str", "repr":
			arg := u.tree.Child(n, syntax.RoleArg)
			return arg != 0 && t.exception != "" && string(u.tree.Source(arg)) == t.exception
		case "format_exc", "format_exception":
			return true
		case "lower", "upper", "strip", "join", "casefold", "splitlines", "split":
			if u.tree.Kind(fun) == syntax.Attribute && u.isText(u.tree.First(fun), t) {
				return true
			}
			arg := u.tree.Child(n, syntax.RoleArg)
			return name == "join" && u.isText(arg, t)
		}
	case syntax.Subscript: // e.args[0]
		return u.isText(u.tree.First(n), t)
	case syntax.Attribute:
		name := string(u.tree.Name(n))
		return (name == "args" || name == "message" || name == "msg") && t.exception != "" && string(u.tree.Source(u.tree.First(n))) == t.exception
	case syntax.JoinedStr:
		return t.exception != "" && strings.Contains(string(u.tree.Source(n)), "{"+t.exception+"}")
	case syntax.Name:
		for _, v := range t.variables {
			if v == string(u.tree.Name(n)) {
				return true
			}
		}
	}
	return false
}

// textTest finds the comparison of a text in a test, or in the functions that
// it hands the exception to; nil: there is none.
func (a *Analyzer) textTest(u *unit, test syntax.Node, t texts, depth int) *Hop {
	var found *Hop
	u.tree.Walk(test, func(n syntax.Node) syntax.Walk {
		if u.tree.Kind(n) == syntax.Lambda {
			return syntax.Over
		}
		if u.compares(n, t) {
			h := u.hop(n)
			h.Name = short(u.tree, n)
			found = &h
		} else if u.tree.Kind(n) == syntax.Call && depth > 0 {
			found = a.textHelper(u, n, t, depth-1)
		}
		if found != nil {
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}

// textHelper looks into a function that is given the exception or its text.
func (a *Analyzer) textHelper(u *unit, call syntax.Node, t texts, depth int) *Hop {
	for arg := range u.tree.ChildrenOf(call, syntax.RoleArg) {
		isText := u.isText(arg, t)
		if !isText && (t.exception == "" || string(u.tree.Source(arg)) != t.exception) {
			continue
		}
		fn := a.callee(u, call)
		param := a.parameter(u, fn, call, arg)
		if param == 0 {
			return nil
		}
		other := a.away(fn.File)
		name := string(other.tree.Name(param))
		inner := texts{exception: name}
		if isText {
			inner = texts{variables: []string{name}}
		}
		other.collect(fn.Def, &inner)
		return a.textTest(other, fn.Def, inner, depth)
	}
	return nil
}

// collect adds the variables of a function that are made of a text.
func (u *unit) collect(def syntax.Node, t *texts) {
	for n := range u.tree.Preorder(def) {
		if u.tree.Kind(n) == syntax.Assign && u.isText(u.tree.Child(n, syntax.RoleValue), *t) {
			for target := range u.tree.ChildrenOf(n, syntax.RoleTarget) {
				t.variables = append(t.variables, string(u.tree.Source(target)))
			}
		}
	}
}

// compares reports whether an expression holds a text against something: x in
// text, text == x, text.startswith(x), re.search(x, text).
func (u *unit) compares(n syntax.Node, t texts) bool {
	switch u.tree.Kind(n) {
	case syntax.Compare:
		for c := range u.tree.Children(n) {
			if u.isText(c, t) {
				return true
			}
		}
	case syntax.Call:
		fun := u.tree.First(n)
		switch last(u.tree, fun) {
		case "startswith", "endswith", "find", "count", "index":
			return u.tree.Kind(fun) == syntax.Attribute && u.isText(u.tree.First(fun), t)
		case "search", "match", "fullmatch", "findall":
			for arg := range u.tree.ChildrenOf(n, syntax.RoleArg) {
				if u.isText(arg, t) {
					return true
				}
			}
		}
	}
	return false
}

// says answers a test of a text: the literals that people look for are those of
// other errors, so that a fault has none of them.
func (u *unit) says(test syntax.Node, t texts) answer {
	switch u.tree.Kind(test) {
	case syntax.Compare:
		left := u.tree.First(test)
		right := u.tree.Next(left)
		if right == 0 || u.tree.Next(right) != 0 || u.tree.Kind(left) != syntax.Constant || !u.isText(right, t) {
			return maybe
		}
		switch u.tree.CompareOp(right) {
		case syntax.In:
			return no
		case syntax.NotIn:
			return yes
		}
	case syntax.Call:
		if u.compares(test, t) && u.tree.Kind(u.tree.Child(test, syntax.RoleArg)) == syntax.Constant {
			return no
		}
	}
	return maybe
}

// short is the source of a node for a message.
func short(tree *syntax.Tree, n syntax.Node) string {
	text := strings.Join(strings.Fields(string(tree.Source(n))), " ")
	if len(text) > 60 {
		text = text[:57] + "..."
	}
	return text
}
