package syntax

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew, with CPython 3.13 where TRAINVET_PYTHONS names it")

// TestGrammar holds every construct against what CPython 3.13 made of it once,
// so that a machine without Python checks it too. Files whose names end in 314
// are newer and read over by hand.
func TestGrammar(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/grammar/*.py")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		f := Parse(src)
		require.Empty(t, f.Errors, name)
		checkTree(t, f)
		var ours bytes.Buffer
		newDumper(&ours, &f.Tree, 3, 13).dump()
		golden := strings.TrimSuffix(name, ".py") + ".golden"
		if *update {
			writeGolden(t, name, golden, ours.Bytes())
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		a, b := bytes.Split(ours.Bytes(), []byte("\n")), bytes.Split(want, []byte("\n"))
		for i := range min(len(a), len(b)) {
			if !sameLine(a[i], b[i]) {
				t.Fatalf("%s: line %d of the dump\n  have %s\n  want %s", name, i+1, a[i], b[i])
			}
		}
		require.Len(t, a, len(b), name)
	}
}

func writeGolden(t *testing.T, name, golden string, ours []byte) {
	t.Helper()
	if strings.HasSuffix(name, "314.py") {
		require.NoError(t, os.WriteFile(golden, ours, 0o644))
		return
	}
	interpreter := os.Getenv("TRAINVET_PYTHONS")
	if interpreter == "" {
		return // ours is no witness for ours
	}
	cmd := exec.Command(interpreter, "-I", "-c", dumpScript)
	cmd.Stdin = strings.NewReader(name)
	out, err := cmd.Output()
	require.NoError(t, err)
	lines := bytes.SplitAfter(out, []byte("\n"))
	require.Contains(t, string(lines[1]), "=ok", "%s", lines[1])
	require.NoError(t, os.WriteFile(golden, bytes.Join(lines[2:len(lines)-2], nil), 0o644))
}
