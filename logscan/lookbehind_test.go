package logscan

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is read piece by piece is what stands there: each record that is short
// enough to be looked at, its place, and what ended it.
func TestEachRecordOfAStretch(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		var text []byte
		for range random.IntN(40) {
			length := random.IntN(200)
			switch random.IntN(8) {
			case 0:
				length = maxRecord - 2 + random.IntN(4)
			case 1:
				length = random.IntN(5 * maxRecord)
			}
			text = append(text, strings.Repeat("x", length)...)
			text = append(text, "\n\r"[random.IntN(2)])
		}
		text = append(text, strings.Repeat("y", random.IntN(2)*random.IntN(3*maxRecord))...)
		fp := &filteredPass{}
		stretch := io.NewSectionReader(bytes.NewReader(text), 0, int64(len(text)))
		ends, err := fp.countEnds(stretch)
		require.NoError(t, err)
		require.EqualValues(t, bytes.Count(text, newline), ends)
		next := 0
		fp.eachRecord(stretch, func(raw []byte, at int64, newLine bool) {
			end := next + bytes.IndexAny(text[next:], "\r\n")
			if end < next {
				end = len(text)
			}
			if long := end-next > maxRecord; long {
				require.True(t, raw == nil || len(raw) == end-next)
			} else {
				require.EqualValues(t, next, at)
				require.Equal(t, string(text[next:end]), string(raw))
			}
			require.Equal(t, end < len(text) && text[end] == '\n', newLine)
			next = end + 1
		})
		require.GreaterOrEqual(t, next, len(text))
	}
}
