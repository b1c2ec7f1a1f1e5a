package metric

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLongLinesTakeLinearTime: log text is untrusted, and no shape of it may stall the audit.
func TestLongLinesTakeLinearTime(t *testing.T) {
	c := load(t)
	for name, piece := range map[string]string{
		"values": "loss: 0.5, ", "same": "x=1 ", "words": "word ", "units": "3.2ms ", "open": "[(", "braces": "{'a': 1}",
		"joints": "a/b.c-d@e", "digits": "123456789", "columns": "loss   ", "bars": "|", "clocks": "00:01<", "quotes": "'\"",
		"splits": "val: 0.5 test: 0.6 ", "equals": "a=", "commas": "1,234,", "averages": "loss 1.0 (2.0) ",
	} {
		began := time.Now()
		read(t, c, strings.Repeat(piece, (1<<20)/len(piece))+"\n"+strings.Repeat(strings.Repeat(piece, 90)+"\n", 200))
		require.Less(t, time.Since(began), time.Minute, name)
	}
}
