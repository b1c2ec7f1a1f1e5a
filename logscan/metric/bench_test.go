package metric

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/trainvet/trainvet/logscan/source"
)

// BenchmarkReader reads 1 MiB of lines of one shape.
func BenchmarkReader(b *testing.B) {
	shapes := map[string]string{
		"hf":       "{'loss': %d.3187, 'grad_norm': 4.250112533569336, 'learning_rate': 4.75e-05, 'epoch': 0.12}\n",
		"tqdm":     "Steps:  12%%|###       | %d/10000 [08:31<1:03:20,  2.32it/s, lr=1e-5, step_loss=0.0873]\n",
		"megatron": " iteration     %d/  250000 | consumed samples:       404224 | elapsed time per iteration (ms): 7624.3 | learning rate: 2.967000E-04 | global batch size:   256 | lm loss: 2.131771E+00 | loss scale: 1.0 | grad norm: 0.142 | number of skipped iterations:   0 | number of nan iterations:   0 |\n",
		"nccl":     "host-a:24437:%d [0] NCCL INFO Channel 00/02 :    0   1   2   3 via P2P/IPC comm 0x55d0c0\n",
		"prose":    "Saving the model and its tokenizer beside the optimizer state, then going on with part %d\n",
	}
	c := load(b)
	for name, shape := range shapes {
		b.Run(name, func(b *testing.B) {
			var text []byte
			for i := 0; len(text) < 1<<20; i++ {
				text = fmt.Appendf(text, shape, 1000+i)
			}
			lines := bytes.Split(text, []byte("\n"))
			r := c.NewReader()
			n := 0
			emit := func(*Record) { n++ }
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				for i := range lines {
					l := source.Line{Text: lines[i], No: int64(i)}
					r.Line(&l, emit)
				}
			}
			b.ReportMetric(float64(n)/float64(b.N), "records")
		})
	}
}
