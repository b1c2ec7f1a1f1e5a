//go:build unix

package main

import (
	"math/rand/v2"
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

// The measurement: pairs of so many turns of so many steps, with the guards and
// without in turn, so that what else the machine does falls on both alike.
const (
	pairs = 10
	turns = 24 // on each side of a pair
	block = 4  // steps
)

// BenchmarkOverhead holds the CPU of steps with the guards attached against
// that of bare ones, in one process, the record written. The bar is 1.02 in the
// median of ten pairs.
func BenchmarkOverhead(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the collector's share is that of who made the garbage
	guards.SetDefault(guards.New(guards.Options{Dir: b.TempDir()}))
	guarded, bare := guardedSteps(b), bareSteps(b)
	guarded(5) // the graph is built and the memory is there
	bare(5)
	for b.Loop() {
		ratios := make([]float64, pairs)
		for i := range ratios {
			ratios[i] = pair(guarded, bare)
		}
		slices.Sort(ratios)
		low, high := bootstrap(ratios)
		b.Logf("CPU with the guards, in parts of that without, in %d pairs of %d steps on each side: %.4f; the median lies between %.4f and %.4f (95 %%)",
			pairs, turns*block, ratios, low, high)
		b.ReportMetric(median(ratios), "median-ratio")
		b.ReportMetric(low, "low")
		b.ReportMetric(high, "high")
	}
}

// pair is how much more CPU one side takes than the other, by the middle half of
// its turns: now and then another process takes the caches away. Who comes first
// changes, so that none always runs on the other's.
func pair(guarded, bare func(int)) float64 {
	var with, without []time.Duration
	for i := range turns {
		if i%2 == 0 {
			with, without = append(with, cpu(guarded)), append(without, cpu(bare))
		} else {
			without, with = append(without, cpu(bare)), append(with, cpu(guarded))
		}
	}
	return float64(middle(with)) / float64(middle(without))
}

// middle is the sum of the middle half.
func middle(times []time.Duration) (sum time.Duration) {
	slices.Sort(times)
	for _, t := range times[len(times)/4 : len(times)-len(times)/4] {
		sum += t
	}
	return sum
}

func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// bootstrap bounds the median by drawing the pairs again and again.
func bootstrap(values []float64) (low, high float64) {
	random := rand.New(rand.NewPCG(1, 1))
	medians := make([]float64, 2000)
	drawn := make([]float64, len(values))
	for i := range medians {
		for j := range drawn {
			drawn[j] = values[random.IntN(len(values))]
		}
		slices.Sort(drawn)
		medians[i] = median(drawn)
	}
	slices.Sort(medians)
	return medians[len(medians)/40], medians[len(medians)-1-len(medians)/40]
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

// cpu is what this process used for a block.
func cpu(run func(int)) time.Duration {
	before := used()
	run(block)
	return used() - before
}

func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
