package supervise

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChooseMode(t *testing.T) {
	t.Parallel()
	const rich = "from rich.progress import track\nfor x in track(range(9)): pass\n"
	roomy := circumstances{left: 1 << 40, reserve: 64 << 20, name: "train"}
	with := func(change func(*circumstances)) circumstances { c := roomy; change(&c); return c }
	for name, tt := range map[string]struct {
		c    circumstances
		want Mode
		why  string
	}{
		"a binary":                  {roomy, File, ""},
		"a terminal alone":          {with(func(c *circumstances) { c.terminal = true; c.script = "print(1)" }), File, ""},
		"tqdm shows bars in a file": {with(func(c *circumstances) { c.terminal = true; c.script = "from tqdm import tqdm" }), File, ""},
		"rich at a terminal":        {with(func(c *circumstances) { c.terminal = true; c.script = rich }), TTY, "train shows bars of rich"},
		"rich without one":          {with(func(c *circumstances) { c.script = rich }), File, ""},
		"opens a stream":            {with(func(c *circumstances) { c.script = "echo x | tee /dev/stderr" }), Pipe, "train opens /dev/stderr"},
		"opens it and has bars":     {with(func(c *circumstances) { c.terminal = true; c.script = rich + "open('/dev/stdout', 'w')" }), Pipe, "train opens /dev/stdout"},
		"tells of it in a comment":  {with(func(c *circumstances) { c.script = "  # never > /dev/stderr\necho x" }), File, ""},
		"detached":                  {with(func(c *circumstances) { c.detached = true; c.script = "echo > /dev/stderr" }), File, ""},
		"a disk that is full":       {with(func(c *circumstances) { c.left = 100 << 20 }), Pipe, "the disk has 100 MiB left, which may not hold the log"},
		"no reserve is wanted":      {with(func(c *circumstances) { c.left, c.reserve = 1, 0 }), File, ""},
		"a disk of unknown size":    {with(func(c *circumstances) { c.left = -1 }), File, ""},
	} {
		mode, why := chooseMode(tt.c)
		require.Equal(t, tt.want, mode, name)
		require.Equal(t, tt.why, why, name)
	}
	for _, r := range modeRows() {
		require.Contains(t, []Mode{Pipe, TTY}, r.mode)
	}
}

func TestScriptOf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script, binary := filepath.Join(dir, "train.py"), filepath.Join(dir, "python3")
	require.NoError(t, os.WriteFile(script, []byte("print(1)\n"), 0o600))
	require.NoError(t, os.WriteFile(binary, []byte("\x7fELF\x00\x01"), 0o600))
	for name, tt := range map[string]struct {
		path       string
		argv       []string
		text, from string
	}{
		"a script that is started":  {script, []string{"train.py"}, "print(1)\n", "train.py"},
		"behind its interpreter":    {binary, []string{"python3", "-u", script, "--lr", "1"}, "print(1)\n", "train.py"},
		"a command":                 {binary, []string{"sh", "-c", "echo > /dev/stderr"}, "echo > /dev/stderr", "its command"},
		"a module":                  {binary, []string{"python3", "-m", "trainer"}, "", ""},
		"a command that is missing": {binary, []string{"sh", "-c"}, "", ""},
		"a binary":                  {binary, []string{"trainer", "--out", dir}, "", ""},
	} {
		text, from := scriptOf(tt.path, tt.argv)
		require.Equal(t, tt.text, text, name)
		require.Equal(t, tt.from, from, name)
	}
}
