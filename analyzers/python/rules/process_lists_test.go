package rules

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProcessLists(t *testing.T) {
	t.Parallel()
	lists, err := readLists(processRows)
	require.NoError(t, err)
	for _, name := range []string{"main-name", "rank-name", "main-decorator", "collective", "collective-owner", "accelerate-collective", "sharded-method", "rng"} {
		require.NotEmpty(t, lists[name], name)
	}
	for _, wrong := range []string{"a", "a\tb\tc", "a\tb\na\tc"} {
		_, err := readLists(wrong)
		require.Error(t, err, wrong)
	}
}
