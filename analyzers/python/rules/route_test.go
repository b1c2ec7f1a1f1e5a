package rules

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// TestLeads asks for a path from start() to end() that passes no wall().
func TestLeads(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"straight":              {"start()\nend()", true},
		"wall":                  {"start()\nwall()\nend()", false},
		"wall on a branch":      {"start()\nif a:\n    wall()\nend()", true},
		"same test twice":       {"start()\nif a:\n    wall()\nif a:\n    end()", false},
		"other test":            {"start()\nif a:\n    wall()\nif b:\n    end()", true},
		"turned round":          {"if a is not None:\n    start()\nif a is None:\n    end()", false},
		"not":                   {"if a:\n    start()\nif not a:\n    end()", false},
		"unequal":               {"if a == 1:\n    start()\nif a != 1:\n    end()", false},
		"and":                   {"if a and b:\n    start()\nif not b:\n    end()", false},
		"or says nothing":       {"if a or b:\n    start()\nif not b:\n    end()", true},
		"neither":               {"if a or b:\n    pass\nelse:\n    start()\n    if b:\n        end()", false},
		"other arm":             {"if a:\n    start()\nelse:\n    end()", false},
		"other arm, next turn":  {"for x in y:\n    if x:\n        start()\n    else:\n        end()", true},
		"test of a loop's name": {"for x in y:\n    if x:\n        wall()\n    start()\n    if x:\n        end()", true},
		"bound again":           {"start()\nif a:\n    wall()\na = f()\nif a:\n    end()", true},
		"named test":            {"a = b is None\nif a:\n    start()\nif b is not None:\n    end()", false},
		"left before":           {"def f(a):\n    if not a:\n        return\n    start()\n    if not a:\n        end()", false},
		"arms of a chain":       {"if a:\n    start()\nif b:\n    end()\nelif a:\n    wall()", false},
		"while True":            {"start()\nwhile True:\n    if a:\n        break\nend()", true},
		"never left":            {"start()\nwhile True:\n    pass\nend()", false},
		"exceptions are out":    {"try:\n    start()\n    x()\nexcept E:\n    end()", false},
		"round a loop":          {"for x in y:\n    end()\n    start()", true},
		"wall in the loop":      {"for x in y:\n    end()\n    start()\n    wall()", false},
		"part of a dotted name": {"start()\nif a.b:\n    wall()\nb = 1\nif a.b:\n    end()", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := false
			set := NewSet([]Rule{{Code: "TV000", Check: func(f *File, _ *Report) {
				first := func(name string) syntax.Node {
					for call := range f.CallsOf(name) {
						return call
					}
					return 0
				}
				got = f.leads(first("start"), first("end"), slices.Collect(f.CallsOf("wall")), nil)
			}}}, func(string) bool { return true })
			check(t, set, "x.py", []byte(c.text+"\n"))
			require.Equal(t, c.want, got, c.text)
		})
	}
}
