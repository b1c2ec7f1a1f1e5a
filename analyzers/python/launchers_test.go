package python

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/site"
)

func TestLaunches(t *testing.T) {
	t.Parallel()
	l := readLaunchers()
	for _, c := range []struct {
		text    string
		starts  bool
		watched bool
	}{
		{"train:\n\tpython train.py --lr 3\n", true, false},
		{"\t@python3 -u train.py\n", true, false},
		{"CUDA_VISIBLE_DEVICES=0 torchrun --nproc 2 train.py\n", true, false},
		{"accelerate launch train.py\n", true, false},
		{"python -m torch.distributed.launch --nproc 2 train.py\n", true, false},
		{"python -m mypkg.train\n", true, false},
		{"trainvet run -- python train.py\n", true, true},
		{"poetry run trainvet run -- python train.py\n", true, true},
		{"python -m trainvet run -- python train.py\n", true, true},
		{"uv run trainvet run -- python train.py\n", true, true},
		{"uv run train.py\n", true, false},
		{"uv run pytest\n", false, false},
		{"[tool.poe.tasks]\ntrain = \"python train.py\"\n", true, false},
		{"[tool.pdm.scripts]\ntrain = {cmd = \"trainvet run -- python train.py\"}\n", true, true},
		{"[testenv]\ncommands =\n    python train.py {posargs}\n", true, false},
		{"requires-python = \">=3.9\"\npython = \"^3.10\"\n", false, false},
		{"\ttrainvet run \\\n\t  -- torchrun train.py\n", true, true},
		{`CMD ["trainvet", "run", "--", "python", "train.py"]` + "\n", true, true},
		{"      run: trainvet run -- accelerate launch train.py\n", true, true},
		{"# python train.py\n", false, false},
		{"python setup.py install\n", false, false},
		{"python -m pytest tests\n", false, false},
		{"python tests/run.py\n", false, false},
		{"python -c 'import torch'\n", false, false},
		{"pip install python-dotenv\n", false, false},
		{"trainvet vet .\n", false, false},
		{"echo 'no python here'\n", false, false},
	} {
		got := l.launches("Makefile", []byte(c.text))
		require.Equal(t, c.starts, len(got) > 0, c.text)
		if c.starts {
			require.Equal(t, c.watched, got[0].watched, c.text)
		}
	}
}

func TestRuntimePolicy(t *testing.T) {
	t.Parallel()
	const source = "def evaluate(model, tokenizer, x):\n    ids = model.generate(x)\n    return tokenizer.batch_decode(ids)\n"
	scan := func(makefile string, opt Options) site.Site {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "train.py"), []byte(source), 0o600))
		if makefile != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "Makefile"), []byte(makefile), 0o600))
		}
		opt.Root, opt.Folders = dir, []string{dir}
		res, err := Scan(context.Background(), opt)
		require.NoError(t, err)
		require.Len(t, res.Sites, 1)
		return res.Sites[0]
	}
	const watched, bare = "train:\n\ttrainvet run -- python train.py\n", "eval:\n\tpython evaluate.py\n"
	require.Equal(t, site.Unguarded, scan("", Options{}).State)
	require.Equal(t, site.Unguarded, scan(bare, Options{}).State)
	s := scan(watched, Options{})
	require.Equal(t, site.Runtime, s.State)
	require.Contains(t, s.Why, "Makefile:2")
	require.Equal(t, site.Unguarded, scan(watched, Options{Source: true}).State)
	s = scan(watched+bare, Options{})
	require.Equal(t, site.Unguarded, s.State)
	require.Contains(t, s.Why, "Makefile:4 starts a program past trainvet run")
}

// TestEntryPoints holds that a command that a package installs starts its
// program past trainvet run, where it gets to a site.
func TestEntryPoints(t *testing.T) {
	t.Parallel()
	const source = "def evaluate(model, tokenizer, x):\n    ids = model.generate(x)\n    return tokenizer.batch_decode(ids)\n"
	for project, want := range map[string]site.State{
		"[project]\nname = \"pkg\"\n":                                          site.Runtime,
		"[project.scripts]\nevaluate = \"pkg.cli:main\"\n":                     site.Unguarded,
		"[tool.poetry.scripts]\nevaluate = \"pkg.cli:main\"\n\n[tool.black]\n": site.Unguarded,
		"[project.scripts]\nshow = \"pkg.show:main\"\n":                        site.Runtime,
		"[project.scripts]\nshow = \"other.cli:main\"\n":                       site.Runtime,
		"[project.urls]\nhome = \"pkg.cli:main\"\n":                            site.Runtime,
		"[tool.poe.tasks]\nrun = \"python -m pkg.cli\"\n":                      site.Unguarded,
		"[tool.poe.tasks]\nrun = \"trainvet run -- python -m pkg.cli\"\n":      site.Runtime,
	} {
		_, res := tree(t, map[string]string{
			"Makefile": "train:\n\ttrainvet run -- python train.py\n", "pyproject.toml": project,
			"pkg/cli.py": "from .inner import evaluate\ndef main(): evaluate()\n", "pkg/inner.py": source, "pkg/show.py": "def main(): pass\n", "pkg/__init__.py": "",
		})
		require.Len(t, res.Sites, 1)
		require.Equal(t, want, res.Sites[0].State, project)
	}
}

func TestNotebookLoads(t *testing.T) {
	t.Parallel()
	_, res := tree(t, map[string]string{
		"Makefile":   "train:\n\ttrainvet run -- python train.py\n",
		"with.ipynb": cells(t, "tokenizer.batch_decode(a)\n%load_ext trainvet\ntokenizer.batch_decode(b)", "tokenizer.batch_decode(c)"),
		"bare.ipynb": cells(t, "%load_ext autoreload", "tokenizer.batch_decode(c)"),
	})
	var states []site.State
	for _, s := range res.Sites {
		states = append(states, s.State)
	}
	require.Equal(t, []site.State{site.Unguarded, site.Unguarded, site.Runtime, site.Runtime}, states)
}

func TestNamedGuards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "train.py"), []byte(
		"from mypkg.checks import in_range\n\ndef evaluate(model, tokenizer, x):\n    ids = model.generate(x)\n    in_range(tokenizer, ids)\n    return tokenizer.batch_decode(ids)\n"), 0o600))
	for guard, want := range map[string]site.State{"mypkg.checks.in_range:1": site.Guarded, "in_range:0": site.Unguarded, "other": site.Unguarded} {
		res, err := Scan(context.Background(), Options{Root: dir, Folders: []string{dir}, Guards: []string{guard}})
		require.NoError(t, err)
		require.Len(t, res.Sites, 1)
		require.Equal(t, want, res.Sites[0].State, guard)
	}
}
