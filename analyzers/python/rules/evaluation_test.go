package rules

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEvaluationNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"val_loader", "_valid_set", "testset", "eval_dataloader", "dev"} {
		require.True(t, ofEvaluation(name), name)
	}
	for _, name := range []string{"train_loader", "latest", "train_val_loader", "value", "contest", "device", "calibration_test_set"} {
		require.False(t, ofEvaluation(name), name)
	}
	for _, name := range []string{"val_loss", "top1", "accuracy", "mean_iou", "WER"} {
		require.True(t, isMetric(name), name)
	}
	for _, name := range []string{"lossy", "cloud", "closs_set", "n"} {
		require.False(t, isMetric(name), name)
	}
}

func TestBadOps(t *testing.T) {
	t.Parallel()
	list, err := readBadOps(badOpRows)
	require.NoError(t, err)
	for _, op := range list {
		require.Contains(t, op.paths[0], ".")
		require.NotEmpty(t, op.until)
	}
	for _, bad := range []string{"a.b\tmps\ttraining", "a.b\tmps\tsometimes\tall\twrong"} {
		_, err := readBadOps(bad)
		require.Error(t, err)
	}
}

func TestBackends(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"mps": true, "is_torch_npu_available": true, "backends.mps": true, "input": false, "timestamps": false, "dumps": false, "cuda": false} {
		require.Equal(t, want, speaksOfBackend([]byte(text)), text)
	}
}
