//go:build unix

package main

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/trainvet/trainvet/guards"
	gomlxguard "github.com/trainvet/trainvet/guards/gomlx"
)

// BenchmarkOverhead holds the CPU of steps with the guards attached against
// that of bare ones: ten pairs in turns, in one process, the record written.
// The bar is 1.02 in the median.
func BenchmarkOverhead(b *testing.B) {
	guards.SetDefault(guards.New(guards.Options{Dir: b.TempDir()}))
	guarded, bare := guardedSteps(b), bareSteps(b)
	const pairs, steps = 10, 50
	guarded(5) // the graph is built and the memory is there
	bare(5)
	for b.Loop() {
		var ratios []float64
		for i := range pairs {
			var with, without time.Duration
			if i%2 == 0 {
				with, without = cpu(guarded, steps), cpu(bare, steps)
			} else {
				without, with = cpu(bare, steps), cpu(guarded, steps)
			}
			ratios = append(ratios, float64(with)/float64(without))
		}
		slices.Sort(ratios)
		b.Logf("ratios of %d pairs of %d steps: %.3f", pairs, steps, ratios)
		b.ReportMetric((ratios[pairs/2-1]+ratios[pairs/2])/2, "median-ratio")
	}
}

func overheadSettings() settings {
	return settings{seed: 1, batch: 8, rate: 0.01, dtype: dtypes.Float32}
}

// guardedSteps are steps of this trainer as it is.
func guardedSteps(b *testing.B) func(int) {
	t, err := build(overheadSettings())
	if err != nil {
		b.Fatal(err)
	}
	data := gomlxguard.Dataset(endless(t.letters), t.inputs)
	return func(n int) {
		if _, err := t.guard.RunSteps(data, n); err != nil {
			b.Fatal(err)
		}
	}
}

// bareSteps are those of the same model without any of it.
func bareSteps(b *testing.B) func(int) {
	s, letters := overheadSettings(), newAlphabet(jack)
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, s.seed)
	m := transformer{vocab: len(letters.chars), dtype: s.dtype}
	adam := optimizer.Adam().LearningRate(s.rate).Done()
	backend, err := newBackend()
	if err != nil {
		b.Fatal(err)
	}
	loop := train.NewLoop(train.NewTrainer(backend, store, m.graph, loss.SparseCategoricalCrossEntropyLogits, adam, nil, nil))
	data := endless(letters)
	return func(n int) {
		if _, err := loop.RunSteps(data, n); err != nil {
			b.Fatal(err)
		}
	}
}

func endless(letters *alphabet) train.Dataset {
	return &windows{name: "train", ids: letters.Encode(jack), batch: 8, order: &order{seed: 1}}
}

// cpu is what all threads of this process used for so many steps.
func cpu(run func(int), steps int) time.Duration {
	runtime.GC()
	before := used()
	run(steps)
	return used() - before
}

func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
