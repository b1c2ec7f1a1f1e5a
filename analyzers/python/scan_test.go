package python

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/site"
)

// tree writes files and scans the folder.
func tree(t *testing.T, files map[string]string) (string, *Result) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir, rescan(t, dir)
}

func rescan(t *testing.T, dir string) *Result {
	t.Helper()
	res, err := Scan(context.Background(), Options{Root: dir, Folders: []string{dir}})
	require.NoError(t, err)
	return res
}

func ids(res *Result) []string {
	var out []string
	for _, s := range res.Sites {
		out = append(out, s.ID.String())
	}
	return out
}

func problems(res *Result) map[string]string {
	out := map[string]string{}
	for _, u := range res.Units {
		if u.Problem != "" {
			out[u.Name] = u.Problem
		}
	}
	return out
}

func TestSitesOfATree(t *testing.T) {
	t.Parallel()
	_, res := tree(t, map[string]string{
		"train.py":                 "class Trainer:\n    def _run_batch(self, loss):\n        self.scaler.step(self.optimizer)\n        self.scaler.update()\n",
		"eval.py":                  "def evaluate(model, tokenizer):\n    out = model.generate()\n    a = tokenizer.batch_decode(out)\n    b = tokenizer.batch_decode(out)\n    c = tokenizer.batch_decode(out, True)\n",
		"tests/test_eval.py":       "tokenizer.batch_decode(x)\n",
		"plain.py":                 "x = 1\n",
		"venv/lib/thing.py":        "tokenizer.batch_decode(x)\n",
		"src/node_modules/a/b.py":  "tokenizer.batch_decode(x)\n",
		"src/__pycache__/thing.py": "tokenizer.batch_decode(x)\n",
	})
	require.Equal(t, []string{
		"eval.py::evaluate::tokenizer.batch_decode", "eval.py::evaluate::tokenizer.batch_decode#2", "eval.py::evaluate::tokenizer.batch_decode",
		"tests/test_eval.py::<module>::tokenizer.batch_decode",
		"train.py::Trainer._run_batch::scaler.step",
	}, ids(res))
	s := res.Sites[0]
	require.Equal(t, site.Position{File: "eval.py", Line: 3, Column: 9}, s.At)
	require.Equal(t, site.Position{File: "eval.py", Line: 3, Column: 36}, s.End)
	require.Equal(t, site.Unguarded, s.State)
	require.Equal(t, "generated", s.Origin)
	require.False(t, s.Test)
	require.True(t, res.Sites[3].Test)
	require.Equal(t, site.Uncounted, res.Sites[4].State)
	require.Equal(t, []site.Related{{At: site.Position{File: "train.py", Line: 4, Column: 9}, Message: "scaler.update belongs to it"}}, res.Sites[4].Parts)
	require.Empty(t, problems(res))
	require.Len(t, res.Units, 4)
}

// cells writes a notebook with these code cells.
func cells(t *testing.T, code ...string) string {
	t.Helper()
	type cell struct {
		Type   string `json:"cell_type"`
		Source string `json:"source"`
	}
	list := []cell{{"markdown", "# text"}}
	for _, c := range code {
		list = append(list, cell{"code", c})
	}
	text, err := json.Marshal(map[string]any{"nbformat": 4, "cells": list, "metadata": map[string]any{}})
	require.NoError(t, err)
	return string(text)
}

func TestNotebook(t *testing.T) {
	t.Parallel()
	_, res := tree(t, map[string]string{
		"run.ipynb":  cells(t, "%pip install x\ntok = AutoTokenizer.from_pretrained('a')\nit = tok", "def (", "x = 1\nit.decode(x)"),
		"none.ipynb": "tokenizer.decode(",
	})
	require.Equal(t, []string{"run.ipynb::<module>::it.decode"}, ids(res))
	require.Equal(t, site.Position{File: "run.ipynb", Cell: 4, Line: 2, Column: 1}, res.Sites[0].At)
	require.Contains(t, problems(res)["none.ipynb"], "no notebook")
	require.Contains(t, problems(res)["run.ipynb"], "cannot be read as Python")
}

