package notebook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// build writes a notebook of format 4 with these code cells.
func build(cells ...string) []byte {
	var list []any
	for _, c := range cells {
		list = append(list, map[string]any{
			"cell_type": "code", "metadata": map[string]any{}, "source": strings.SplitAfter(c, "\n"),
			"outputs": []any{map[string]any{"text": []string{"\"cells\": [{}]\n"}}},
		})
	}
	text, err := json.Marshal(map[string]any{"cells": list, "nbformat": 4, "metadata": map[string]any{}})
	if err != nil {
		panic(err)
	}
	return text
}

func read(t *testing.T, src []byte) *Notebook {
	t.Helper()
	var r Reader
	n, err := r.Read(src)
	require.NoError(t, err)
	if e, bad := broken(syntax.Parse(n.Text)); bad {
		t.Fatalf("%v\n%.300s", e, n.Text)
	}
	return n
}

func valid(n *Notebook) bool {
	_, bad := broken(syntax.Parse(n.Text))
	return !bad
}

// TestTranslate holds what becomes of IPython's lines.
func TestTranslate(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ cell, want string }{
		{"x = 1", "x = 1\n"},
		{"%matplotlib inline\nx = 1", "pass\nx = 1\n"},
		{"!pip install -q x \\\n  y\nimport x", "pass\n\nimport x\n"},
		{"if a:\n    !ls\n    %cd b\n", "if a:\n    pass\n    pass\n"},
		{"%%time\nx = f()\n", "pass\nx = f()\n"},
		{"\n%%capture out\nx = f()\n!ls", "\npass\nx = f()\npass\n"},
		{"%%bash\nls -l\ncd x", "pass\n\n\n"},
		{"%%writefile a.py\nx = 1\n", "pass\n\n"},
		{"%time x = f()", "if 1: x = f()\n"},
		{"%timeit -n 10 -r3 f()", "if 1:             f()\n"},
		{"%time", "pass\n"},
		{"%timeit?", "pass\n"},
		{"files = !ls *.py\na, b = %sql q", "files = None\na, b = None\n"},
		{"?f\nf?\na.b.c??\n*int*?\n%time?", "pass\npass\npass\npass\npass\n"},
		{"pip install x\ncd ..\nls -l\nls\n", "pass\npass\npass\nls\n"},
		{"# %time\n%time f()", "# %time\nif 1: f()\n"},
		{"await f()\n!ls", "await f()\npass\n"},
		// Python that looks like it.
		{"x = (a\n% b)\n!ls", "x = (a\n% b)\npass\n"},
		{"x = '''\n!ls\n%cd\na?\n'''\n!ls", "x = '''\n!ls\n%cd\na?\n'''\npass\n"},
		{"x = a \\\n% b\n!ls", "x = a \\\n% b\npass\n"},
		{"x = 'a?'\nif x != '?':\n  y = 1\n!ls", "x = 'a?'\nif x != '?':\n  y = 1\npass\n"},
		{"ls = 1\npip = ls\ncd in ls\nls - 1\n!ls", "ls = 1\npip = ls\ncd in ls\nls - 1\npass\n"},
	} {
		require.Equal(t, tc.want, string(read(t, build(tc.cell)).Text), "%q", tc.cell)
	}
}

// TestPlace holds the map from lines of the module to cells.
func TestPlace(t *testing.T) {
	t.Parallel()
	n := read(t, build("a = 1\nb = 2", "x = = 3", "", "!ls\nc.d()", "e = 4\r\nf = 5"))
	require.Equal(t, "a = 1\nb = 2\npass\nc.d()\ne = 4\nf = 5\n", string(n.Text))
	require.Equal(t, 3, n.Cells)
	require.Len(t, n.Dropped, 1)
	require.Equal(t, 2, n.Dropped[0].Cell)
	var e syntax.Error
	require.ErrorAs(t, n.Dropped[0].Reason, &e)
	require.Equal(t, 1, e.Line)
	for line, want := range [][2]int{{0, 0}, {1, 1}, {1, 2}, {4, 1}, {4, 2}, {5, 1}, {5, 2}} {
		cell, at := n.Place(line)
		require.Equal(t, want, [2]int{cell, at}, "line %d", line)
	}
}

