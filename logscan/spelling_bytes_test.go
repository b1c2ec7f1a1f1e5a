package logscan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestACounterBehindBytesThatAreNoText: small letters take more room there.
func TestACounterBehindBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	for _, front := range []string{"", "\xff\xfe\xfd ", strings.Repeat("\xff", 40), strings.Repeat("\u0130", 9)} {
		n := &learner{sp: &spelling{}, seen: map[string]bool{}}
		n.counter([]byte(front+"Row Remapper: UNCORRECTABLE errors: 0 of them"), "uncorrectable errors")
		require.Contains(t, n.sp.nonzero, "ectable errors: 7 of t", front)
		n.counter([]byte(front+"ends with UNCORRECTABLE errors"), "uncorrectable errors")
	}
}
