package marker

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// The driver lines are found in any letter case, behind a bar, behind a rank's
// prefix, and with other text behind.
func TestDriverLinesInAnyDress(t *testing.T) {
	t.Parallel()
	c := load(t)
	lines := []string{
		"Execution of the command buffer was aborted due to an error during execution.",
		"Caused GPU Timeout Error (00000002:kIOGPUCommandBufferCallbackErrorTimeout)",
		"Caused GPU Timeout Error (kIOGPUCommandBufferCallbackErrorTimeout)",
		"Impacting Interactivity (0000000e:kIOGPUCommandBufferCallbackErrorImpactingInteractivity)",
		"Impacting Interactivity (kIOGPUCommandBufferCallbackErrorImpactingInteractivity)",
		"Caused GPU Timeout Error (00000002:kIOAccelCommandBufferCallbackErrorTimeout)",
		"an illegal memory access was encountered",
		"NVRM: Xid (PCI:0000:9c:00): 79, pid=12, name=python3, GPU has fallen off the bus.",
	}
	dress := []func(string) string{
		func(s string) string { return s },
		strings.ToUpper,
		strings.ToLower,
		randomCase,
		func(s string) string { return "  3%|#   | 31/1000 [00:12<06:10,  2.61it/s, loss=0.31]" + s },
		func(s string) string { return "Epoch 2:  11%|█    | 11/100 [00:01<00:10]" + s + " {'loss': 0.31}" },
		func(s string) string { return "[rank3]: " + s },
		func(s string) string { return "Error: " + s },
		func(s string) string { return "\t" + s },
		func(s string) string { return `{"level":"error","msg":"` + s + `","rank":3}` },
		func(s string) string { return `level=error msg="` + s + `"` },
	}
	for _, l := range lines {
		for i, d := range dress {
			faults := 0
			for _, m := range c.Match([]byte(d(l)), nil, Context{}) {
				if m.Class == evidence.Fault && m.Quoted == "" {
					faults++
				}
			}
			require.NotZero(t, faults, "dress %d: %s", i, d(l))
		}
	}
}

func randomCase(s string) string {
	r := rand.New(rand.NewPCG(1, uint64(len(s))))
	b := []byte(s)
	for i := range b {
		if isLetter(b[i]) && r.IntN(2) == 0 {
			b[i] ^= 0x20
		}
	}
	return string(b)
}

func TestWrappedOverLines(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, test := range []struct {
		id, prev, line string
		lines          int
	}{
		{"cai-overflow", "                    WARNING  colossalai - ShardedOptimizerV2 - WARNING: found   ", "                             inf during ShardedOptimV2 step                     ", 1},
		{"mtl-cb-aborted", "                    ERROR    Execution of the command buffer was   ", "                             aborted due to an error during execution.", 1},
		{"cuda-dsa", "[10:11:12] ERROR    RuntimeError: CUDA error: device-side                trainer.py:31", "                    assert triggered", 1},
		{"cuda-dsa", "[10:11:12] ERROR    RuntimeError: CUDA error: device-side                see the manual", "                    assert triggered", 0},
		{"ds-overflow", "[deepspeed] OVERFLOW! Rank 0 Skipping\n                              step. Attempted loss scale: 65536,", "                              reducing to 32768", 2},
		{"nccl-async", "Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA\nkernels, subsequent GPU operations might run on", "  corrupted/incomplete data.", 1},
		{"lr-order", "UserWarning: Detected call of `lr_scheduler.step()` before      ", "         `optimizer.step()`. In PyTorch 1.1.0 and later", 1},
	} {
		got := c.Match([]byte(test.line), []byte(test.prev), Context{})
		if test.lines == 0 { // another column stands between: not the same text
			require.Empty(t, events(got), test.id)
			continue
		}
		require.Contains(t, events(got), test.id)
		for _, m := range got {
			require.Equal(t, test.lines, m.Lines, test.id)
			require.Empty(t, c.Match([]byte(test.line), []byte(test.prev), Context{Prefixed: true}))
		}
	}
}

