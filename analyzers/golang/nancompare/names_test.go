package nancompare

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"loss": {"loss"}, "valLoss": {"val", "loss"}, "best_wer": {"best", "wer"}, "minWER": {"min", "wer"},
		"WERBest": {"wer", "best"}, "F1Score": {"f1", "score"}, "": nil, "_": nil, "lossless": {"lossless"},
	} {
		require.Equal(t, want, split(name), name)
	}
}
