package source

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamesOfFoldersMayHoldAnything: letters that change their length with their
// case, and bytes that are no letters.
func TestNamesOfFoldersMayHoldAnything(t *testing.T) {
	t.Parallel()
	for rel, want := range map[string]string{
		"a/checkpoint-5/trainer_state.json": "a",
		"A/Logs/run.log":                    "A",
		"dir\xff\xfe/run/run.log":           "dir\xff\xfe/run",
		"\xff/attempt_0/1/stdout.log":       "\xff",
		"İstanbul/wandb/x/output.log":       "İstanbul",
		"KKK/WANDB/x/output.log":            "KKK",
		"wandb/x/output.log":                "",
		"run.log":                           "",
	} {
		require.Equal(t, want, homeOf(rel), rel)
	}
}

func FuzzHomeOf(f *testing.F) {
	f.Add("a/wandb/x")
	f.Add("dir\xff\xfe/run/run.log")
	f.Fuzz(func(t *testing.T, rel string) {
		if home := homeOf(rel); !strings.Contains(path.Clean(rel), home) {
			t.Fatalf("%q is no part of %q", home, rel)
		}
	})
}
