package logscan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
)

// TestTornNamesAreNoMetrics: what is left of a torn line makes no claim of its own.
func TestTornNamesAreNoMetrics(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		log  string
		want []string
	}{
		"begins within the name": {
			"Epoch 1 val_accuracy: 0.71\nEpoch 2 val_accuracy: 0.75\nl_accuracy: 0.77\nEpoch 4 val_accuracy: 0.81\n",
			[]string{"val_accuracy 0.81 TRUSTED"},
		},
		"runs on into another's": {
			"Epoch 1 val_accuracy: 0.71\nEpoch 2 val_accuracy: 0.75\nEpoch 3 val_accurval_accuracy: 0.77\nEpoch 4 val_accuracy: 0.81\n",
			[]string{"val_accuracy 0.81 TRUSTED"},
		},
		"once whole and once torn": {
			"{'eval_loss': 0.5, 'test_accuracy': 0.71, 'epoch': 1.0}\nst_accuracy': 0.74, 'epoch': 2.0}\n",
			[]string{"eval_loss 0.5 TRUSTED", "test_accuracy 0.71 TRUSTED"},
		},
		"two metrics of which one ends as the other": {
			"step 1 d_loss 0.5 cond_loss 0.4\nstep 2 d_loss 0.5 cond_loss 0.4\n",
			[]string{"cond_loss 0.4 TRUSTED", "d_loss 0.5 TRUSTED"},
		},
		"a name that is one": {
			"eval_acc 0.5\neval_macc 0.4\neval_macc 0.5\n",
			[]string{"eval_acc 0.5 TRUSTED", "eval_macc 0.5 TRUSTED"},
		},
		"an evaluation whose name begins as another's ends": {
			"eval_loss 0.5\neval_loss 0.4\nval_loss 0.6\n",
			[]string{"eval_loss 0.4 TRUSTED", "val_loss 0.6 TRUSTED"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, claimWords(audit(t, writeRun(t, t.TempDir(), "run.log", tt.log), logscan.Options{})))
		})
	}
}
