package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArms holds that a first -- stays where a command parts its arguments by
// it, that flags may follow it, and that a second one ends them.
func TestArms(t *testing.T) {
	app := &App{Name: "toy", Commands: []Command{{Name: "both", Arms: true, MaxArgs: -1, Flags: []Flag{{Name: "all"}}}}}
	for words, want := range map[string]string{
		"both a -- b --all":    "a -- b",
		"both a -- b -- --all": "a -- b --all",
		"both a b":             "a b",
	} {
		l, err := app.arrange(strings.Fields(words))
		require.NoError(t, err)
		require.Equal(t, want, strings.Join(l.args, " "), words)
		require.Equal(t, strings.HasSuffix(words, "b --all"), len(l.flags) == 1, words)
	}
}
