package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

type shown struct {
	No   int64
	Text string
	Bar  bool
}

func readShown(t *testing.T, r io.Reader, st Style) []shown {
	t.Helper()
	var got []shown
	require.NoError(t, NewLines(r, st).Each(context.Background(), func(l *Line) error {
		got = append(got, shown{l.No, string(l.Text), l.Bar})
		return nil
	}))
	return got
}

func TestRecords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want []shown
	}{
		"lines":           {"a\nb\n", []shown{{1, "a", false}, {2, "b", false}}},
		"no end":          {"a\nb", []shown{{1, "a", false}, {2, "b", false}}},
		"blank lines":     {"a\n\nb\n", []shown{{1, "a", false}, {2, "", false}, {3, "b", false}}},
		"crlf":            {"a\r\nb\r\n", []shown{{1, "a", false}, {2, "b", false}}},
		"bars":            {"10%\r20%\r30%\nend\n", []shown{{1, "10%", true}, {1, "20%", true}, {1, "30%", true}, {2, "end", false}}},
		"bar, then crlf":  {"10%\r\r\nend", []shown{{1, "10%", true}, {2, "end", false}}},
		"bar at the end":  {"10%\r", []shown{{1, "10%", true}}},
		"keras":           {"1/2 - loss: 2\b\b\b\b\b\b\r2/2 - loss: 1\n", []shown{{1, "1/2 - loss: 2", true}, {1, "2/2 - loss: 1", true}}},
		"keras, no \\r":   {"1/2 - loss: 2\b\b\b\b\b\b2/2 - loss: 1\n", []shown{{1, "1/2 - loss: 2", true}, {1, "2/2 - loss: 1", true}}},
		"spinner":         {"a|\b/\b-\n", []shown{{1, "a-", false}}},
		"hole at start":   {strings.Repeat("\x00", 100) + "a\n", []shown{{1, "a", false}}},
		"byte order mark": {"\ufeffa\n", []shown{{1, "a", false}}},
		"empty":           {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, readShown(t, strings.NewReader(c.in), Style{}))
			require.Equal(t, c.want, readShown(t, iotest.OneByteReader(strings.NewReader(c.in)), Style{}))
		})
	}
}

// However the bytes arrive, the records, their offsets and their numbers are
// the same, and the records cover the source.
func TestRecordsDoNotDependOnReads(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"loss 0.31 ", "\n", "\r", "\r\n", "\b", "\b\b\b\b", "\x1b[31m", "\x00", "█", "[rank1]:", strings.Repeat("x", 70000), strings.Repeat("word ", 20000)}
	for range 60 {
		var b strings.Builder
		for range rng.IntN(40) {
			b.WriteString(alphabet[rng.IntN(len(alphabet))])
		}
		text := b.String()
		whole, wholeStats := collect(t, strings.NewReader(text))
		parts, partStats := collect(t, &choppy{r: strings.NewReader(text), rng: rng})
		require.Equal(t, whole, parts)
		require.Equal(t, wholeStats, partStats)
		covers(t, text, whole)
	}
}

func collect(t *testing.T, r io.Reader) ([]Line, Stats) {
	t.Helper()
	l := NewLines(r, Style{})
	var got []Line
	require.NoError(t, l.Each(context.Background(), func(line *Line) error {
		c := *line
		c.Text = bytes.Clone(line.Text)
		got = append(got, c)
		return nil
	}))
	return got, l.Stats()
}

// covers: between the records stands nothing but ends and control.
func covers(t *testing.T, text string, lines []Line) {
	t.Helper()
	at, number := int64(0), int64(1)
	for _, l := range lines {
		if l.Overlap == 0 && l.Offset > at {
			gap := text[at:l.Offset]
			number += int64(strings.Count(gap, "\n"))
			require.Empty(t, strings.Trim(string(Clean([]byte(gap), nil)), " "), "at %d", at)
		}
		require.Equal(t, number, l.No)
		at = l.End
	}
	require.Empty(t, strings.Trim(string(Clean([]byte(text[at:]), nil)), " "))
}

type choppy struct {
	r   io.Reader
	rng *rand.Rand
}

func (c *choppy) Read(p []byte) (int, error) {
	return c.r.Read(p[:min(len(p), 1+c.rng.IntN(5000))])
}

func TestLongRecordLosesNothing(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 60000 {
		fmt.Fprintf(&b, "value%d=%d ", i, i)
	}
	b.WriteString("\nnext\n")
	lines, _ := collect(t, strings.NewReader(b.String()))
	var joined []byte
	for i, l := range lines[:len(lines)-1] {
		require.LessOrEqual(t, len(l.Text), maxRecord)
		require.Equal(t, i < len(lines)-2, l.More)
		require.Equal(t, i > 0, l.Overlap > 0)
		require.True(t, l.Overlap == 0 || bytes.HasSuffix(joined, l.Text[:l.Overlap]))
		joined = append(joined, l.Text[l.Overlap:]...)
	}
	require.Equal(t, strings.TrimSuffix(b.String(), "\nnext\n"), string(joined))
	require.Equal(t, "next", string(lines[len(lines)-1].Text))
}

