package gomlxguard_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/trainvet/trainvet/guards"
	gomlxguard "github.com/trainvet/trainvet/guards/gomlx"
	"github.com/trainvet/trainvet/guards/record"
)

// TestSeveralDataSetsAndEvaluationsBetween: one ledger over all of them, whose
// steps go on, and evaluations in a hook count no step.
func TestSeveralDataSetsAndEvaluationsBetween(t *testing.T) {
	r := newRig(t, gomlxguard.Watch(sgd(0.1)), nil)
	evaluated := 0
	train.EveryNSteps(r.loop, 2, "evaluate", 0, func(*train.Loop, []*tensors.Tensor) error {
		evaluated++
		_, err := r.guard.Eval("val", plain[:2])
		return err
	})
	for _, rows := range []batches{plain, plain[:2], plain} {
		if _, err := r.guard.RunSteps(gomlxguard.Dataset(rows, nil), len(rows)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.guard.RunEpochs(plain, 2); err != nil {
		t.Fatal(err)
	}
	got, _ := r.ledger(t)
	same(t, "attempted", got.Attempted, int64(18))
	same(t, "applied", got.Applied, int64(18))
	same(t, "planned", got.Planned, int64(10)) // GoMLX knows the length of an epoch behind its end
	same(t, "step", got.Step, int64(18))
	same(t, "codes", r.record.Codes(), []string(nil))
	metrics := 0
	for _, rec := range r.record.Records() {
		if m, ok := rec.Body.(*record.Metric); ok && m.Name == "eval_mean_loss" {
			metrics++
			same(t, "samples", m.N, int64(2))
		}
	}
	same(t, "evaluations", metrics, evaluated)
}

// TestNoRunDirectory: a record that cannot be written stops no training.
func TestNoRunDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(dir, nil, 0o400); err != nil { // what should be a folder is a file
		t.Fatal(err)
	}
	run := guards.New(guards.Options{Dir: dir})
	r := newRig(t, gomlxguard.Watch(sgd(0.1)), nil)
	guard := gomlxguard.Attach(train.NewLoop(r.trainer), gomlxguard.Run(run))
	if _, err := guard.RunSteps(plain, len(plain)); err != nil {
		t.Fatal(err)
	}
	if _, err := guard.Eval("val", plain); err != nil {
		t.Fatal(err)
	}
	if run.Loss() == nil || run.Close() != nil {
		t.Errorf("the loss is %v", run.Loss())
	}
}
