package logscan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
)

func TestDecisionLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, topic, asked, got string }{
		{"Training device: cuda:0", "device", "", "cuda:0"},
		{"[INFO] Using device: mps", "device", "", "mps"},
		{"GPU available: True (cuda), used: False", "device", "available: True (cuda)", "used: False"},
		{"Mixed precision type: fp16", "precision", "", "fp16"},
		{"Process rank: 0, device: cuda:0, n_gpu: 1distributed training: True, 16-bits training: True", "precision", "", "16"},
		{"Decreasing batch size to: 16", "batch", "", "16"},
		{"trainvet device: cpu (asked gpu, not met; this machine shows no accelerator)", "device", "gpu", "cpu"},
		{"trainvet device: cuda:0 (asked auto; the first visible device)", "device", "auto", "cuda:0"},
		{"trainvet precision: float32 (asked auto; not measured)", "precision", "auto", "float32"},
		{"reached the limit of 6 steps", "early stop", "", "reached the limit of 6 steps"},
		{"`Trainer.fit` stopped: `max_steps=40` reached.", "early stop", "", "max_steps=40"},
		{"Epoch 00005: early stopping", "early stop", "", "early stopping"},
		{"reached max_steps, stopping", "early stop", "", "reached max_steps"},
	} {
		res := audit(t, writeRun(t, t.TempDir(), "run.log", c.line+"\nstep 1 loss 2.0\n"), logscan.Options{})
		found := false
		for _, d := range res.Decisions {
			found = found || d.Topic == c.topic && d.Asked == c.asked && d.Got == c.got
		}
		require.True(t, found, "%s: %v", c.line, res.Decisions)
	}
	for _, line := range []string{"mixed_precision: True", "use mixed precision: yes please", "using device driver 535.1", "16-bits training: False", "training device-side checks",
		"`Trainer.fit` stopped: `max_epochs=2` reached.", "callbacks: early stopping", "limit of 6 steps", "gradient norm limit of 1.0 reached"} {
		res := audit(t, writeRun(t, t.TempDir(), "run.log", line+"\nstep 1 loss 2.0\n"), logscan.Options{})
		require.Empty(t, res.Decisions, line)
	}
}

func TestArtifactLines(t *testing.T) {
	t.Parallel()
	res := audit(t, writeRun(t, t.TempDir(), "run.log", "step 1 loss 2.0\nSaving model checkpoint to out/checkpoint-500\n saving checkpoint at iteration    1000 to ckpt/run\nEpoch 3, global step 900: 'val_loss' reached 0.51 (best 0.51), saving model to 'lightning/epoch=3.ckpt' as top 1\n"), logscan.Options{})
	var paths []string
	for _, a := range res.Artifacts {
		paths = append(paths, a.Name)
	}
	require.ElementsMatch(t, []string{"out/checkpoint-500", "ckpt/run", "lightning/epoch=3.ckpt"}, paths)
}

func TestDriverLinesHoldNoMetrics(t *testing.T) {
	t.Parallel()
	res := audit(t, writeRun(t, t.TempDir(), "run.log", "step 1 loss 2.0\nstep 1 val_loss 1.9\ndetected NVSwitch fatal error 10003 on fid 0 on NVSwitch pci 00000000:c0:00.0\n"), logscan.Options{All: true})
	for _, v := range res.Values {
		require.NotEqual(t, "fid", v.Name)
	}
	res = audit(t, writeRun(t, t.TempDir(), "run.log", "step 1 loss 2.0Error: command buffer exited with error status.\n"), logscan.Options{All: true})
	require.Len(t, res.Values, 1, "a driver's line behind a record takes nothing from it")
}
