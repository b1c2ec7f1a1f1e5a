package guarded

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// stateIn computes the state of the last site of train.py.
func stateIn(t *testing.T, files map[string]string, guards map[string][]Guard) State {
	t.Helper()
	tree := calls.NewTree(calls.Source{
		Has: func(name string) (bool, bool) {
			_, ok := files[name]
			dir := false
			for f := range files {
				dir = dir || strings.HasPrefix(f, name+"/")
			}
			return ok, dir
		},
		Read: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		},
	})
	file := tree.File("train.py")
	found := sites.NewFinder().Find(file.Syntax, file.Names)
	require.NotEmpty(t, found.Sites)
	a := New()
	a.Across, a.Guards = tree, guards
	a.ResetFile(file)
	return a.State(&found.Sites[len(found.Sites)-1])
}

// decode is a function that decodes what a line before it has had in hand.
func decode(imports, line string) string {
	return imports + "\n\ndef evaluate(model, tokenizer, x):\n    ids = model.generate(x)\n    " + line + "\n    return tokenizer.batch_decode(ids)\n"
}

func TestGuardsOfOtherFiles(t *testing.T) {
	t.Parallel()
	const check = "def check(ids, n=100):\n    for i in ids:\n        if i < 0 or i >= n:\n            raise ValueError(i)\n    return ids\n"
	for name, c := range map[string]struct {
		train string
		more  map[string]string
		want  site.State
	}{
		"a function":            {train: decode("from utils.checks import check", "check(ids)"), want: site.Guarded},
		"by its module":         {train: decode("import utils.checks as u", "u.check(ids=ids)"), want: site.Guarded},
		"its result":            {train: decode("from utils.checks import check", "ids = check(ids)"), want: site.Guarded},
		"of another value":      {train: decode("from utils.checks import check", "check(x)"), want: site.Unguarded},
		"behind the decode":     {train: "from utils.checks import check\ndef evaluate(model, tokenizer, x):\n    ids = model.generate(x)\n    out = tokenizer.batch_decode(ids)\n    check(ids)\n    return out\n", want: site.Unguarded},
		"on one path":           {train: decode("from utils.checks import check", "if x: check(ids)"), want: site.Unguarded},
		"of a part":             {train: decode("from utils.checks import check", "check(ids[0])"), want: site.Unguarded},
		"narrowed before":       {train: decode("from utils.checks import check", "ids = ids.to(torch.int16); check(ids)"), want: site.Unguarded},
		"through another":       {train: decode("from utils import verify", "verify(ids)"), more: map[string]string{"utils/__init__.py": "from .checks import check\ndef verify(x):\n    check(x)\n"}, want: site.Guarded},
		"through one of here":   {train: decode("from utils.checks import check\ndef verify(x):\n    check(x)\n", "verify(ids)"), want: site.Guarded},
		"that only prints":      {train: decode("from utils.loud import check", "check(ids)"), more: map[string]string{"utils/loud.py": strings.Replace(check, "raise ValueError(i)", "print(i)", 1)}, want: site.Unguarded},
		"half a check":          {train: decode("from utils.half import check", "check(ids)"), more: map[string]string{"utils/half.py": strings.Replace(check, "i < 0 or ", "", 1)}, want: site.Unguarded},
		"as an assert":          {train: decode("from utils.a import check", "check(ids)"), more: map[string]string{"utils/a.py": "def check(ids):\n    assert min(ids) >= 0 and max(ids) < 9\n"}, want: site.Unguarded},
		"a method of a base":    {train: "from base import Base\nclass T(Base):\n    def run(self, model, x):\n        ids = model.generate(x)\n        self.check(ids)\n        return self.tokenizer.batch_decode(ids)\n", more: map[string]string{"base.py": "class Base:\n" + indent(strings.Replace(check, "(ids,", "(self, ids,", 1))}, want: site.Guarded},
		"a method of an object": {train: "from base import Base\ndef run(model, tokenizer, x):\n    c = Base()\n    ids = model.generate(x)\n    c.check(ids)\n    return tokenizer.batch_decode(ids)\n", more: map[string]string{"base.py": "class Base:\n" + indent(strings.Replace(check, "(ids,", "(self, ids,", 1))}, want: site.Guarded},
		"one that calls back":   {train: decode("from utils.back import check", "check(ids)"), more: map[string]string{"utils/back.py": "from train import again\ndef check(x):\n    again(x)\n"}, want: site.Unguarded},
		"not in the tree":       {train: decode("from fastcheck import check", "check(ids)"), want: site.Unguarded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"train.py": c.train, "utils/checks.py": check}
			for name, text := range c.more {
				files[name] = text
			}
			st := stateIn(t, files, nil)
			require.Equal(t, c.want, st.State, st.Why)
		})
	}
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

// TestNamedGuards holds that a function that somebody names is that function,
// and no other of its name.
func TestNamedGuards(t *testing.T) {
	t.Parallel()
	declared := Guard{Definition: calls.Definition{File: "utils/checks.py", Def: 0}}
	files := map[string]string{"utils/checks.py": "def check(ids): pass\n\ndef other(ids): pass\n", "mine.py": "def check(ids): pass\n"}
	for name, c := range map[string]struct {
		train string
		guard Guard
		want  site.State
	}{
		"declared":                  {decode("from utils.checks import check", "check(ids)"), declared, site.Guarded},
		"declared, by no path":      {decode("from pkg.utils.checks import check", "check(ids)"), declared, site.Guarded},
		"another of the name":       {decode("from mine import check", "check(ids)"), declared, site.Unguarded},
		"another, not of the tree":  {decode("from torch.checks2 import check", "check(ids)"), declared, site.Unguarded},
		"its own":                   {decode("def check(x): pass", "check(ids)"), declared, site.Unguarded},
		"a method of who knows":     {decode("", "model.check(ids)"), declared, site.Unguarded},
		"configured":                {decode("from utils.checks import check", "check(ids)"), Guard{Definition: calls.Definition{Name: "checks.check"}}, site.Guarded},
		"configured, not in tree":   {decode("from lib.checks import check", "check(ids)"), Guard{Definition: calls.Definition{Name: "lib.checks.check"}}, site.Guarded},
		"configured, of another":    {decode("from mine import check", "check(ids)"), Guard{Definition: calls.Definition{Name: "lib.checks.check"}}, site.Unguarded},
		"configured without module": {decode("from mine import check", "check(ids)"), Guard{Definition: calls.Definition{Name: "check"}}, site.Guarded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := map[string]string{"train.py": c.train}
			for name, text := range files {
				all[name] = text
			}
			g := c.guard
			if g.File != "" {
				g.Def = definition(all[g.File])
			}
			st := stateIn(t, all, map[string][]Guard{"check": {g}})
			require.Equal(t, c.want, st.State, st.Why)
		})
	}
}

// definition is the first function of a text.
func definition(text string) syntax.Node {
	file := syntax.Parse([]byte(text))
	for n := range file.Preorder(file.Root()) {
		if file.Kind(n).IsFunction() {
			return n
		}
	}
	return 0
}