func TestIgnores(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src      string
		from, to int
	}{
		"behind a call":      {"x = 1\ntok.decode(x)  # trainvet: ignore[TV201] r", 2, 2},
		"above a call":       {"# trainvet: ignore[TV201] r\ntok.decode(\n  x)\ny", 1, 3},
		"within a call":      {"tok.decode(\n  x,  # trainvet: ignore[TV201] r\n)", 1, 3},
		"above an if":        {"# trainvet: ignore[TV201] r\nif (a and\n    b):\n  tok.decode(x)", 1, 3},
		"behind an if":       {"if a:  # trainvet: ignore[TV201] r\n  tok.decode(x)", 1, 1},
		"above a decorated":  {"# trainvet: ignore[TV201] r\n@d\ndef f():\n  tok.decode(x)", 1, 3},
		"behind an except":   {"try:\n  a\nexcept E:  # trainvet: ignore[TV201] r\n  tok.decode(x)", 3, 3},
		"more lines of it":   {"# trainvet: ignore[TV201] r\n# and why\ntok.decode(x)", 1, 3},
		"a blank in between": {"# trainvet: ignore[TV201] r\n\ntok.decode(x)", 1, 1},
		"without a space":    {"tok.decode(x) #trainvet: ignore[TV201] r", 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, res := tree(t, map[string]string{"a.py": c.src})
			require.Len(t, res.Ignores, 1)
			ig := res.Ignores[0]
			require.Equal(t, []string{"TV201"}, ig.Codes)
			require.Contains(t, ig.Reason, "r")
			require.Empty(t, ig.Problem)
			require.Equal(t, [2]int{c.from, c.to}, [2]int{ig.From, ig.To})
		})
	}
	_, res := tree(t, map[string]string{"a.py": "s = '''\n# trainvet: ignore[TV201] text\n'''\ntok.decode(s)  # trainvet: ignore[TV201,TV101] until=2027-06-30 why\n# trainvet: ignore TV201\n"})
	require.Len(t, res.Ignores, 2)
	require.Equal(t, "2027-06-30", res.Ignores[0].Until)
	require.Equal(t, "why", res.Ignores[0].Reason)
	require.Equal(t, []string{"TV201", "TV101"}, res.Ignores[0].Codes)
	require.NotEmpty(t, res.Ignores[1].Problem)
}

func TestDirectives(t *testing.T) {
	t.Parallel()
	_, res := tree(t, map[string]string{
		"a/text.py":  "# trainvet: decode ids=1\ndef render(table, rows):\n    return ''\n\n@wrapped\ndef advance(x):  # trainvet: step\n    pass\n",
		"b/use.py":   "from a.text import render, advance\nrender(t, [1, 2])\nadvance(3)\nobj.advance(3)\nother(1)\n",
		"b/own.py":   "def render(t, x): pass\nrender(t, [1, 2])\n",
		"b/wrong.py": "# trainvet: stop\ndef f(): pass\n# trainvet: step\nx = 1\n",
	})
	require.Equal(t, []string{"b/use.py::<module>::render", "b/use.py::<module>::advance"}, ids(res))
	require.Equal(t, "directive", res.Sites[0].By)
	require.Equal(t, "constant", res.Sites[0].Origin)
	require.Len(t, res.Findings, 2)
	require.Equal(t, "TV907", res.Findings[0].Code)
}

func TestGitSaysWhatIsInTheTree(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	dir, _ := tree(t, map[string]string{
		".gitignore": "out/\n", "out/gen.py": "tok.batch_decode(x)", "new.py": "tok.batch_decode(x)", "sub/gone.py": "tok.batch_decode(x)",
		"site-packages/own.py": "tok.batch_decode(x)",
	})
	for _, args := range [][]string{{"init", "-q"}, {"add", "sub"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		require.NoError(t, cmd.Run())
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "sub", "gone.py")))
	res := rescan(t, dir)
	require.Equal(t, []string{"new.py::<module>::tok.batch_decode", "site-packages/own.py::<module>::tok.batch_decode"}, ids(res))
	require.Empty(t, problems(res))
}

func TestSubmodulesAreNamed(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	dir, _ := tree(t, map[string]string{
		"train.py": "tok.batch_decode(x)", ".gitmodules": "[submodule \"dep\"]\n\tpath = third/dep\n\turl = x\n", "third/dep/a.py": "tok.batch_decode(x)",
	})
	cmds := [][]string{{"init", "-q"}, {"-C", "third/dep", "init", "-q"}}
	for _, args := range cmds {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		require.NoError(t, cmd.Run())
	}
	res := rescan(t, dir)
	require.Equal(t, []string{"train.py::<module>::tok.batch_decode"}, ids(res))
	require.Contains(t, problems(res)["third/dep"], "it is a submodule")
}

