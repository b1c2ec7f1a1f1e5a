package machine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStatOfAProcess(t *testing.T) {
	t.Parallel()
	const rest = " 1 4242 4242 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 3 0 987654 1 2 3"
	p, ok := parseStat("4242 (a) b) D" + rest)
	require.True(t, ok)
	require.Equal(t, procStat{pid: 4242, name: "a) b", state: 'D', flags: 4194560, started: "987654"}, p)
	for _, bad := range []string{"", "x", "1 (a", "1 (a) R", ") 1 ("} {
		_, ok := parseStat(bad)
		require.False(t, ok, bad)
	}
}

func FuzzStat(f *testing.F) {
	f.Add("4242 (a) b) D 1 4242 4242 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 3 0 987654 1 2 3")
	f.Fuzz(func(_ *testing.T, text string) { parseStat(text) })
}
