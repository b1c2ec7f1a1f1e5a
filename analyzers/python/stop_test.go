package python

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/rules"
	"github.com/trainvet/trainvet/analyzers/python/sites"
)

// TestStopped holds that a file is given up in its midst.
func TestStopped(t *testing.T) {
	t.Parallel()
	const n = 200
	dir := t.TempDir()
	name := filepath.Join(dir, "eval.py")
	source := "def f(model, tokenizer, x, rows):\n" + strings.Repeat(
		"    try:\n        ids = model.generate(x)\n        rows.append(tokenizer.batch_decode(ids))\n    except Exception as e:\n        rows.append(str(e))\n", n)
	require.NoError(t, os.WriteFile(name, []byte(source), 0o600))
	for asked := range 2 * n {
		left := asked
		opt := Options{Root: dir}
		set := rules.NewSet(rules.All(), running(opt))
		w := newWorker(func() bool { left--; return left < 0 }, opt, newLooker(sites.NewFilter(), set), calls.NewTree(calls.Source{
			Has: func(string) (bool, bool) { return false, false }, Read: func(string) ([]byte, error) { return nil, os.ErrNotExist },
		}), nil)
		w.file(name)
		require.LessOrEqual(t, len(w.res.Sites), asked)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Scan(ctx, Options{Root: dir, Files: []string{name}})
	require.ErrorIs(t, err, context.Canceled)
}

// TestDamageWithoutSite holds that what a rule could not read is named too.
func TestDamageWithoutSite(t *testing.T) {
	t.Parallel()
	_, res := tree(t, map[string]string{
		"plain.py": "import torch\nfrom torch import nn\n\nx = = 3\n\ndef f(net, loader):\n    net = nn.parallel.DistributedDataParallel(net)\n    net.to('cuda')\n",
	})
	require.Empty(t, res.Sites)
	require.Len(t, res.Units, 1)
	require.Contains(t, res.Units[0].Problem, "a statement cannot be read as Python")
	require.Empty(t, res.Possible, "no site can be missing there")
}
