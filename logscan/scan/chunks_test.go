package scan

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// seen is what a scan of a whole source amounts to, with what each chunk
// promised checked against the source itself.
type seen struct {
	hits   []Hit // at offsets of the source
	lines  []int64
	bytes  int64
	chunks int
	last   bool
}

func (s *seen) collect(t *testing.T, src []byte) func(*Chunk) error {
	return func(c *Chunk) error {
		require.False(t, s.last, "a chunk behind the last one")
		require.Equal(t, s.bytes, c.Base)
		require.Equal(t, c.Base, c.Offset(c.From))
		own := c.Data[c.From:c.To]
		require.True(t, bytes.Equal(src[c.Base:c.Base+int64(len(own))], own), "own part")
		if !c.Last {
			require.Len(t, own, chunkSize)
		}
		require.Equal(t, int(min(c.Base, lookBehind)), c.From, "context before")
		start := c.Base - int64(c.From)
		require.True(t, bytes.Equal(src[start:start+int64(len(c.Data))], c.Data), "context")
		require.GreaterOrEqual(t, int64(len(c.Data)-c.To), min(lookAhead, int64(len(src))-c.Base-int64(len(own))), "context behind")
		require.Equal(t, int64(bytes.Count(src[:c.Base], newline)), c.Lines)
		for _, h := range c.Hits {
			require.True(t, c.From <= h.Pos && h.Pos < c.To, "a hit belongs to the chunk in which it starts")
			s.hits = append(s.hits, Hit{int(c.Offset(h.Pos)), h.Literal})
			s.lines = append(s.lines, c.Line(h.Pos))
		}
		s.bytes += int64(len(own))
		s.chunks++
		s.last = c.Last
		return nil
	}
}

// borderSource is a log whose literals lie on and around every chunk's border.
func borderSource(r *rand.Rand, size int) []byte {
	b := noise(r, size, "abcdef ':012345\n\r")
	plant(r, b, anchors, 300)
	for border := chunkSize; border < size; border += chunkSize {
		for range 3 {
			p := randomCase(r, anchors[r.IntN(len(anchors))])
			at := border - len(p) - 2 + r.IntN(len(p)+4)
			if at+len(p) <= size {
				copy(b[at:], p)
			}
		}
	}
	return b
}

func TestChunksAndStreamAgainstNaive(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	long := "a literal of more than the usual context: " + strings.Repeat("0123456789", lookAhead/8)
	for _, set := range [][]string{anchors, append([]string{long}, anchors...)} {
		f, err := New(set, nil)
		require.NoError(t, err)
		for _, size := range []int{0, 1, 7, 8, 100, chunkSize - 1, chunkSize, chunkSize + 1, chunkSize + lookAhead, 2 * chunkSize, 3*chunkSize + 12345} {
			src := borderSource(r, size)
			if len(set) > len(anchors) && size < 2*chunkSize {
				continue // the long literal matters at borders
			}
			if size > 2*chunkSize {
				copy(src[2*chunkSize-3:], long)
			}
			want := naive(src, set)
			scans := map[string]func(fn func(*Chunk) error) error{
				"chunks": func(fn func(*Chunk) error) error {
					return Chunks(t.Context(), bytes.NewReader(src), int64(size), f, fn)
				},
				"stream": func(fn func(*Chunk) error) error { return Stream(t.Context(), bytes.NewReader(src), f, fn) },
				"stream of halves": func(fn func(*Chunk) error) error {
					return Stream(t.Context(), iotest.HalfReader(bytes.NewReader(src)), f, fn)
				},
				"stream with early end": func(fn func(*Chunk) error) error {
					return Stream(t.Context(), iotest.DataErrReader(bytes.NewReader(src)), f, fn)
				},
			}
			for name, run := range scans {
				var s seen
				require.NoError(t, run(s.collect(t, src)), name)
				require.True(t, s.last, name)
				require.Equal(t, max(1, (size+chunkSize-1)/chunkSize), s.chunks, name)
				require.Equal(t, int64(size), s.bytes, name)
				require.Equal(t, want, s.hits, "%s, size %d", name, size)
				for i, h := range s.hits {
					require.Equal(t, int64(bytes.Count(src[:h.Pos], newline))+1, s.lines[i], name)
				}
			}
		}
	}
}

func TestLineInAnyOrder(t *testing.T) {
	t.Parallel()
	src := []byte(strings.Repeat("some line\n", chunkSize/5))
	f, err := New(anchors, nil)
	require.NoError(t, err)
	require.NoError(t, Chunks(t.Context(), bytes.NewReader(src), int64(len(src)), f, func(c *Chunk) error {
		for _, i := range []int{c.To - 1, c.From, 0, len(c.Data) - 1, c.From / 2, c.To} {
			require.Equal(t, c.Offset(i)/10+1, c.Line(i))
		}
		return nil
	}))
}

