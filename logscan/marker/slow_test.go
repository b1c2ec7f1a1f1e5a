package marker

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A line of nothing but one marker takes time in proportion to its length: log
// text is untrusted, and a trainer in trouble prints storms.
func TestLinesOfOneMarkerTakeLinearTime(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, p := range tsvLines(t, "testdata/positive.tsv") {
		text := p[1]
		for _, size := range []int{maxLine, 4 * maxLine} {
			line := bytes.Repeat([]byte(text+" "), size/(len(text)+1))
			began := time.Now()
			c.Match(line, nil, Context{})
			took := time.Since(began)
			t.Logf("%v %d %.60s", took, size, text)
			require.Less(t, took, 2*time.Second, text)
		}
	}
}
