package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/demo"
)

// auditOf runs the program's audit of a path and returns the report.
func auditOf(t *testing.T, path string) (code int, text string) {
	t.Helper()
	var out, errs bytes.Buffer
	p := program()
	p.Stdout, p.Stderr, p.Env = &out, &errs, func(string) string { return "" }
	code = p.Main([]string{"audit", path})
	require.Empty(t, errs.String())
	return code, out.String()
}

// TestDemoFlips holds that the demo's verdict rests on the fault's lines and on
// nothing else: without them the same run is trusted whole.
func TestDemoFlips(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "with")
	require.NoError(t, demo.Write(dir, demo.Log()))
	code, text := auditOf(t, dir)
	require.Equal(t, cli.CodeFound, code)
	require.Contains(t, text, "POISONED")
	require.Contains(t, text, "TRUSTED (captured)  best val loss")

	var clean []byte
	taken := 0
	for line := range bytes.Lines(demo.Log()) {
		if isFault(line) {
			taken++
			continue
		}
		clean = append(clean, line...)
	}
	require.Equal(t, 5, taken)
	dir = filepath.Join(t.TempDir(), "without")
	require.NoError(t, demo.Write(dir, clean))
	code, text = auditOf(t, dir)
	require.Equal(t, cli.CodeOK, code, text)
	require.NotContains(t, text, "POISONED")
}

// isFault recognises the driver's block in the demo's log, which nobody else
// prints: its first line and the indented ones behind it.
func isFault(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Error: ")) || bytes.HasPrefix(line, []byte("\t"))
}