// A gigabyte without a line end: of text, of NUL.
func TestEndlessRecordInBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads two gigabytes")
	}
	for name, b := range map[string]byte{"text": 'x', "NUL": 0} {
		t.Run(name, func(t *testing.T) {
			const size = 1 << 30
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			l := NewLines(io.LimitReader(endless(b), size), Style{})
			pieces := 0
			require.NoError(t, l.Each(context.Background(), func(*Line) error { pieces++; return nil }))
			runtime.ReadMemStats(&after)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2<<20))
			require.EqualValues(t, size, l.Stats().Bytes)
			require.EqualValues(t, 1, l.Stats().Lines)
			if b == 0 {
				require.Equal(t, []Hole{{0, size}}, l.Stats().Holes)
				require.Zero(t, pieces)
			} else {
				require.Greater(t, pieces, size/maxRecord)
			}
		})
	}
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestHoles(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("\x00", 5000)
	text := "a\n" + zeros + "b\x00c\nd" + zeros + "e\n"
	l := NewLines(iotest.HalfReader(strings.NewReader(text)), Style{})
	var got []string
	require.NoError(t, l.Each(context.Background(), func(l *Line) error { got = append(got, string(l.Text)); return nil }))
	require.Equal(t, []string{"a", "bc", "de"}, got)
	require.Equal(t, []Hole{{2, 5000}, {2 + 5000 + 5, 5000}}, l.Stats().Holes)
	require.EqualValues(t, 10001, l.Stats().NULs)
}

func TestPartialContainerLinesAreJoined(t *testing.T) {
	t.Parallel()
	const at = "2026-01-02T10:11:12.5Z "
	text := at + "stdout P [rank1]:lo\n" +
		at + "stderr F NVRM: Xid\n" +
		at + "stdout P ss: 0.\n" +
		at + "stdout F 3 10:11:12 INFO\n" +
		at + "stderr F 10%\r20%\n" +
		at + "stdout P never ended\n"
	var got []string
	require.NoError(t, EachLine(context.Background(), strings.NewReader(text), func(l *Line) error {
		require.False(t, l.Prefix.Partial)
		got = append(got, fmt.Sprintf("%d %s %d %s", l.No, l.Prefix.Stream, l.Prefix.Rank, l.Text))
		return nil
	}))
	require.Equal(t, []string{
		"2 err -1 NVRM: Xid", "1 out 1 loss: 0.3 10:11:12 INFO", "5 err -1 10%", "5 err -1 20%", "6 out -1 never ended",
	}, got)
}

func TestPartialWithoutEndInBoundedMemory(t *testing.T) {
	t.Parallel()
	line := "2026-01-02T10:11:12.5Z stdout P " + strings.Repeat("word ", 3000) + "\n"
	longest, total := 0, 0
	require.NoError(t, EachLine(context.Background(), strings.NewReader(strings.Repeat(line, 100)), func(l *Line) error {
		longest = max(longest, len(l.Text))
		total += len(l.Text) - l.Overlap
		return nil
	}))
	require.Less(t, longest, 2*maxRecord)
	require.Equal(t, 100*5*3000, total)
}

func TestBarInheritsPrefix(t *testing.T) {
	t.Parallel()
	text := "[default3]:10%\r20%\r30%\nplain\n"
	var ranks []int
	require.NoError(t, EachLine(context.Background(), strings.NewReader(text), func(l *Line) error {
		ranks = append(ranks, l.Prefix.Rank)
		return nil
	}))
	require.Equal(t, []int{3, 3, 3, noRank}, ranks)
}

func TestTornTeeLineIsMended(t *testing.T) {
	t.Parallel()
	got := readShown(t, strings.NewReader("[default0]:error: command bu[default0]:ffer was aborted\n"), Style{})
	require.Equal(t, []shown{{1, "error: command buffer was aborted", false}}, got)
}

func TestPassAllocatesNothingPerLine(t *testing.T) {
	line := "[rank0]:2026-01-02 10:11:12,123 - trainer.core - INFO - epoch 3 loss: 0.51\n\x1b[32m[11/01 20:14:43 d2.utils.events]: \x1b[0mx\n"
	text := strings.Repeat(line, 10000)
	n := testing.AllocsPerRun(1, func() {
		_ = NewLines(strings.NewReader(text), Style{}).Each(context.Background(), func(*Line) error { return nil })
	})
	require.Less(t, n, 30.0)
}

func TestCancelledPassStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	err := NewLines(endless('x'), Style{}).Each(ctx, func(*Line) error { cancel(); return nil })
	require.ErrorIs(t, err, context.Canceled)
}

func BenchmarkEachLine(b *testing.B) {
	for name, line := range map[string]string{
		"bare":   "{'loss': 2.3187, 'grad_norm': 4.250112533569336, 'learning_rate': 4.75e-05, 'epoch': 0.12}\n",
		"python": "[rank0]:2026-01-02 10:11:12,123 - trainer.core - INFO - epoch 3 loss: 0.51 and some more text\n",
		"bars":   " 12%|█▏        | 1180/10000 [08:31<1:03:20,  2.32it/s, lr=1e-5, step_loss=0.0873]\r",
		"colour": "\x1b[32m[11/01 20:14:43 d2.utils.events]: \x1b[0m eta: 5:43:31  iter: 499  total_loss: 1.733\n",
	} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(line, 1<<20/len(line))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_ = NewLines(strings.NewReader(text), Style{}).Each(context.Background(), func(*Line) error { return nil })
			}
		})
	}
}