func TestWorkersAgree(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 200 {
		files[strings.Repeat("d/", i%5)+"f"+string(rune('a'+i%26))+strings.Repeat("x", i/26)+".py"] = "def f(x):\n    tok.batch_decode(x)\n    opt.step()\n"
	}
	files["d/checks.py"] = "from d.deeper import bound\ndef check(ids):\n    bound(ids)\n"
	files["d/deeper.py"] = "from d.checks import check\ndef bound(ids):\n    if min(ids) < 0 or max(ids) > 9: raise ValueError\ndef other(ids):\n    check(ids)\n"
	for i := range 60 {
		files["use/u"+strconv.Itoa(i)+".py"] = "from d.checks import check\nfrom d.deeper import other\ndef f(m, x):\n    ids = m.generate(x)\n    " + []string{"check", "other"}[i%2] + "(ids)\n    tok.batch_decode(ids)\n"
	}
	dir, one := tree(t, files)
	require.Equal(t, site.Guarded, one.Sites[len(one.Sites)-1].State)
	for _, n := range []int{1, 3, 8} {
		res, err := Scan(context.Background(), Options{Root: dir, Folders: []string{dir}, Workers: n})
		require.NoError(t, err)
		require.Equal(t, one, res)
	}
}

// TestHostile holds that nothing in a tree makes a scan fail, hang or grow, and
// that what was not analysed is named.
func TestHostile(t *testing.T) {
	t.Parallel()
	decode := "tok.batch_decode(x)\n"
	dir, _ := tree(t, map[string]string{
		"good.py":     decode,
		"deep.py":     decode + "x = " + strings.Repeat("(", 5_000_000) + "\n" + decode,
		"line.py":     decode + "x = '" + strings.Repeat("a", 50<<20) + "'\n",
		"nul.py":      decode + "x = \x00\x00\n" + decode,
		"latin.py":    "# -*- coding: latin-1 -*-\n# \xe9\n" + decode,
		"bad.py":      "# \xff\xfe\xe9\n" + decode,
		"cookie.py":   "# coding: no-such-thing\n" + decode,
		"utf16.py":    "\xff\xfet\x00o\x00k\x00\n\x00",
		"empty.py":    "",
		"steps.py":    strings.Repeat("a.step()\n", 20000),
		"many.py":     strings.Repeat(decode, maxSites+5),
		"comments.py": strings.Repeat("x = 1 # trainvet: ignore[TV201] r\n", 5000),
		"print.py":    "print 'x'\n" + decode,
		"half.py":     "def f(:\n    " + decode + decode,
	})
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("..", filepath.Join(dir, "loop")))
		require.NoError(t, os.Symlink("self.py", filepath.Join(dir, "self.py")))
		require.NoError(t, os.Symlink("good.py", filepath.Join(dir, "again.py")))
		require.NoError(t, os.Symlink("/nowhere/else.py", filepath.Join(dir, "away.py")))
	}
	locked := filepath.Join(dir, "locked.py")
	require.NoError(t, os.WriteFile(locked, []byte(decode), 0o000))
	began := time.Now()
	res := rescan(t, dir)
	t.Logf("scanned in %v", time.Since(began).Round(time.Millisecond))
	got := strings.Join(ids(res), "\n")
	for _, name := range []string{"good.py", "deep.py", "nul.py", "latin.py", "bad.py", "cookie.py", "print.py", "half.py"} {
		require.Contains(t, got, name+"::", name)
	}
	require.NotContains(t, got, "again.py")
	named := problems(res)
	t.Log(named)
	require.Contains(t, named["line.py"], "the limit is")
	require.Contains(t, named["many.py"], "10005 calls are sites")
	for _, name := range []string{"deep.py", "nul.py", "half.py"} {
		require.NotEmpty(t, named[name], name)
	}
	if runtime.GOOS != "windows" {
		require.Contains(t, named["away.py"], "outside of the tree")
	}
	if os.Getuid() != 0 {
		require.Contains(t, named["locked.py"], "permission denied")
	}
	require.Empty(t, named["good.py"]+named["latin.py"]+named["print.py"]+named["empty.py"])
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	dir, _ := tree(t, map[string]string{"a.py": "x"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Scan(ctx, Options{Root: dir, Folders: []string{dir}})
	require.ErrorIs(t, err, context.Canceled)
}

func TestLineCursor(t *testing.T) {
	t.Parallel()
	c := lineCursor{text: []byte("a\nbb\nccc"), line: 1}
	for _, line := range []int{1, 3, 2, 4, 9, 1} {
		want := len(c.text)
		if line <= 3 {
			want = len(bytes.Join(bytes.SplitAfter(c.text, []byte("\n"))[:line-1], nil))
		}
		require.Equal(t, want, c.seek(line), line)
	}
}
