package flow

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tracer runs programs under CPython and prints the lines that each run passes.
const tracer = `
import sys, json, random, contextlib
class E(Exception): pass
class F(Exception): pass
for number, src in enumerate(json.load(open(sys.argv[1]))):
    rng = random.Random(number)
    left = [0]
    def c():
        return rng.random() < .5
    def k():
        left[0] -= 1
        return left[0] < 0 or rng.random() < .3
    def f():
        if c() and rng.random() < .4: raise rng.choice([E, F])
    def r():
        return range(rng.randrange(3))
    s = lambda: contextlib.suppress(E)
    w = lambda: contextlib.nullcontext()
    space = dict(c=c, f=f, k=k, r=r, s=s, w=w, E=E, F=F)
    exec(compile(src, "program", "exec"), space)
    for _ in range(12):
        lines = []
        def local(frame, event, arg):
            if event == "line": lines.append(frame.f_lineno)
            return local
        def trace(frame, event, arg):
            return local if frame.f_code.co_filename == "program" else None
        left[0], end = 60, "return"
        sys.settrace(trace)
        try: space["run"]()
        except (E, F): end = "raise"
        finally: sys.settrace(None)
        print(json.dumps([number, end, lines]))
`

// TestTraces holds graphs against what CPython does: every run is a path.
func TestTraces(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on PATH")
	}
	if exec.Command(python, "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run() != nil {
		t.Skip("python3 has no match statement")
	}
	var programs []string
	for seed := range uint64(150) {
		programs = append(programs, newProgram(seed+1000))
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	dir := t.TempDir()
	text, err := json.Marshal(programs)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "programs.json"), text, 0o600))
	out, err := exec.CommandContext(ctx, python, "-c", tracer, filepath.Join(dir, "programs.json")).Output()
	require.NoError(t, err)
	runs, passed, phantoms := 0, 0, 0
	for _, row := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var run []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(row), &run))
		var number int
		var end string
		var lines []int
		require.NoError(t, json.Unmarshal(run[0], &number))
		require.NoError(t, json.Unmarshal(run[1], &end))
		require.NoError(t, json.Unmarshal(run[2], &lines))
		runs++
		passed += len(lines)
		phantoms += follow(t, programs[number], lines, end)
	}
	require.Greater(t, runs, 1000)
	require.Less(t, phantoms*200, passed)
	t.Logf("%d runs, %d lines, %d phantoms", runs, passed, phantoms)
}

// follow walks a graph along the lines of a run, and counts those that CPython
// names in passing: where it unwinds, it gives single instructions the line of
// another block.
func follow(t *testing.T, src string, lines []int, end string) (phantoms int) {
	file := syntax.Parse([]byte(src))
	b := Builder{Suppresses: func(n syntax.Node) bool { return string(file.Source(n)) == "s()" }}
	g := b.Build(&file.Tree, file.First(file.Root()), nil)
	lineOf := func(v Vertex) int {
		if g.Node(v) == 0 {
			return 0
		}
		return file.Pos(g.Node(v)).Line
	}
	// A with is named when it is left too, a try has no vertex.
	source := strings.Split(src, "\n")
	lines = slices.DeleteFunc(lines, func(line int) bool {
		first, _, _ := strings.Cut(strings.TrimSpace(source[line-1]), " ")
		return first == "with" || first == "try:" || first == "finally:"
	})
	goal := Exit
	if end == "raise" {
		goal = Raise
	}
	lines = slices.Compact(lines) // of two statements on a line
	at := []Vertex{Entry}
	for i, line := range lines {
		next := advance(g, at, func(v Vertex) bool { return lineOf(v) == line })
		if len(next) > 0 {
			at = next
			continue
		}
		var on bool
		if i+1 < len(lines) {
			on = len(advance(g, at, func(v Vertex) bool { return lineOf(v) == lines[i+1] })) > 0
		} else {
			on = len(advance(g, at, func(v Vertex) bool { return v == goal })) > 0
		}
		if on {
			phantoms++
			continue
		}
		t.Fatalf("line %d is not reached from %v\nlines %v\n%s", line, at, lines, src)
	}
	if len(advance(g, at, func(v Vertex) bool { return v == goal })) == 0 {
		t.Fatalf("the end by %s is not reached from %v\nlines %v\n%s", end, at, lines, src)
	}
	return phantoms
}

// advance gives the vertices that are wanted and lie one line on: behind those
// of no line of their own, and of the line that it starts from.
func advance(g *Graph, at []Vertex, wanted func(Vertex) bool) []Vertex {
	var out []Vertex
	seen := map[Vertex]bool{}
	lines := map[syntax.Node]bool{}
	stack := append([]Vertex{}, at...)
	for _, v := range at {
		lines[g.Node(v)] = true
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for e := range g.Out(v) {
			if seen[e.Vertex] {
				continue
			}
			seen[e.Vertex] = true
			if wanted(e.Vertex) {
				out = append(out, e.Vertex)
			}
			if n := g.Node(e.Vertex); n == 0 || onOneLine(g, n, lines) || untraced(g, n) {
				stack = append(stack, e.Vertex)
			}
		}
	}
	return out
}

// onOneLine reports whether a statement stands behind the header of another on
// its line: if c(): raise E.
func onOneLine(g *Graph, n syntax.Node, lines map[syntax.Node]bool) bool {
	for h := range lines {
		if h != 0 && g.tree.Pos(h).Line == g.tree.Pos(n).Line {
			return true
		}
	}
	return false
}

// untraced reports whether CPython may leave a statement out of its trace.
func untraced(g *Graph, n syntax.Node) bool {
	switch g.tree.Kind(n) {
	case syntax.Break, syntax.Continue, syntax.Pass:
		return true
	case syntax.While:
		return truth(g.tree, g.tree.Child(n, syntax.RoleTest)) != 0
	case syntax.MatchCase, syntax.With:
		return true
	}
	return false
}
