package scan

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// manyAnchors is a set about as large as an audit's, and as mean: it holds the
// keys that dense lines are made of, with other values.
func manyAnchors() []string {
	set := append([]string(nil), anchors...)
	for _, api := range []string{"CUDA", "HIP", "NCCL", "CUBLAS", "Metal", "NVRM", "XLA", "torch"} {
		for _, what := range []string{
			"error: out of memory", "WARN Call to connect returned", "STATUS_EXECUTION_FAILED", "watchdog timeout", "kernel launch failed",
			"error: illegal memory access", "communicator was aborted", "device lost", "internal error (", "assertion failed:",
		} {
			set = append(set, api+" "+what, api+"_"+what)
		}
	}
	for _, key := range []string{"loss", "grad_norm", "eval_loss", "eval_wer", "lm loss", "val_loss", "learning_rate", "acc", "perplexity"} {
		for _, value := range []string{"nan", "inf", "-nan", "-inf"} {
			set = append(set, "'"+key+"': "+value, `"`+key+`": `+value, " "+key+"="+value+",", key+": "+value+"    ")
		}
	}
	return set
}

// logText repeats the usual lines, with other digits each time.
func logText(size int) []byte {
	r := rand.New(rand.NewPCG(11, 12))
	b := bytes.Repeat(usual, size/len(usual)+1)[:size]
	for i, c := range b {
		if '0' <= c && c <= '9' {
			b[i] = byte('0' + r.IntN(10))
		}
	}
	return b
}

func BenchmarkFind(b *testing.B) {
	healthy := logText(1 << 20)
	storm := bytes.Repeat([]byte("[rank3]: RuntimeError: CUDA error: device-side assert triggered at step 1234\n"), 1<<14)
	for _, bench := range []struct {
		name     string
		literals []string
		text     []byte
	}{
		{"healthy", manyAnchors(), healthy},
		{"healthy-few", anchors[:4], healthy},
		{"storm", manyAnchors(), storm},
		{"line", manyAnchors(), healthy[:100]},
	} {
		f, err := New(bench.literals, healthy)
		require.NoError(b, err)
		n := 0
		emit := func(int, int) { n++ }
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				f.Find(bench.text, emit)
			}
		})
	}
}

func BenchmarkChunks(b *testing.B) {
	text := logText(16 << 20)
	f, err := New(manyAnchors(), text[:1<<20])
	require.NoError(b, err)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		err := Chunks(b.Context(), bytes.NewReader(text), int64(len(text)), f, func(*Chunk) error { return nil })
		require.NoError(b, err)
	}
}

func BenchmarkNew(b *testing.B) {
	set, sample := manyAnchors(), logText(1<<20)
	for b.Loop() {
		if _, err := New(set, sample); err != nil {
			b.Fatal(err)
		}
	}
}
