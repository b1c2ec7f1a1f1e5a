package faultflow

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerbs(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		"":                    "",
		"plain":               "",
		"%w":                  "w",
		"100%%: %v, %+v %w":   "vvw",
		"%-10s|%6.2f|%#x":     "sfx",
		"%*d %w":              "*dw",
		"%[2]d: %[1]w":        "wd",
		"%[1]w and %[1]v, %d": "vd", // the last use of an argument counts
		"%":                   "",
		"%[":                  "",
	} {
		require.Equal(t, want, string(verbs(format)), format)
	}
}

func TestPlainVerb(t *testing.T) {
	t.Parallel()
	require.Equal(t, 1, plainVerb(`"%v"`, 0))
	require.Equal(t, 11, plainVerb(`"100%% %d: %s"`, 1))
	require.Equal(t, -1, plainVerb(`"%+v"`, 0))
	require.Equal(t, -1, plainVerb(`"%[1]v"`, 0))
	require.Equal(t, -1, plainVerb(`"none"`, 0))
}

// FuzzVerbs: no format makes it panic or invent arguments without end.
func FuzzVerbs(f *testing.F) {
	for _, seed := range []string{"%w", "%[9999999999]d", "%[-1]v", "%*.*f %w", "%%%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, format string) {
		require.LessOrEqual(t, len(verbs(format)), maxArguments)
		for n := range 3 {
			require.Less(t, plainVerb(format, n), len(format))
		}
	})
}
