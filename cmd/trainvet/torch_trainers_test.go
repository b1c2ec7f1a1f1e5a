package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// trainers are the programs of testdata/trainers: the claim that each makes, and what
// it imports beside PyTorch.
var trainers = map[string]struct{ metric, imports string }{
	"gpt":            {"val_loss", ""},
	"classifier":     {"val_accuracy", ""},
	"ddp":            {"val_accuracy", ""},
	"seq2seq":        {"eval_exact", "transformers"},
	"lightning_loop": {"val_acc", "lightning"},
}

// there asks for a module without the seconds that it takes to import it.
const there = "import sys, importlib.util; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"

// TestTorchTrainers: trainers as people write them, plain and compiled. What they
// claim is TRUSTED, guarded, and nothing above a note is found.
func TestTorchTrainers(t *testing.T) {
	t.Parallel()
	python := torch(t)
	for name, trainer := range trainers {
		text, err := os.ReadFile(filepath.Join("../../testdata/trainers", name+".py"))
		require.NoError(t, err)
		for seed := range scenarioSeeds() {
			for _, mode := range []string{"plain", "compile"} {
				t.Run(name+"/"+mode+"/"+strconv.Itoa(seed), func(t *testing.T) {
					t.Parallel()
					if trainer.imports != "" && exec.Command(python, "-c", there, trainer.imports).Run() != nil {
						t.Skip("no ", trainer.imports, " here")
					}
					run := &scenarioRun{t: t, tool: "trainvet", dir: filepath.Join(t.TempDir(), "run")}
					script := filepath.Join(t.TempDir(), "train.py") // beside no other source
					require.NoError(t, os.WriteFile(script, text, 0o600))
					run.start(nil, python, script, strconv.Itoa(seed), mode)
					run.judge(trainer.metric, expectation{Verdict: "TRUSTED"})
				})
			}
		}
	}
}
