package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/cli"
)

// TestReadmeIsTrue holds the transcript of README.md against the program.
func TestReadmeIsTrue(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), "```text\n")
	require.True(t, ok, "README.md has no transcript")
	block, after, _ := strings.Cut(rest, "```")
	readme, err := filepath.Abs("../../README.md")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	p := program()
	p.Stdout, p.Stderr, p.Env = &out, &errs, func(string) string { return "" }
	require.Equal(t, cli.CodeOK, p.Main([]string{"demo", "--dir", "run"}), errs.String())
	if *update {
		lines := strings.SplitAfterN(out.String(), "\n", strings.Count(block, "\n")+1)
		block = strings.Join(lines[:len(lines)-1], "")
		require.NoError(t, os.WriteFile(readme, []byte(before+"```text\n"+block+"```"+after), 0o644))
	}
	require.True(t, strings.HasPrefix(out.String(), block), "README.md says\n%s\nbut the demo prints\n%s", block, out.String())
}

// TestDocumentedConfigurationHolds reads the example of docs/audit.md as a
// user's file would be read.
func TestDocumentedConfigurationHolds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/audit.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), "```toml\n")
	require.True(t, ok)
	example, _, _ := strings.Cut(rest, "```")
	c, err := schema().Parse("trainvet.toml", []byte(example))
	require.NoError(t, err)
	_, err = rowsOf(c).check()
	require.NoError(t, err)
	_, err = thresholds(c)
	require.NoError(t, err)
	require.Len(t, c.Rows("markers"), 1)
	require.Len(t, c.Rows("metrics"), 1)
	require.Len(t, c.Rows("formats"), 1)
}

// TestEveryFlagIsDocumented holds that a flag of a command stands in README.md
// or below docs, and that a flag that stands there behind a command exists.
func TestEveryFlagIsDocumented(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	var all strings.Builder
	for _, name := range append(pages, "../../README.md") {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		all.Write(text)
	}
	docs := all.String()
	known := map[string]bool{"help": true, "version": true}
	var walk func(prefix string, list []cli.Command)
	walk = func(prefix string, list []cli.Command) {
		for _, c := range list {
			walk(prefix+c.Name+" ", c.Commands)
			for _, f := range c.Flags {
				known[f.Name] = true
				require.Regexp(t, "--"+regexp.QuoteMeta(f.Name)+`\b`, docs, "--%s of trainvet %s is documented nowhere", f.Name, prefix+c.Name)
			}
		}
	}
	walk("", program().Commands)
	for _, name := range []string{"color", "output", "config", "quiet", "verbose", "format"} { // of every command
		known[name] = true
	}
	for _, line := range regexp.MustCompile(`trainvet [a-z]+[^\n`+"`"+`]*`).FindAllString(docs, -1) {
		own, _, _ := strings.Cut(line, " -- ") // what stands behind is another program's
		for _, f := range regexp.MustCompile(` --([a-z][a-z-]*)`).FindAllStringSubmatch(own, -1) {
			require.True(t, known[f[1]], "no command has --%s, of which the docs say: %s", f[1], line)
		}
	}
}
