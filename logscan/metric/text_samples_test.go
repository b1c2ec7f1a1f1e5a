package metric

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSpelledSamples(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int64{
		"val accuracy 0.0000 over 0 samples":                0,
		"Evaluated 0 samples: accuracy 0.0":                 0,
		"eval_accuracy: 0.9132 (1,000 examples)":            1000,
		"test acc 0.83 on 37 images":                        37,
		"WER 12.3 computed on 2,620 utterances in 12.1 sec": 2620,
	} {
		n, ok := spelledSamples([]byte(line))
		require.True(t, ok, line)
		require.Equal(t, want, n, line)
	}
	for _, line := range []string{
		"eval accuracy 0.91, 12 samples/s", "eval_loss 0.5 412 samples per second", "trained on 50000 samples, val_loss 0.4",
		"val_loss 0.4 (skipped 3 samples)", "val_acc 0.9 after 0.5 samples", "val_acc 0.9 samples: 7", "eval_samples 100", "v2 images",
	} {
		_, ok := spelledSamples([]byte(line))
		require.False(t, ok, line)
	}
}
