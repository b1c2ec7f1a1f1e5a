package logscan

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/source"
)

// BenchmarkTextPass reads 1 MiB of lines of one shape whole, as small logs are.
func BenchmarkTextPass(b *testing.B) {
	shapes := map[string]string{
		"hf":       "{'loss': %d.3187, 'grad_norm': 4.250112533569336, 'learning_rate': 4.75e-05, 'epoch': 0.12}\n",
		"tqdm":     "\r 12%%|###       | %d/10000 [08:31<1:03:20,  2.32it/s, loss=0.0873]",
		"megatron": " iteration     %d/  250000 | consumed samples:       404224 | elapsed time per iteration (ms): 7624.3 | learning rate: 2.967000E-04 | global batch size:   256 | lm loss: 2.131771E+00 | loss scale: 1.0 | grad norm: 0.142 | number of skipped iterations:   0 | number of nan iterations:   0 |\n",
		"nccl":     "host-a:24437:%d [0] NCCL INFO Channel 00/02 :    0   1   2   3 via P2P/IPC comm 0x55d0c0\n",
		"stamped":  "2026-08-01 10:00:01,123 INFO train: step %d/100000 loss 1.2034 grad_norm 0.251 lr 1.000e-04\n",
		"assert":   "Loss.cu:250: kernel: block: [%d,0,0], thread: [4,0,0] Assertion `t >= 0 && t < n_classes` failed.\n",
	}
	e, err := newEngine(&Options{})
	require.NoError(b, err)
	e.rows = maxRows(1, false)
	for name, shape := range shapes {
		var text []byte
		for i := 0; len(text) < 1<<20; i++ {
			text = fmt.Appendf(text, shape, 1000+i)
		}
		in := &source.Input{ID: name, Style: source.Sniff(text[:32<<10], source.Options{})}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				c := newCollector(&evidence.Source{ID: name}, e.rows)
				p := e.newTextPass(c)
				require.NoError(b, e.readWhole(b.Context(), in, bytes.NewReader(text), p))
				p.finish()
				c.finish()
			}
		})
	}
}
