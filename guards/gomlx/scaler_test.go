package gomlxguard_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/trainvet/trainvet/guards"
	gomlxguard "github.com/trainvet/trainvet/guards/gomlx"
)

const inf = float32(math.MaxFloat32) // times any scale above 1 it overflows

func sgd(rate float64) optimizer.Interface {
	return optimizer.StochasticGradientDescent().WithDecay(false).WithLearningRate(rate).Done()
}

func scaled(t *testing.T, opt optimizer.Interface, c guards.ScalerConfig) optimizer.Interface {
	t.Helper()
	s, err := gomlxguard.Scaler(opt, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestScalerEqualsReference holds the scaler in the graph against the one of
// package guards, at each step of runs with random overflows.
func TestScalerEqualsReference(t *testing.T) {
	configs := []guards.ScalerConfig{
		{},
		{Start: 8, Interval: 3, Floor: 2, Ceiling: 64},
		{Start: 1024, Interval: 2, Hysteresis: 3, Growth: 3, Backoff: 0.25, Floor: 1.5},
		{Start: 0.5, Interval: 1, Hysteresis: 2, Growth: 1.5, Backoff: 0.7, Floor: 0.01, Ceiling: 4},
		{Start: 4, Floor: 4, Interval: 1000},
	}
	for i, c := range configs {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("config %d seed %d", i, seed), func(t *testing.T) { follow(t, c, seed) })
		}
	}
}

func follow(t *testing.T, c guards.ScalerConfig, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 7))
	reference, err := guards.New(guards.Options{}).NewLossScaler(c)
	if err != nil {
		t.Fatal(err)
	}
	adam := reference.Optimizer("reference")
	r := newRig(t, scaled(t, sgd(0.25), c), nil)
	weights := []float32{1, 1, 1, 1}
	for step := range 60 {
		row := []float32{1, -2, 0.5, random.Float32()}
		if random.IntN(3) == 0 {
			row[random.IntN(4)] = []float32{float32(math.Inf(1)), float32(math.NaN()), float32(math.Inf(-1))}[random.IntN(3)]
		}
		scale := float32(reference.Scale())
		gradient := make([]float32, len(row))
		for i := range row {
			gradient[i] = row[i] * scale
		}
		apply, _ := adam.Step(guards.Unscale(reference, gradient)) // what it says of the scale is no matter here
		for i := range weights {
			if apply {
				weights[i] -= 0.25 * gradient[i]
			}
		}
		reference.Update()

		for batch := range (batches{row}).Iter() {
			if _, err := r.trainer.TrainStep(batch); err != nil {
				t.Fatal(err)
			}
		}
		state := reference.State()
		same(t, "scale", scalar[float64](t, r.store, gomlxguard.Scope+"/scale"), state.Scale)
		same(t, "good steps", scalar[int64](t, r.store, gomlxguard.Scope+"/good_steps"), int64(state.Good))
		same(t, "hysteresis", scalar[int64](t, r.store, gomlxguard.Scope+"/hysteresis"), int64(state.Hysteresis))
		same(t, "attempted", scalar[int64](t, r.store, gomlxguard.Scope+"/attempted"), adam.Counts().Attempted)
		same(t, "applied", scalar[int64](t, r.store, gomlxguard.Scope+"/applied"), adam.Counts().Applied)
		same(t, "global step", r.trainer.GlobalStep(), adam.Counts().Applied)
		same(t, "weights", scalar[[]float32](t, r.store, "/model/w"), weights)
		if t.Failed() {
			t.Fatalf("from step %d on", step)
		}
	}
}

// TestSkippedStepLeavesNothing: a run with batches that overflow ends with the
// very bits of the run without them.
func TestSkippedStepLeavesNothing(t *testing.T) {
	good := batches{{1, 2, 3, 4}, {-1, 0.5, 2, 0}, {3, -3, 0.25, 1}, {0.1, 0.2, -0.3, 0.4}}
	bad := batches{good[0], {inf, 1, 1, 1}, good[1], {1, -inf, 1, 1}, {1, 1, inf, 1}, good[2], good[3]}
	opt := func() optimizer.Interface {
		return scaled(t, optimizer.Adam().LearningRate(0.1).Done(), guards.ScalerConfig{Start: 1024, Interval: 1000})
	}
	with, without := newRig(t, opt(), nil), newRig(t, opt(), nil)
	steps(t, with, bad)
	steps(t, without, good)
	want := without.values(t)
	if len(want) < 4 { // weights, two moments, two counters
		t.Fatalf("only %d variables to compare: %v", len(want), want)
	}
	same(t, "variables", with.values(t), want)
}

func steps(t *testing.T, r *rig, rows batches) {
	t.Helper()
	for batch := range rows.Iter() {
		if _, err := r.trainer.TrainStep(batch); err != nil {
			t.Fatal(err)
		}
	}
}

// TestScalerResumes: a run that stops at a random step and goes on from its
// checkpoint ends as the one that was never stopped.
func TestScalerResumes(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	var rows batches
	for range 30 {
		row := []float32{random.Float32(), random.Float32() - 0.5, 1, -random.Float32()}
		if random.IntN(4) == 0 {
			row[0] = inf
		}
		rows = append(rows, row)
	}
	config := guards.ScalerConfig{Start: 4096, Interval: 3, Hysteresis: 2}
	opt := func() optimizer.Interface { return scaled(t, optimizer.Adam().LearningRate(0.1).Done(), config) }
	whole := newRig(t, opt(), nil)
	steps(t, whole, rows)

	at, dir := 5+random.IntN(20), t.TempDir()
	first := newRig(t, opt(), nil)
	handler := checkpoints(t, first.store, dir)
	steps(t, first, rows[:at])
	if err := handler.Save(); err != nil {
		t.Fatal(err)
	}
	second := newRig(t, opt(), func(store *model.Store) { checkpoints(t, store, dir) })
	steps(t, second, rows[at:])
	same(t, fmt.Sprintf("variables after a stop at step %d", at), second.values(t), whole.values(t))
	for _, name := range []string{"/scale", "/good_steps", "/hysteresis", "/attempted", "/applied"} {
		same(t, name, fmt.Sprint(second.store.GetVariable(gomlxguard.Scope+name).MustValue().Value()),
			fmt.Sprint(whole.store.GetVariable(gomlxguard.Scope+name).MustValue().Value()))
	}
}

func checkpoints(t *testing.T, store *model.Store, dir string) *checkpoint.Handler {
	t.Helper()
	h, err := checkpoint.Build(store).Dir(dir).Immediate().Done()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestScalerRefuses(t *testing.T) {
	if _, err := gomlxguard.Scaler(bare{sgd(0.1)}, guards.ScalerConfig{}); err == nil {
		t.Error("an optimizer that takes no gradients was taken")
	}
	if _, err := gomlxguard.Scaler(sgd(0.1), guards.ScalerConfig{Growth: 0.5}); err == nil {
		t.Error("a growth below 1 was taken")
	}
	tr := train.NewTrainer(gobackend.GetBackend(), model.NewStore(), weighted, mean, scaled(t, sgd(0.1), guards.ScalerConfig{}), nil, nil)
	if err := tr.AccumulateGradients(2); err == nil {
		t.Error("gradients are accumulated behind a scaler, which never sees their loss")
	}
}

// bare hides what an optimizer can do beside UpdateGraph.
type bare struct{ optimizer.Interface }
