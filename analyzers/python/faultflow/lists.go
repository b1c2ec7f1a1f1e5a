package faultflow

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// lists are those of the catalogue that say where a fault comes from and goes.
type lists struct {
	guard, fault, broad, ends, suppress, handOver *catalog.Names
	runtime                                       *catalog.Names
	backward, generate, artifact, crash, applies  *catalog.Names
	guardModule, model                            *catalog.Names
}

func newLists(c *catalog.Py) lists {
	return lists{
		guard: c.List("guard-function"), guardModule: c.List("guard-module"), fault: c.List("fault-name"), broad: c.List("broad-class"),
		runtime: c.List("runtime-class"),
		ends:    c.List("ends-process"), suppress: c.List("suppress-call"), handOver: c.List("hand-over-object"),
		backward: c.List("backward-call"), generate: c.List("generate-call"), artifact: c.List("artifact-call"),
		model: c.List("generate-object"),
		crash: c.List("crash-name"), applies: c.List("applies-function"),
	}
}

// last is the last name of an expression, in lower case.
func last(tree *syntax.Tree, n syntax.Node) string {
	for n != 0 {
		switch tree.Kind(n) {
		case syntax.Name, syntax.Attribute:
			return strings.ToLower(string(tree.Name(n)))
		case syntax.Call, syntax.Subscript, syntax.Await:
			n = tree.First(n)
		default:
			return ""
		}
	}
	return ""
}
