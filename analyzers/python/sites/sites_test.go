package sites

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// find gives the sites of a source.
func find(src []byte) (*syntax.Tree, *Result) {
	file := syntax.Parse(src)
	var table names.Table
	table.Build(&file.Tree)
	return &file.Tree, NewFinder().Find(&file.Tree, &table)
}

// TestFixtures holds each line of the fixtures to the site that it wants.
func TestFixtures(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.py")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			tree, res := find(src)
			require.Empty(t, syntax.Parse(src).Errors)
			got := map[int]string{}
			for _, s := range res.Sites {
				what := string(s.Class)
				if s.Kind == site.Decode {
					what = s.Origin
				}
				line := tree.Pos(s.Call).Line
				got[line] = strings.TrimPrefix(got[line]+"; "+fmt.Sprintf("%s %s", s.Kind, what), "; ")
			}
			for i, line := range strings.Split(string(src), "\n") {
				_, want, _ := strings.Cut(line, "# want ")
				if got[i+1] != want {
					t.Errorf("%s:%d: wants %q, got %q: %s", name, i+1, want, got[i+1], strings.TrimSpace(line))
				}
			}
		})
	}
}

// TestFilterLetsThrough holds that no file with a site is left out, statement
// by statement of the fixtures.
func TestFilterLetsThrough(t *testing.T) {
	t.Parallel()
	filter := NewFilter()
	files, err := filepath.Glob("testdata/*.py")
	require.NoError(t, err)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		tree, res := find(src)
		for _, s := range res.Sites {
			line := tree.Pos(s.Call).Line
			text := strings.Split(string(src), "\n")[line-1]
			if s.Class == Serving {
				text = "from vllm import LLM\n" + text // its own name is in every file
			}
			require.True(t, filter.Match([]byte(text)), "%s:%d: %s", name, line, text)
		}
	}
	for _, text := range []string{"", "x", "decoder", "self.decoder(x)", "x.step_size", "model.train_step", "num_inference_steps = 5\n"} {
		require.False(t, filter.Match([]byte(text)), text)
	}
}

// TestFilterOfRepositories holds the same over trees that are not here.
func TestFilterOfRepositories(t *testing.T) {
	repos := os.Getenv("TRAINVET_REPOS")
	if repos == "" {
		t.Skip("TRAINVET_REPOS is not set: it names a folder of public repositories")
	}
	filter, finder := NewFilter(), NewFinder()
	var parser syntax.Parser
	var table names.Table
	checked := 0
	require.NoError(t, filepath.WalkDir(repos, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".py") {
			return err
		}
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		if filter.Match(src) {
			return nil
		}
		checked++
		file := parser.Parse(src)
		table.Build(&file.Tree)
		for _, s := range finder.Find(&file.Tree, &table).Sites {
			t.Errorf("%s: the filter left out %s", path, file.Source(s.Call))
		}
		return nil
	}))
	t.Logf("%d files that the filter leaves out hold no site", checked)
}