// TestBrokenCellAlone holds that what does not close in one cell takes nothing
// of the next.
func TestBrokenCellAlone(t *testing.T) {
	t.Parallel()
	var n *Notebook
	for _, bad := range []string{"f(", "'''", "if a:", "x = \\", "    x", "def f():", "for x in", "Some words here", "print 'a' 'b' c"} {
		n = read(t, build("a()", bad, "b()"))
		require.Equal(t, "a()\nb()\n", string(n.Text), "%q", bad)
		require.Len(t, n.Dropped, 1, "%q", bad)
	}
	n = read(t, build("a()\nx = = 1\nb()\nc()\n", "d()"))
	require.Equal(t, "a()\n\nb()\nc()\nd()\n", string(n.Text))
	require.Len(t, n.Dropped, 1)
	require.Equal(t, [3]int{1, 2, 2}, [3]int{n.Dropped[0].Cell, n.Dropped[0].First, n.Dropped[0].Last})
	n = read(t, build("print 'python 2'", "b()"))
	require.Empty(t, n.Dropped)
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, src, want string }{
		{"one string", `{"cells":[{"cell_type":"code","source":"a = 1\nb = '\u00e9\ud83d\ude00\"'"}],"nbformat":4}`, "a = 1\nb = 'é😀\"'\n"},
		{"source first", `{"cells":[{"source":["a"],"outputs":[],"cell_type":"code"}]}`, "a\n"},
		{"markdown", `{"cells":[{"cell_type":"markdown","source":["# a"]},{"cell_type":"raw","source":"b"}]}`, ""},
		{"format 3", `{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","input":["a = 1"],"language":"python"}]},{"cells":[{"cell_type":"code","input":"b"}]}]}`, "a = 1\nb\n"},
		{"bare NaN in an output", `{"cells":[{"cell_type":"code","outputs":[{"x":NaN,"y":[-Infinity]}],"source":"a"}]}`, "a\n"},
		{"python3 kernel", `{"cells":[],"metadata":{"kernelspec":{"language":"python","name":"python3"},"language_info":{"name":"python","version":"3.8"}}}`, ""},
		{"attachments with cells", `{"cells":[{"cell_type":"code","metadata":{"cells":[{"cell_type":"code","source":"no"}]},"source":"a"}]}`, "a\n"},
		{"byte order mark", "\ufeff" + `{"cells":[]}`, ""},
		{"null source", `{"cells":[{"cell_type":"code","source":null},null,1,"x"]}`, ""},
	} {
		require.Equal(t, tc.want, string(read(t, []byte(tc.src)).Text), tc.name)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	var r Reader
	for _, src := range []string{
		"", "x", "[]", "{", `{"cells":[`, `{"cells":[{]}`, `{"cells":[{"source":"a`, `{"a" 1}`, `{}`, `{"nbformat":4}`,
		`{"cells":[],"nbformat":5}`, `{"cells":` + strings.Repeat("[", 1000), `{"x":` + strings.Repeat("[", 5_000_000),
		`{"x":` + strings.Repeat(`{"a":`, 1_000_000),
	} {
		_, err := r.Read([]byte(src))
		var e *FormatError
		require.ErrorAs(t, err, &e, "%.40q", src)
	}
	_, err := r.Read([]byte(`{"cells":[],"metadata":{"language_info":{"name":"R"}}}`))
	var l *LanguageError
	require.ErrorAs(t, err, &l)
	require.Equal(t, "R", l.Language)
	n, err := r.Read([]byte(`{"worksheets":[{"cells":[{"cell_type":"code","input":"a","language":"julia"}]}]}`))
	require.NoError(t, err)
	require.True(t, errors.As(n.Dropped[0].Reason, &l))
	small := Reader{Limits: Limits{Bytes: 10}}
	_, err = small.Read(build("a = 1"))
	var s *SizeError
	require.ErrorAs(t, err, &s)
	short := Reader{Limits: Limits{Code: 12}}
	n, err = short.Read(build("a = 1", "b = 22", "c = 3"))
	require.NoError(t, err)
	require.Equal(t, "a = 1\nb = 22\n", string(n.Text))
	require.Len(t, n.Dropped, 1, "code beyond the limit is named")
	require.Equal(t, 3, n.Dropped[0].Cell)
	require.ErrorAs(t, n.Dropped[0].Reason, &s)
}

