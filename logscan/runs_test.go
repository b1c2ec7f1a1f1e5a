package logscan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
)

const runsDir = "../testdata/runs"

// TestRuns audits what real trainings printed (testdata/runs/README.md says how
// they were made) and holds the verdicts against what really happened in them.
func TestRuns(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join(runsDir, "*", "expected.tsv"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(dirs), 35)
	for _, path := range dirs {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			res, _, err := logscan.Audit(t.Context(), []string{filepath.Join(dir, "run")}, nil, logscan.Options{All: true})
			require.NoError(t, err)
			for _, want := range readExpected(t, path) {
				checkExpectation(t, res, want)
			}
		})
	}
}

// TestRunTwins holds what the runs taught against logs that differ in one thing.
func TestRunTwins(t *testing.T) {
	t.Parallel()
	const losses = "{'loss': '0.9', 'grad_norm': '1.1', 'learning_rate': '2e-05', 'epoch': '1'}\n" +
		"{'loss': '0.6', 'grad_norm': '1.2', 'learning_rate': '1e-05', 'epoch': '2'}\n"
	const summary = "{'train_runtime': '9.1', 'train_samples_per_second': '80', 'train_steps_per_second': '5', "
	twins := []struct {
		name, log string
		want      expectation
	}{
		{"mean of its parts", losses + summary + "'train_loss': '0.75', 'epoch': '2'}\n", expectation{"run", "run", "TRUSTED", ""}},
		{"mean below its parts", losses + summary + "'train_loss': '0.375', 'epoch': '2'}\n", expectation{"run", "run", "UNPROVEN", "no mean of them"}},
		{"mean of an excerpt", losses + summary + "'train_loss': '0.375', 'epoch': '9'}\n", expectation{"run", "run", "TRUSTED", "later losses are not shown"}},
		{"mean over a replaced NaN", losses + "{'loss': '0', 'grad_norm': 'nan', 'learning_rate': '0', 'epoch': '3'}\n" + summary + "'train_loss': '0.5', 'epoch': '3'}\n",
			expectation{"run", "run", "POISONED", "the mean holds the NaN"}},
		{"evaluation on two lines", "Test loss: nan\nTest accuracy: 0.4333\n", expectation{"metric", "test_accuracy", "POISONED", "NaN outputs"}},
		{"evaluation on two lines, finite", "Test loss: 0.31\nTest accuracy: 0.9333\n", expectation{"metric", "test_accuracy", "TRUSTED", ""}},
		{"two evaluations on two lines", "Val loss: nan\nTest accuracy: 0.9333\n", expectation{"metric", "test_accuracy", "TRUSTED", "another data set"}},
		{"n behind the value", "epoch 1 val_acc 0.0000 (n=0)\n", expectation{"metric", "val_acc", "POISONED", "no sample"}},
		{"n in front of the value", "fold 1 n 0 val_acc 0.8125\n", expectation{"metric", "val_acc", "TRUSTED", "n counts something else"}},
		{"skips in words", skipWords(), expectation{"metric", "val_acc", "DEGRADED", "6 of 10 steps"}},
	}
	for _, tw := range twins {
		t.Run(tw.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "train.log")
			require.NoError(t, os.WriteFile(path, []byte(tw.log), 0o600))
			res, _, err := logscan.Audit(t.Context(), []string{path}, nil, logscan.Options{All: true})
			require.NoError(t, err)
			checkExpectation(t, res, tw.want)
		})
	}
}

func skipWords() string {
	text := ""
	for step := range 10 {
		if step < 6 {
			text += fmt.Sprintf("step %d: gradient overflow, optimizer step skipped\n", step+1)
		}
		text += fmt.Sprintf("step %d loss 0.7%d\n", step+1, step)
	}
	return text + "step 10 val_loss 0.61 val_acc 0.6\n"
}
