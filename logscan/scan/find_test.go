package scan

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// anchors mix what an audit looks for: driver lines, metric keys, shared
// beginnings, text inside other text, digits, bytes that are no ASCII.
var anchors = []string{
	"command buffer", "GPU Timeout", "kIOGPUCommandBufferCallbackError",
	"kIOGPUCommandBufferCallbackErrorTimeout", "kIOGPUCommandBufferCallbackErrorHang",
	"CUDA error:", "CUDA error: device-side assert triggered", "device-side assert",
	"NVRM: Xid", "16843009", "72340172838076673", "'eval_loss'", "'eval_wer'", ", 'loss': nan",
	"{'loss': nan", "loss is nan", "Loss is NaN, stopping", "@[`{^~_ ", "100%|██████████|", "\x00\x00\x00\x00\x00\x00\x00\x00",
	"aaaaaaaa", "aaaaaaaaa", "aAaAaAaAaAaAaAaA", "abababab", "babababab", "GPU TIMEOUT",
}

func TestFindAgainstNaive(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for _, set := range [][]string{anchors, anchors[:4], {"Cafe\xc3\xa9 au", "[error] "}, {"aaaaaaaa"}} {
		for _, sample := range [][]byte{nil, noise(r, 5000, "aA'e :loss"), []byte(strings.Repeat(strings.Join(set, "\n"), 9))} {
			f, err := New(set, sample)
			require.NoError(t, err)
			for range 1500 {
				b := noise(r, r.IntN(300), " abAB{}@`[CUDAcudaerror:0123456789\n\r\x00\xff\xc3\xa9\x89")
				plant(r, b, set, r.IntN(8))
				got, want := findAll(f, b), naive(b, set)
				require.Equal(t, want, got, "%q", b)
				hits += len(got)
			}
		}
	}
	require.Greater(t, hits, 20000)
}

func TestFindPlaces(t *testing.T) {
	t.Parallel()
	f, err := New([]string{"NVRM: Xid", "Xid (PCI", "nvrm: xid"}, nil)
	require.NoError(t, err)
	tests := map[string]struct {
		text string
		want []Hit
	}{
		"empty":          {"", nil},
		"shorter":        {"NVRM: X", nil},
		"whole":          {"NVRM: Xid", []Hit{{0, 0}, {0, 2}}},
		"at the end":     {"[ 1.0] nvrm: XID", []Hit{{7, 0}, {7, 2}}},
		"overlapping":    {"NVRM: Xid (PCI", []Hit{{0, 0}, {0, 2}, {6, 1}}},
		"cut at the end": {"x NVRM: Xi", nil},
		"folded space":   {"NVRM:\x00Xid", nil}, // ' ' without the case bit
		"folded bracket": {"NVRM: Xid\x08PCI", []Hit{{0, 0}, {0, 2}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, findAll(f, []byte(tt.text))) })
	}
}

// Every start modulo the group, in buffers of every length around it.
func TestFindEveryAlignment(t *testing.T) {
	t.Parallel()
	f, err := New([]string{"abcdefgh", "a longer literal, with a tail"}, nil)
	require.NoError(t, err)
	for _, text := range []string{"abcdefgh", "a longer literal, with a tail"} {
		for before := range 80 {
			for after := range 40 {
				b := slices.Concat(bytes.Repeat([]byte{'.'}, before), []byte(text), bytes.Repeat([]byte{'.'}, after))
				got := findAll(f, b)
				require.Len(t, got, 1, "%d before, %d after", before, after)
				require.Equal(t, before, got[0].Pos)
			}
		}
	}
}

// More overlapping hits than fit the room that Find has without allocating.
func TestFindManyWaiting(t *testing.T) {
	t.Parallel()
	var set []string
	for n := 8; n < 80; n++ {
		set = append(set, strings.Repeat("a", n), strings.Repeat("A", n))
	}
	f, err := New(set, nil)
	require.NoError(t, err)
	b := []byte(strings.Repeat("a", 200) + "b" + strings.Repeat("A", 100))
	require.Equal(t, naive(b, set), findAll(f, b))
}

