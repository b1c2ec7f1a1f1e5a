package python

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// circular are statements that bind a name to what holds the name itself. Code in
// use has all of them: `errors = (Timeout, *errors)`, `model = model.module`.
var circular = []string{
	"N = N", "N = (N, N)", "N = (Extra, *N, N)", "N = [N]", "N = {**N, 'k': N}", "N += (N,)", "N = N + N", "N = not N",
	"N = N(N)", "N = wrap(N)", "N = N.N", "N = N.model", "N = N['N']", "N = N[N]", "N = N or N", "N = N if N else N", "N = N == N",
	"N = [N for N in N]", "N = lambda N: N(N)", "N = f'{N}'", "N, N = N, N", "N = (N := N)", "N.N = N", "N = await N", "N = yield N",
	"for N in N: N = N", "with N as N: N = N",
	"try: N = N\nexcept N as N: N = N",
	"other = (N, N)\nN = (other, other)", "other = N.decode(N)\nN = other.decode(other)", "other = N.step\nN = other.step",
	"def other(N=N): return N(other(N))\nN = other", "def N(N=N): return N(N)", "class N(N, N): N = N", "class other(N): pass\nclass N(other): pass",
	// As long branches have it: each may lead to as many again.
	strings.Repeat("N = N\n", 12), strings.Repeat("N = N if N else N\n", 12),
}

// TestCircularNames holds that no analysis follows a name into itself for ever:
// behind each binding of each fixture stands one more that leads back to it.
func TestCircularNames(t *testing.T) {
	t.Parallel()
	var fixtures []string
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".py" && strings.Contains(path, "testdata") {
			fixtures = append(fixtures, path)
		}
		return err
	}))
	require.Greater(t, len(fixtures), 200)
	for k, form := range circular {
		dir := t.TempDir()
		for i, name := range fixtures {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.py", i)), bindAgain(text, form), 0o600))
		}
		_, err := Scan(context.Background(), Options{Root: dir, Folders: []string{dir}, Rules: func(string) bool { return true }})
		require.NoError(t, err, "form %d: %s", k, form)
	}
}

// bindAgain puts a form behind each statement that binds a name alone.
func bindAgain(text []byte, form string) []byte {
	file := syntax.Parse(text)
	lines := bytes.SplitAfter(text, []byte("\n"))
	added := map[int][]byte{} // by the number of the line before
	for n := range file.Tree.Preorder(file.Tree.Root()) {
		name := bound(&file.Tree, n)
		if name == "" {
			continue
		}
		from, to := file.Position(file.Start(n)), file.Position(file.End(n))
		indent := lines[from.Line-1][:from.Column]
		if len(bytes.TrimSpace(indent)) > 0 {
			continue
		}
		for line := range strings.SplitSeq(strings.ReplaceAll(form, "N", name), "\n") {
			added[to.Line] = fmt.Appendf(added[to.Line], "%s%s\n", indent, line)
		}
	}
	var out []byte
	for i, line := range lines {
		out = append(append(out, line...), added[i+1]...)
	}
	return out
}

func bound(tree *syntax.Tree, n syntax.Node) string {
	switch k := tree.Kind(n); {
	case k.IsFunction(), k == syntax.ClassDef:
		return string(tree.Name(n))
	case k == syntax.Assign:
		if target := tree.First(n); tree.Kind(target) == syntax.Name {
			return string(tree.Name(target))
		}
	}
	return ""
}
