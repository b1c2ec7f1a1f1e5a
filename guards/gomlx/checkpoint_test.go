package gomlxguard_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/trainvet/trainvet/guards"
	gomlxguard "github.com/trainvet/trainvet/guards/gomlx"
	"github.com/trainvet/trainvet/guards/record"
)

// resumed is the record of what a rig goes on from.
func (r *rig) resumed(t *testing.T) (from []record.Resume) {
	t.Helper()
	for _, rec := range r.record.Records() {
		if b, ok := rec.Body.(*record.Resume); ok {
			from = append(from, *b)
		}
	}
	return from
}

// TestResumedSaysFromWhere: the checkpoint, its step and its counts, whether the
// handler hands the variables over at once or as they are asked for, behind a
// scaler, behind Watch, and with accumulated gradients.
func TestResumedSaysFromWhere(t *testing.T) {
	watched := func(*testing.T) optimizer.Interface { return gomlxguard.Watch(sgd(0.1)) }
	for name, c := range map[string]struct {
		opt        func(*testing.T) optimizer.Interface
		accumulate int
		rows       batches
		step       int64
		carried    []record.Carried
	}{
		"watched": {watched, 1, plain, 4, []record.Carried{{Optimizer: "test", Attempted: 4, Applied: 4}}},
		"bare":    {func(*testing.T) optimizer.Interface { return sgd(0.1) }, 1, plain, 4, []record.Carried{}},
		"scaler": {func(t *testing.T) optimizer.Interface { return scaled(t, sgd(0.1), guards.ScalerConfig{}) }, 1,
			batches{plain[0], {inf, 0, 0, 0}, plain[1]}, 2, []record.Carried{{Optimizer: "test", Attempted: 3, Applied: 2}}},
		"accumulated": {watched, 2, plain, 4, []record.Carried{{Optimizer: "test", Attempted: 2, Applied: 2}}},
	} {
		for how, build := range map[string]func(*checkpoint.Config) *checkpoint.Config{
			"at once":  (*checkpoint.Config).Immediate,
			"by stage": func(c *checkpoint.Config) *checkpoint.Config { return c },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				dir := t.TempDir()
				begin := func() (*rig, *checkpoint.Handler) {
					var handler *checkpoint.Handler
					r := newRig(t, c.opt(t), func(store *model.Store) {
						var err error
						if handler, err = build(checkpoint.Build(store).Dir(dir)).Done(); err != nil {
							t.Fatal(err)
						}
					})
					if c.accumulate > 1 {
						if err := r.trainer.AccumulateGradients(c.accumulate); err != nil {
							t.Fatal(err)
						}
						r.loop.LoopStep = int(r.trainer.GlobalStep()) * c.accumulate // as NewLoop does behind it
					}
					if err := r.guard.Resumed(handler); err != nil {
						t.Fatal(err)
					}
					return r, handler
				}
				first, handler := begin()
				if _, err := first.guard.RunSteps(c.rows, len(c.rows)); err != nil {
					t.Fatal(err)
				}
				if err := first.guard.Save(handler); err != nil {
					t.Fatal(err)
				}
				same(t, "of a new model", len(first.resumed(t)), 0)
				var wrote record.Artifact
				for _, rec := range first.record.Records() {
					if b, ok := rec.Body.(*record.Artifact); ok && filepath.Ext(b.Path) == ".bin" {
						wrote = *b
					}
				}
				second, _ := begin()
				from := second.resumed(t)
				if len(from) != 1 {
					t.Fatalf("%d resumes", len(from))
				}
				same(t, "path", from[0].Path, wrote.Path)
				same(t, "size", from[0].Size, wrote.Size)
				same(t, "sample", from[0].Sample, wrote.Sample)
				same(t, "step", from[0].Step, c.step)
				same(t, "carried", from[0].Carried, c.carried)
			})
		}
	}
}

// TestHalfCheckpointsAreSetAside: a trainer that is killed while it saves leaves
// a list that is cut, at whatever byte, and goes on from the checkpoint before.
func TestHalfCheckpointsAreSetAside(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 20 {
		dir := t.TempDir()
		r := newRig(t, gomlxguard.Watch(sgd(0.1)), nil)
		handler, err := checkpoint.Build(r.store).Dir(dir).Keep(2).Immediate().Done()
		if err != nil {
			t.Fatal(err)
		}
		steps(t, r, plain[:2])
		for range 2 {
			if err := handler.Save(); err != nil {
				t.Fatal(err)
			}
			steps(t, r, plain[:1])
		}
		lists, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		if len(lists) != 2 {
			t.Fatal(lists)
		}
		text, err := os.ReadFile(lists[1])
		if err != nil {
			t.Fatal(err)
		}
		end := random.IntN(len(text) - 2) // the last brace and line feed are no loss
		if err := os.WriteFile(lists[1], text[:end], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := checkpoint.Build(model.NewStore()).Dir(dir).Immediate().Done(); err == nil {
			t.Errorf("GoMLX goes on from %d of %d bytes", end, len(text))
		}
		halves, err := gomlxguard.SetAside(dir)
		if err != nil || len(halves) != 1 {
			t.Fatal(halves, err)
		}
		again := newRig(t, gomlxguard.Watch(sgd(0.1)), func(store *model.Store) { checkpoints(t, store, dir) })
		same(t, "global step", again.trainer.GlobalStep(), int64(2))
	}
}

func TestWholeCheckpointsStay(t *testing.T) {
	dir := t.TempDir()
	r := newRig(t, gomlxguard.Watch(sgd(0.1)), nil)
	handler := checkpoints(t, r.store, dir)
	steps(t, r, plain)
	if err := handler.Save(); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, filepath.Join(dir, "none"), t.TempDir()} {
		if halves, err := gomlxguard.SetAside(d); err != nil || len(halves) > 0 {
			t.Error(halves, err)
		}
	}
}

// TestAFaultOutlivesASaveThatFails: the disk is no excuse for the model, nor the
// other way round.
func TestAFaultOutlivesASaveThatFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	r := newRig(t, gomlxguard.Watch(sgd(0.1)), nil)
	handler := checkpoints(t, r.store, dir)
	steps(t, r, plain)
	if err := r.guard.Save(handler); err != nil {
		t.Fatal(err) // the healthy twin
	}
	if err := r.store.GetVariable("/model/w").SetValue(tensors.FromValue([]float32{1, nan, 1, 1})); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	err := r.guard.Save(handler)
	if !errors.Is(err, guards.ErrQuality) || !strings.Contains(err.Error(), "saving a checkpoint") {
		t.Error(err)
	}
}
