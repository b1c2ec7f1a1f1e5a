package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
)

// TestTorchEngines: skips that DeepSpeed, Megatron and ColossalAI make in a way of
// their own are counted, each once. Not run live: testdata/engines holds stand-ins.
func TestTorchEngines(t *testing.T) {
	t.Parallel()
	python := torch(t)
	for name, optimizers := range map[string]int64{
		"deepspeed": 1, "deepspeed-zero": 1, "deepspeed-gathers": 1, "megatron": 1, "megatron-chained": 2, "colossalai": 1,
	} {
		for mode, skips := range map[string]int64{"fault": 8, "twin": 1} {
			t.Run(name+"/"+mode, func(t *testing.T) {
				t.Parallel()
				folder := filepath.Join(t.TempDir(), "trainer")
				require.NoError(t, os.CopyFS(folder, os.DirFS("testdata/engines")))
				run := &scenarioRun{t: t, tool: "trainvet", dir: filepath.Join(t.TempDir(), "run")}
				run.start(nil, python, filepath.Join(folder, "train.py"), name, mode)
				want := expectation{Verdict: "TRUSTED", Optimizer: "AdamW", Steps: []int64{9}}
				if mode == "fault" {
					want = expectation{Verdict: "DEGRADED", Code: "skip", Text: "8 of 40 attempted steps"}
				}
				if optimizers > 1 {
					want.Optimizer, want.Steps = "", nil
				}
				run.judge("eval_accuracy", want)
				last := map[string]*record.Step{}
				for _, r := range recordsOf(t, run.runDirectory()) {
					if s, ok := r.Body.(*record.Step); ok {
						last[s.Optimizer] = s
					}
				}
				require.Len(t, last, int(optimizers))
				for _, s := range last {
					require.Equal(t, "framework", s.How)
					require.Equal(t, []int64{40, 40 - skips, skips}, []int64{s.Attempted, s.Applied, s.Skipped})
				}
			})
		}
	}
}
