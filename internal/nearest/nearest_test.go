package nearest

import (
	"strings"
	"testing"
)

func TestWord(t *testing.T) {
	t.Parallel()
	names := []string{"audit", "demo", "explain", "version", "--format", "--require", "--require-level", "nccl-timeout"}
	for word, want := range map[string]string{
		"audti":         "audit",
		"Audit":         "audit",
		"exlpain":       "explain",
		"--fromat":      "--format",
		"--require-lvl": "--require-level",
		"nccl":          "nccl-timeout",
		"ver":           "version",
		"train":         "",
		"x":             "",
		"":              "",
		"--req":         "", // two begin with it
	} {
		if got := Word(word, names); got != want {
			t.Errorf("Word(%q) = %q, want %q", word, got, want)
		}
	}
	if got := Word(strings.Repeat("a", 1<<20), names); got != "" {
		t.Errorf("a megabyte is near %q", got)
	}
}