func TestExtensions(t *testing.T) {
	t.Parallel()
	n := read(t, build("a()", "x = 1\n%load_ext trainvet\n%reload_ext autoreload", "# %load_ext none\nprint('%load_ext text')"))
	require.Equal(t, []Extension{{"trainvet", 2, 2}, {"autoreload", 2, 3}}, n.Loads)
}

// TestHostile holds time for what nobody writes.
func TestHostile(t *testing.T) {
	many := strings.Repeat
	for name, cells := range map[string][]string{
		"open brackets":  {"!x\n" + many("f(\n", 300_000), "ok()"},
		"open quotes":    {"!x\n" + many("a = '\n", 200_000), "ok()"},
		"triple quotes":  {"!x\n" + many("a = \"\"\" '''\n", 300_001), "ok()"},
		"magics":         {many("!ls\n%time f()\n", 50_000), "ok()"},
		"continuations":  {"!" + many("x \\\n", 500_000), "ok()"},
		"parentheses":    {many("(", 3_000_000), "ok()"},
		"question marks": {many("?", 3_000_000), "ok()"},
		"a large cell":   {many("a = 1\n", 1_000_000), "ok()"},
		"many cells":     append(make([]string, 20_000), "ok()"),
	} {
		start := time.Now()
		n := read(t, build(cells...))
		require.True(t, strings.HasSuffix(string(n.Text), "ok()\n"), name)
		took := time.Since(start)
		require.Less(t, took, 2*time.Minute, name)
		t.Logf("%s: %v, %d dropped", name, took.Round(time.Millisecond), len(n.Dropped))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(build("a = 1", "!ls", "%%bash\nx"))
	f.Add([]byte(`{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","input":["%time a\n","x = !y"]}]}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		var r Reader
		n, err := r.Read(src)
		if err != nil {
			return
		}
		if !valid(n) {
			t.Fatalf("%q", n.Text)
		}
		lines := strings.Count(string(n.Text), "\n")
		for line := 1; line <= lines; line++ {
			if cell, at := n.Place(line); cell < 1 || at < 1 {
				t.Fatalf("line %d of %d is in no cell", line, lines)
			}
		}
	})
}

// FuzzTranslate holds that lines keep their number.
func FuzzTranslate(f *testing.F) {
	f.Add("%time a\n!b \\\nc\n")
	f.Add("%%bash\nx\n")
	f.Fuzz(func(t *testing.T, src string) {
		text := lineEnds([]byte(src))
		if a, b := strings.Count(string(text), "\n"), strings.Count(string(translate(text)), "\n"); a != b {
			t.Fatalf("%d lines became %d", a, b)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	src := []byte(fmt.Sprintf(`{"cells":[{"cell_type":"code","outputs":[{"data":{"image/png":%q}}],"source":["a = 1\n"]}]}`, strings.Repeat("iVBORw0KGgo", 100_000)))
	b.SetBytes(int64(len(src)))
	var r Reader
	for b.Loop() {
		if _, err := r.Read(src); err != nil {
			b.Fatal(err)
		}
	}
}