// A line that only stands behind another is not joined with it.
func TestUnrelatedLinesAreNotJoined(t *testing.T) {
	t.Parallel()
	c := load(t)
	require.Empty(t, c.Match([]byte("assert triggered"), []byte("device-side"), Context{}))
	require.Empty(t, c.Match([]byte("  12%|# | 1/9 [00:01<00:08]"), []byte("CUDA error: none"), Context{}))
	got := c.Match([]byte("step 12 loss 0.3"), []byte("RuntimeError: CUDA error: device-side assert triggered in a rather long line of text"), Context{})
	require.Empty(t, got, "a marker of the line before is that line's")
}

func TestLongLine(t *testing.T) {
	t.Parallel()
	c := load(t)
	line := bytes.Repeat([]byte(" 12%|#  | 12/100 [00:01<00:08, loss=0.3]"), 100_000)
	marker := []byte("Error: command buffer exited with error status.")
	at := []int{0, 1 << 20, len(line) - len(marker)}
	for _, p := range at {
		copy(line[p:], marker)
	}
	var got []int
	for _, m := range c.Match(line, nil, Context{Bar: true}) {
		require.Empty(t, m.Quoted)
		require.Equal(t, "command buffer exited with error status", string(line[m.Start:m.End]))
		got = append(got, m.Start-len("Error: "))
	}
	require.Equal(t, at, got)
}

// Where a window of a long line begins, no comment, list item or command does.
func TestLongLineHasOneStart(t *testing.T) {
	t.Parallel()
	c := load(t)
	for shift := range 30 {
		line := bytes.Repeat([]byte("; step=4211 loss=1.0132"), 2000)
		line = append(append(line, bytes.Repeat([]byte("x"), shift)...), "; RuntimeError: CUDA error: device-side assert triggered; step=1"...)
		require.Equal(t, []string{"cuda-dsa"}, events(c.Match(append([]byte("log "), line...), nil, Context{})))
	}
}

func TestSkipsCarryTheirNumbers(t *testing.T) {
	t.Parallel()
	c := load(t)
	for line, want := range map[string]map[string]string{
		"[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 128.0, reducing to 64.0":                              {"steps": "1", "rank": "0", "from": "128.0", "to": "64.0"},
		"[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, but hysteresis is 2. Reducing hysteresis to 1": {"steps": "1", "rank": "0", "from": "65536", "hysteresis": "2"},
		"NOTE: gradient overflow detected, ignoring gradient, setting loss scale to: 64.0":                                       {"steps": "1", "to": "64.0"},
		"Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 1.1754943508222875e-38":                         {"steps": "1", "scaler": "0", "to": "1.1754943508222875e-38"},
		"step=200, skipped=17, lr=[1e-05]":                                  {"step": "200", "skipped_total": "17"},
		"lm loss: 7.0E-01 | number of skipped iterations:   3 |":            {"steps": "3"},
		"Mixed precision skipped 12 of 60 optimiser steps":                  {"steps": "12", "of": "60"},
		"optimizer not run, scale_before: 32768.0, scale_after: 16384.0":    {"steps": "1", "from": "32768.0", "to": "16384.0"},
		"Detected call of `lr_scheduler.step()` before `optimizer.step()`.": {"at_most": "1"},
		"2025 WARNING (7/8) Grad scale is small: 3.0517578125e-05":          {"extent": "unknown", "scale": "3.0517578125e-05"},
	} {
		got := c.Match([]byte(line), nil, Context{})
		require.Len(t, got, 1, line)
		require.Empty(t, got[0].Quoted, line)
		require.Equal(t, "steps", got[0].Effect, line)
		require.Equal(t, want, got[0].Attrs, line)
	}
}

// Two skips glued into one line are two skips.
func TestEachSkipOfALineCounts(t *testing.T) {
	t.Parallel()
	c := load(t)
	one := "[deepscale] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 1, reducing to 1"
	require.Len(t, c.Match([]byte("  0%|#  | 98/24128 [00:40<2:40:10]"+one+one), nil, Context{}), 2)
}

