package syntax_test

import (
	"fmt"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// A parser is used again and again; here it lists the calls of a method.
func ExampleParser() {
	var p syntax.Parser
	f := p.Parse([]byte("def read(tokenizer, ids):\n    return tokenizer.decode(ids, skip_special_tokens=True)\n"))
	for n := range f.Preorder(f.Root()) {
		if f.Kind(n) != syntax.Call {
			continue
		}
		method := f.Child(n, syntax.RoleFunc)
		fmt.Printf("line %d: %s of %s\n", f.NamePos(method).Line, f.Name(method), f.Source(f.Child(method, syntax.RoleValue)))
		for k := range f.ChildrenOf(n, syntax.RoleKeyword) {
			fmt.Printf("with %s = %s\n", f.Name(k), f.Source(f.Child(k, syntax.RoleValue)))
		}
	}
	// Output:
	// line 2: decode of tokenizer
	// with skip_special_tokens = True
}

// Damage costs the smallest statement that holds it.
func ExampleFile() {
	f := syntax.Parse([]byte("ids = model.generate(x\ntext = tok.decode(ids)\nprint 'done'\n"))
	for _, e := range f.Errors {
		fmt.Println(e.Code, e)
	}
	for _, d := range f.Dropped {
		fmt.Println("dropped: lines", d.First, "to", d.Last)
	}
	for n := range f.Children(f.Root()) {
		fmt.Println(f.Kind(n))
	}
	// Output:
	// unclosed line 1, column 21: '(' was never closed
	// python-2 line 3, column 1: the print statement is Python 2: print()
	// dropped: lines 1 to 1
	// Invalid
	// Assign
	// Print
}
