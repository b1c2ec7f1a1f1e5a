package marker

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A line of nothing but events that count each on its own costs what its length
// says: log text is untrusted, and drivers print storms. The limit is far above
// what a loaded machine needs, and far below the square.
func TestALineOfManyEventsTakesLinearTime(t *testing.T) {
	t.Parallel()
	c := load(t)
	line := bytes.Repeat([]byte("NVRM: Xid (PCI:0000:3b:00): 31, pid=123, name=python, Ch 8 "), (2<<20)/59)
	began := time.Now()
	found := events(c.Match(line, nil, Context{}))
	require.Greater(t, len(found), 10_000)
	require.Less(t, time.Since(began), 20*time.Second)
}