func TestKeysTellHeadFromBody(t *testing.T) {
	t.Parallel()
	c := load(t)
	for line, want := range map[string][3]string{
		"Some weights of A were not initialized from the model checkpoint at b and are newly initialized: ['classifier.bias', 'classifier.weight']":                          {"notice", "head", "classifier.bias,classifier.weight"},
		"Some weights of A were not initialized from the model checkpoint at b and are newly initialized: ['bert.encoder.layer.0.output.dense.weight', 'classifier.weight']": {"degraded", "body", "bert.encoder.layer.0.output.dense.weight,classifier.weight"},
		"_IncompatibleKeys(missing_keys=['module.conv1.weight'], unexpected_keys=['conv1.weight'])":                                                                          {"degraded", "body", "module.conv1.weight"},
		"_IncompatibleKeys(missing_keys=['head.weight', 'head.bias'], unexpected_keys=[])":                                                                                   {"notice", "head", "head.weight,head.bias"},
		"_IncompatibleKeys(missing_keys=['base_model.model.model.embed_tokens.weight'], unexpected_keys=[])":                                                                 {"notice", "adapter-base", "base_model.model.model.embed_tokens.weight"},
		"_IncompatibleKeys(missing_keys=['base_model.model.layers.0.q_proj.lora_A.weight'], unexpected_keys=[])":                                                             {"degraded", "body", "base_model.model.layers.0.q_proj.lora_A.weight"},
		"size mismatch for encoder.embed.weight: copying a param with shape torch.Size([100, 10]) from checkpoint":                                                           {"degraded", "body", "encoder.embed.weight"},
		`	Missing key(s) in state_dict: "encoder.conv1.weight", "encoder.conv1.bias". `:                                                                                      {"degraded", "body", "encoder.conv1.weight,encoder.conv1.bias"},
		"encoder.layer.{0, 1, 2}.output.dense.weight | MISSING    | ":                                                                                                        {"degraded", "body", "encoder.layer.{0,1,2}.output.dense.weight"},
		"bert.embeddings.position_ids                | MISSING    | ":                                                                                                        {"notice", "head", "bert.embeddings.position_ids"},
	} {
		got := c.Match([]byte(line), nil, Context{})
		require.Len(t, got, 1, line)
		m := got[0]
		require.Equal(t, want, [3]string{string(m.Class), m.Attrs["part"], m.Attrs["keys"]}, line)
		require.Equal(t, "weights", m.Effect)
	}
}

func TestHealthyLineDoesNotAllocate(t *testing.T) {
	c := load(t)
	line := []byte("{'loss': 1.9812, 'grad_norm': 3.1, 'learning_rate': 0.0002, 'epoch': 0.02}")
	prev := []byte("  1%|          | 20/1752 [00:57<1:22:40,  2.86s/it, a bar of the usual width here ok]")
	require.Zero(t, testing.AllocsPerRun(100, func() { c.Match(line, nil, Context{}) }))
	require.Zero(t, testing.AllocsPerRun(100, func() { c.Match(line, prev, Context{}) }))
}

func BenchmarkMatchHealthy(b *testing.B) {
	c := load(b)
	line := []byte("{'loss': 1.9812, 'grad_norm': 3.1223, 'learning_rate': 0.0002, 'mean_token_accuracy': 0.8115, 'num_tokens': 1048576.0, 'epoch': 0.02}")
	prev := append(append(bytes.Clone(line), '\n'), line...)
	for name, p := range map[string][]byte{"alone": nil, "with the lines before": prev} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				c.Match(line, p, Context{})
			}
		})
	}
}

// A log of the same fault over and over must not stall the scan.
func BenchmarkMatchFault(b *testing.B) {
	c := load(b)
	line := []byte("../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [4,0,0] Assertion `t >= 0 && t < n_classes` failed.")
	for b.Loop() {
		c.Match(line, nil, Context{})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		load(b)
	}
}
