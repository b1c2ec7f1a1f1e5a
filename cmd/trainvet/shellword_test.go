package main

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShellWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		".trainvet/runs/20260810-142233-7f3a1c": ".trainvet/runs/20260810-142233-7f3a1c",
		"":                                      "''",
		"a b;c":                                 "'a b;c'",
		"it's":                                  `'it'\''s'`,
		"$(rm x)":                               "'$(rm x)'",
		"dir\xff":                               `$'dir\xff'`,
		"a\nb\\'":                               `$'a\x0ab\\\''`,
	} {
		got := shellWord(text)
		require.Equal(t, want, got)
		if bash, err := exec.LookPath("bash"); err == nil {
			out, err := exec.Command(bash, "-c", "printf %s "+got).Output()
			require.NoError(t, err)
			require.Equal(t, text, string(out))
		}
	}
}
