package marker

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of many events in one line only the first are told from quotations each on
// its own; the others go with them, and none is lost.
func TestALineOfManyEvents(t *testing.T) {
	t.Parallel()
	c := load(t)
	storm := strings.Repeat("NVRM: Xid (PCI:0000:3b:00): 31, pid=123, name=python, Ch 8 ", 4*maxProofs)
	require.Len(t, events(c.Match([]byte(storm), nil, Context{})), 4*maxProofs)
	told := c.Match([]byte("> "+storm), nil, Context{})
	require.Len(t, told, 4*maxProofs)
	for _, m := range told {
		require.NotEmpty(t, m.Quoted)
	}
}
