package calls

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

const source = `
def one(x, y=1): pass

def two():
    one(1, y=2)
    map(one, [3])

class Base:
    def step(self, a): pass
    @staticmethod
    def fixed(a): pass

class Child(Base):
    def run(self, other):
        self.step(4)
        self.fixed(5)
        super().step(6)
        other.step(7)

def shadowed(one):
    one(8)

if two:
    def twice(): pass
else:
    def twice(): pass
twice()
`

func TestCallers(t *testing.T) {
	t.Parallel()
	file := syntax.Parse([]byte(source))
	require.True(t, file.Valid())
	var table names.Table
	table.Build(&file.Tree)
	var x Index
	x.Reset(&file.Tree, &table)
	got := map[string][]string{}
	for n := range file.Preorder(file.Root()) {
		if file.Kind(n).IsFunction() {
			for _, c := range x.Callers(n) {
				got[table.Qualified(n)+"."+string(file.Name(n))] = append(got[table.Qualified(n)+"."+string(file.Name(n))], string(file.Source(c)))
			}
		}
	}
	require.ElementsMatch(t, []string{"one(1, y=2)", "one"}, got["<module>.one"])
	require.ElementsMatch(t, []string{"self.step(4)", "super().step(6)"}, got["<module>.step"])
	require.Equal(t, []string{"self.fixed(5)"}, got["<module>.fixed"])
	require.Empty(t, got["<module>.twice"], "which of the two is called is not known")
}

func TestArgument(t *testing.T) {
	t.Parallel()
	file := syntax.Parse([]byte(source))
	var table names.Table
	table.Build(&file.Tree)
	var x Index
	x.Reset(&file.Tree, &table)
	got := map[string]string{}
	for n := range file.Preorder(file.Root()) {
		if file.Kind(n) != syntax.Call {
			continue
		}
		def, method := x.Callee(n)
		for p := range file.ChildrenOf(def, syntax.RoleParam) {
			if def != 0 {
				got[string(file.Source(n))+" "+string(file.Name(p))] = string(file.Source(x.Argument(n, def, method, p)))
			}
		}
	}
	require.Equal(t, "1", got["one(1, y=2) x"])
	require.Equal(t, "2", got["one(1, y=2) y"])
	require.Equal(t, "4", got["self.step(4) a"])
	require.Equal(t, "5", got["self.fixed(5) a"])
}