func TestShape(t *testing.T) {
	t.Parallel()
	shape := func(src string) site.Shape {
		file := syntax.Parse([]byte(src))
		for n := file.Root(); int(n) < file.Len(); n++ {
			if file.Kind(n) == syntax.Call && file.Kind(file.Parent(n)) == syntax.ExprStmt {
				var s Shaper
				return s.Shape(&file.Tree, n)
			}
		}
		t.Fatal("no call")
		return ""
	}
	base := shape("tok.decode(ids[0], skip=True, n=0xFF, s='a')")
	require.True(t, base.Valid())
	for _, same := range []string{
		"tok.decode(\n  ids[0],  # comment\n  skip=True, n=0xFF, s='a',\n)", `tok.decode((ids[0]), n=0xff, skip=True, s="a")`,
		`tok.decode(ids[0], skip=True, n=0xFF, s=u'a')`, "tok.decode(ids[0], skip=\\\n  True, n=0xF_F, s=\"\"\"a\"\"\")", "self.tok.decode(ids[0], skip=True, n=0xFF, s='a')",
	} {
		require.Equal(t, base, shape(same), same)
	}
	for _, other := range []string{
		"tok.decode(ids[1], skip=True, n=0xFF, s='a')", "tok.decode(ids, skip=True, n=0xFF, s='a')", "tok.decode(ids[0], skip=False, n=0xFF, s='a')",
		"tok.decode(ids[0], skip=True, n=0xFE, s='a')", "tok.decode(ids[0], skip=True, n=0xFF, s='b')", "tok.decode(ids[0], skip=True, n=0xFF, s=b'a')",
		"tok.decode(ids[0], skip=True, n=0xFF)", "tok.decode(*ids[0], skip=True, n=0xFF, s='a')", "tik.decode(ids[0], skip=True, n=0xFF, s='a')",
		"tok.decode(ids[0], skop=True, n=0xFF, s='a')", "tok.decode(ids[0], True, n=0xFF, s='a')", "tok.decode(f'{ids}', skip=True, n=0xFF, s='a')",
	} {
		require.NotEqual(t, base, shape(other), other)
	}
	require.NotEqual(t, shape("f(a < b)"), shape("f(a > b)"))
	require.NotEqual(t, shape("f(a + b)"), shape("f(a - b)"))
	require.NotEqual(t, shape("f([a, b], c)"), shape("f([a], b, c)"))
}

func TestCallee(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"decode(x)": "decode", "self.decode(x)": "decode", "tok.decode(x)": "tok.decode", "self.tok.decode(x)": "tok.decode",
		"a.b.c.decode(x)": "c.decode", "toks[0].decode(x)": "toks[].decode", "get().decode(x)": "get().decode",
		"super().step()": "super().step", "a.b[1][2].step()": "b[].step", "(await f()).decode(x)": "f().decode", "(a or b).decode(x)": "?.decode",
	} {
		file := syntax.Parse([]byte(src))
		for n := file.Root(); int(n) < file.Len(); n++ {
			if file.Kind(n) == syntax.Call && file.Kind(file.Parent(n)) == syntax.ExprStmt {
				require.Equal(t, want, Callee(&file.Tree, n), src)
			}
		}
	}
}

func TestDirectives(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Directive{
		"decode ids=0": {0, -1, false}, "guard ids=1 for people": {-1, 1, false}, "step": {-1, -1, true}, "decode  the ids=2": {2, -1, false},
	} {
		d, err := ParseDirective(text)
		require.NoError(t, err, text)
		require.Equal(t, want, d, text)
	}
	for _, text := range []string{"", "decode", "decode ids=x", "guard ids=-1", "stop", "decode id=0"} {
		_, err := ParseDirective(text)
		require.Error(t, err, text)
	}
}

// TestHostileBindings holds that no number of bindings makes a search long.
func TestHostileBindings(t *testing.T) {
	t.Parallel()
	src := strings.Repeat("x = x.tok\nx = y or x\ny = x if y else y\n", 2000) + strings.Repeat("x.decode(y)\nx.step()\n", 200)
	_, res := find([]byte(src))
	require.NotNil(t, res)
}

// FuzzFind holds that no text breaks the rules.
func FuzzFind(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.py")
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(f, err)
		// Small seeds: the fuzzer makes what is new as small as it can, byte by
		// byte, and does nothing else for a minute with a whole file.
		for _, block := range bytes.Split(src, []byte("\n\n\n")) {
			f.Add(block)
		}
	}
	// Made once: it reads the catalogue, which takes longer than most inputs.
	finder, filter := NewFinder(), NewFilter()
	f.Fuzz(func(t *testing.T, src []byte) {
		file := syntax.Parse(src)
		var table names.Table
		table.Build(&file.Tree)
		tree, res := &file.Tree, finder.Find(&file.Tree, &table)
		var s Shaper
		if len(res.Sites) > 0 && !file.Transcoded && !filter.Match(src) {
			t.Fatalf("the filter leaves out %q", src)
		}
		for _, one := range res.Sites {
			if !s.Shape(tree, one.Call).Valid() || Callee(tree, one.Call) == "" {
				t.Fatalf("a site of %q is not whole", tree.Source(one.Call))
			}
		}
	})
}
