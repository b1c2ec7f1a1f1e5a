package jsonl_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric/jsonl"
)

func read(t testing.TB, text string) ([]string, jsonl.Info) {
	t.Helper()
	var out []string
	info, err := jsonl.Read(context.Background(), iotest.HalfReader(strings.NewReader(text)), func(r *jsonl.Record) error {
		var b strings.Builder
		fmt.Fprint(&b, r.Line, ":")
		for _, v := range r.Values {
			fmt.Fprintf(&b, " %s=%s", v.Name, v.Text)
		}
		require.Equal(t, byte('{'), text[r.Offset])
		require.Equal(t, byte('}'), text[r.End-1])
		out = append(out, b.String())
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, int64(len(text)), info.Bytes)
	return out, info
}

func TestLines(t *testing.T) {
	t.Parallel()
	got, info := read(t, "\xef\xbb\xbf{\"step\": 1, \"loss\": 0.5}\r\n\n  {\"step\": 2, \"val\": {\"loss\": NaN}}\n{'step': 3, 'ok': True}\n{\"msg\": \"no numbers\"}\n{\"step\": 4}")
	require.Equal(t, []string{"1: step=1 loss=0.5", "3: step=2 val/loss=NaN", "4: step=3", "6: step=4"}, got)
	require.Zero(t, info.BadLines)
	require.Nil(t, info.Torn)
}

func TestTornLines(t *testing.T) {
	t.Parallel()
	got, info := read(t, "{\"step\": 1}\n{\"step\": 2, \"lo{\"step\": 3, \"loss\": 1}\n{\"step\": 4} {\"step\": 5}\n{\"step\": 6, \"lo")
	require.Equal(t, []string{"1: step=1", "2: step=3 loss=1", "3: step=5"}, got)
	require.Equal(t, int64(2), info.BadLines)
	require.Equal(t, int64(4), info.Torn.Line)
}

func TestOtherLinesAreCounted(t *testing.T) {
	t.Parallel()
	_, info := read(t, strings.Repeat("banner\n", 100)+"\x00\x00\n")
	require.Equal(t, int64(101), info.BadLines)
	require.Len(t, info.Bad, 16)
}

func TestLongLineIsReadOver(t *testing.T) {
	t.Parallel()
	got, info := read(t, `{"step": 1, "x": "`+strings.Repeat("x", 5<<20)+"\"}\n{\"step\": 2}\n")
	require.Equal(t, []string{"2: step=2"}, got)
	require.Equal(t, int64(1), info.BadLines)
}

func TestErrors(t *testing.T) {
	t.Parallel()
	stop := errors.New("stop")
	_, err := jsonl.Read(context.Background(), strings.NewReader("{\"a\": 1}\n"), func(*jsonl.Record) error { return stop })
	require.ErrorIs(t, err, stop)
	_, err = jsonl.Read(context.Background(), iotest.ErrReader(stop), nil)
	require.ErrorIs(t, err, stop)
}

// FuzzLines: no input panics; records lie inside the file, in order.
func FuzzLines(f *testing.F) {
	f.Add("{\"step\": 1, \"loss\": 0.5}\n{'a': nan}\n{\"a\": {\"b\"{\"c\": 1}\n")
	f.Fuzz(func(t *testing.T, text string) {
		at := int64(0)
		info, err := jsonl.Read(context.Background(), strings.NewReader(text), func(r *jsonl.Record) error {
			if r.Offset < at || r.End > int64(len(text)) || r.End <= r.Offset {
				t.Fatalf("record [%d, %d) behind %d of %d", r.Offset, r.End, at, len(text))
			}
			at = r.End
			return nil
		})
		if err != nil || info.Bytes != int64(len(text)) {
			t.Fatal(err, info)
		}
	})
}
