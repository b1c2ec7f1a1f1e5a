package child

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// Output says where one of the child's two streams goes.
type Output int

// The ways.
const (
	Nowhere Output = iota // nil: the null device
	Written               // to a writer
	Piped                 // to a pipe of its own
)

// Stdout says where its standard output goes.
func (c *Command) Stdout() Output { return c.output("Stdout", "StdoutPipe") }

// Stderr says where its standard error goes. What the line of a shell does
// with it counts before what the command's fields say.
func (c *Command) Stderr() Output {
	switch {
	case c.line("2>/dev/null", "2> /dev/null", "&>/dev/null", "&> /dev/null"):
		return Nowhere
	case c.line("2>", "&>"):
		return Written
	}
	return c.output("Stderr", "StderrPipe")
}

// line reports whether a word of the command line holds one of the texts.
func (c *Command) line(texts ...string) bool {
	return slices.ContainsFunc(c.Argv, func(word string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(word, text) })
	})
}

func (c *Command) output(field, pipe string) Output {
	switch {
	case len(c.Called(pipe)) > 0:
		return Piped
	case len(c.Sets[field]) > 0:
		return Written
	}
	return Nowhere
}

// OneOrder reports whether the two streams end up in one order somewhere: they
// share a writer, or both are inherited from this process, where whoever
// started it decides.
func (c *Command) OneOrder() bool {
	if c.line("2>&1", "&>") || c.follows("Stderr", "Stdout") || c.follows("Stdout", "Stderr") {
		return true
	}
	if c.Stdout() != Written || c.Stderr() != Written {
		return false
	}
	out, errs := map[string]bool{}, map[string]bool{}
	for _, e := range c.Sets["Stdout"] {
		c.sinks(e, out, 0)
	}
	for _, e := range c.Sets["Stderr"] {
		c.sinks(e, errs, 0)
	}
	for sink := range errs {
		if out[sink] {
			return true
		}
	}
	return false
}

// follows reports whether one stream is set to the other's field, which a pipe
// fills too.
func (c *Command) follows(field, other string) bool {
	return slices.ContainsFunc(c.Sets[field], func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != other {
			return false
		}
		id, ok := sel.X.(*ast.Ident)
		return ok && c.Var != nil && c.reader.info.ObjectOf(id) == c.Var
	})
}

// sinks collects the names of the writers behind an expression.
func (c *Command) sinks(e ast.Expr, into map[string]bool, depth int) {
	e = ast.Unparen(e)
	switch name := types.ExprString(e); {
	case name == "os.Stdout", name == "os.Stderr":
		into["the streams of this process"] = true
	default:
		into[name] = true
	}
	if depth > 4 {
		return
	}
	switch e := e.(type) {
	case *ast.Ident:
		for _, value := range c.reader.inits[c.reader.info.ObjectOf(e)] {
			if value != nil {
				c.sinks(value, into, depth+1)
			}
		}
	case *ast.UnaryExpr:
		c.sinks(e.X, into, depth+1)
	case *ast.CallExpr:
		fn, ok := typeutil.Callee(c.reader.info, e).(*types.Func)
		if ok && fn.Pkg() != nil && fn.Pkg().Path() == "io" && fn.Name() == "MultiWriter" {
			for _, arg := range e.Args {
				c.sinks(arg, into, depth+1)
			}
		}
	}
}