func TestFindDoesNotAllocate(t *testing.T) {
	f, err := New(anchors, nil)
	require.NoError(t, err)
	lines := [][]byte{
		[]byte("{'loss': 1.2345, 'grad_norm': 0.8123456789, 'learning_rate': 4.987654321e-05, 'epoch': 0.12}"),
		[]byte("RuntimeError: CUDA error: device-side assert triggered"),
		bytes.Repeat([]byte("Error: command buffer exited (kIOGPUCommandBufferCallbackErrorTimeout)\n"), 50),
	}
	n := 0
	emit := func(int, int) { n++ }
	for _, line := range lines {
		require.Zero(t, testing.AllocsPerRun(100, func() { f.Find(line, emit) }))
	}
	require.Positive(t, n)
}

func TestFindConcurrently(t *testing.T) {
	t.Parallel()
	f, err := New(anchors, nil)
	require.NoError(t, err)
	b := []byte(strings.Join(anchors, " | "))
	want := naive(b, anchors)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 200 {
				if !slices.Equal(findAll(f, b), want) {
					t.Error("another result in another goroutine")
				}
			}
		})
	}
	all.Wait()
}

func TestNewErrors(t *testing.T) {
	t.Parallel()
	_, err := New(nil, nil)
	require.ErrorIs(t, err, ErrNoLiterals)
	_, err = New([]string{"long enough", "Xid"}, nil)
	short, ok := errors.AsType[*ShortLiteralError](err)
	require.True(t, ok)
	require.Equal(t, ShortLiteralError{Index: 1, Literal: "Xid"}, *short)
	require.Contains(t, err.Error(), `literal 1 ("Xid") has 3 bytes`)

	f, err := New([]string{"12345678", "a longer one"}, nil)
	require.NoError(t, err)
	require.Equal(t, 12, f.MaxLen())
}

// FuzzFind searches with filters that are built once.
func FuzzFind(f *testing.F) {
	sets := [][]string{
		{"cuda error:", "side assert", "device-side assert triggered"},
		{"aaaaaaaa", "AAAAAAAAAA"},
		{"\x00\x00\x00\x00\x00\x00\x00\x00", "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8", "[{kI}]@`^~_"},
		{"loss: nan", "grad_norm", "grad_norm: inf", "d_norm: i"},
	}
	filters := make([]*Filter, len(sets))
	for i, set := range sets {
		var err error
		filters[i], err = New(set, nil)
		require.NoError(f, err)
		f.Add([]byte("CUDA ERROR: device-side assert, loss: NaN grad_NORM: inf aaaaaaaaaaaaa"), uint8(i), uint8(3))
	}
	f.Fuzz(func(t *testing.T, b []byte, which, copies uint8) {
		set, filter := sets[int(which)%len(sets)], filters[int(which)%len(sets)]
		for i := range int(copies % 8) {
			b = append(append(b, set[i%len(set)]...), b[:min(len(b), i)]...)
		}
		if got, want := findAll(filter, b), naive(b, set); !slices.Equal(got, want) {
			t.Fatalf("%q in %q: got %v, want %v", set, b, got, want)
		}
	})
}

// FuzzLiterals builds a filter of its own for each input, which is slow.
func FuzzLiterals(f *testing.F) {
	f.Add([]byte("RuntimeError: CUDA ERROR: device-side assert"), "cuda error:", "side assert", uint8(3))
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "aaaaaaaa", "AAAAAAAAAA", uint8(0))
	f.Fuzz(func(t *testing.T, b []byte, one, two string, copies uint8) {
		set := []string{one, two}
		filter, err := New(set, b)
		if len(one) < minLiteral || len(two) < minLiteral {
			if _, ok := errors.AsType[*ShortLiteralError](err); !ok {
				t.Fatalf("got %v, want a short literal error", err)
			}
			return
		}
		// The fuzzer seldom makes text that holds the literals: help it.
		for i := range int(copies % 8) {
			b = append(append(b, set[i%2]...), b[:min(len(b), i)]...)
		}
		if got, want := findAll(filter, b), naive(b, set); !slices.Equal(got, want) {
			t.Fatalf("%q in %q: got %v, want %v", set, b, got, want)
		}
	})
}