// shrunk is a file that lost its end after its size was asked.
func TestChunksOfAShrunkSource(t *testing.T) {
	t.Parallel()
	f, err := New(anchors, nil)
	require.NoError(t, err)
	src := borderSource(rand.New(rand.NewPCG(5, 6)), 3*chunkSize)
	for _, left := range []int{0, 10, chunkSize - 1, chunkSize, chunkSize + 1, chunkSize + 2000, 2*chunkSize + 77} {
		var s seen
		have := src[:left]
		err := Chunks(t.Context(), bytes.NewReader(have), int64(len(src)), f, s.collect(t, have))
		short, ok := errors.AsType[*ShortReadError](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, ShortReadError{Size: int64(len(src)), Got: int64(left)}, *short)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.True(t, s.last)
		require.Equal(t, int64(left), s.bytes)
		require.Equal(t, naive(have, anchors), s.hits)
	}
}

func TestChunksOfAGrownSource(t *testing.T) {
	t.Parallel()
	f, err := New(anchors, nil)
	require.NoError(t, err)
	src := []byte("CUDA error: one. CUDA error: two")
	var s seen
	require.NoError(t, Chunks(t.Context(), bytes.NewReader(src), 28, f, s.collect(t, src[:28])))
	require.Equal(t, []Hit{{0, 5}, {17, 5}}, s.hits) // the second ends at the size exactly
}

type failing struct {
	io.ReaderAt
	at  int64
	err error
}

func (r failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) <= r.at {
		return r.ReaderAt.ReadAt(p, off)
	}
	n, _ := r.ReaderAt.ReadAt(p[:max(0, r.at-off)], off)
	return n, r.err
}

func TestReadErrorComesBehindTheData(t *testing.T) {
	t.Parallel()
	f, err := New(anchors, nil)
	require.NoError(t, err)
	broken := errors.New("broken disk")
	src := borderSource(rand.New(rand.NewPCG(9, 10)), 3*chunkSize)
	for _, at := range []int{0, 1000, chunkSize, 2*chunkSize + 1, 2*chunkSize - 1} {
		have := src[:at]
		scans := map[string]func(fn func(*Chunk) error) error{
			"stream": func(fn func(*Chunk) error) error {
				return Stream(t.Context(), io.MultiReader(bytes.NewReader(have), iotest.ErrReader(broken)), f, fn)
			},
			"chunks": func(fn func(*Chunk) error) error {
				return Chunks(t.Context(), failing{bytes.NewReader(src), int64(at), broken}, int64(len(src)), f, fn)
			},
			"ends without saying so": func(fn func(*Chunk) error) error {
				return Chunks(t.Context(), failing{bytes.NewReader(src), int64(at), nil}, int64(len(src)), f, fn)
			},
		}
		for name, run := range scans {
			var s seen
			err := run(s.collect(t, have))
			read, ok := errors.AsType[*ReadError](err)
			require.True(t, ok, "%s: %v", name, err)
			require.Equal(t, int64(at), read.Offset, name)
			if name == "ends without saying so" {
				require.ErrorIs(t, err, io.ErrNoProgress)
			} else {
				require.ErrorIs(t, err, broken)
			}
			require.Equal(t, naive(have, anchors), s.hits, "%s at %d", name, at)
			require.True(t, s.last)
		}
	}
}

func TestStreamOfAReaderThatReturnsNothing(t *testing.T) {
	t.Parallel()
	f, err := New(anchors, nil)
	require.NoError(t, err)
	err = Stream(t.Context(), nothing{}, f, func(*Chunk) error { return nil })
	require.ErrorIs(t, err, io.ErrNoProgress)
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }

func TestScanStops(t *testing.T) {
	t.Parallel()
	f, err := New(anchors, nil)
	require.NoError(t, err)
	src := bytes.Repeat([]byte("nothing\n"), 20*chunkSize/8)
	enough := errors.New("enough")
	calls := 0
	got := Chunks(t.Context(), bytes.NewReader(src), int64(len(src)), f, func(*Chunk) error {
		if calls++; calls == 3 {
			return enough
		}
		return nil
	})
	require.True(t, got == enough, "fn's error comes back as it is")
	require.Equal(t, 3, calls)

	ctx, cancel := context.WithCancel(t.Context())
	calls = 0
	got = Chunks(ctx, bytes.NewReader(src), int64(len(src)), f, func(*Chunk) error {
		calls++
		cancel()
		return nil
	})
	require.ErrorIs(t, got, context.Canceled)
	require.Equal(t, 1, calls)

	ctx, cancel = context.WithCancel(t.Context())
	got = Stream(ctx, bytes.NewReader(src), f, func(*Chunk) error { cancel(); return nil })
	require.ErrorIs(t, got, context.Canceled)
}

func TestSample(t *testing.T) {
	t.Parallel()
	require.Empty(t, Sample(bytes.NewReader(nil), 0))
	require.Empty(t, Sample(bytes.NewReader(nil), 1<<30)) // gone since
	require.Equal(t, []byte("short"), Sample(strings.NewReader("short"), 5))
	src := slicesOf(40, 1<<20)
	sample := Sample(bytes.NewReader(src), int64(len(src)))
	require.Len(t, sample, samplePieces*samplePiece)
	require.Equal(t, src[0], sample[0])
	require.Equal(t, src[len(src)-1], sample[len(sample)-1])
}

// slicesOf returns n stretches, each of one byte.
func slicesOf(n, size int) []byte {
	var b []byte
	for i := range n {
		b = append(b, bytes.Repeat([]byte{byte(i)}, size)...)
	}
	return b
}
