package curve

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// faulty twins: the code that must be among the findings stands before the name.
var faulty = map[string]func(seed uint64) *runOf{
	"diverged: no zero_grad, sgd": func(s uint64) *runOf {
		b := newRun(s, 128)
		return b.loss(b.noisy(0.15, func(t float64) float64 {
			if t < 0.43 {
				return falling(1.391, 0.7, 8)(t)
			}
			return 3.976
		}))
	},
	"diverged: no zero_grad, adam": func(s uint64) *runOf {
		b := newRun(s, 128)
		return b.loss(b.noisy(0.08, func(t float64) float64 {
			if t < 0.6 {
				return falling(1.342, 0.4, 8)(t)
			}
			return 1.402
		}))
	},
	"diverged: explosion to a plateau": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.05, func(t float64) float64 {
			if t < 0.5 {
				return falling(10.8, 4, 8)(t)
			}
			return 8.6 + 3*math.Exp(-60*(t-0.5))
		}))
	},
	"diverged: steadily upwards": func(s uint64) *runOf {
		b := newRun(s, 100)
		return b.loss(b.noisy(0.05, func(t float64) float64 { return 2 + 30*t*t }))
	},
	"diverged: negative loss": func(s uint64) *runOf {
		b := newRun(s, 250)
		return b.series("train_loss", kLoss, b.about(0.03, func(t float64) float64 {
			if t < 0.7 {
				return falling(0.02, -0.8, 6)(t)
			}
			return 0.01
		}))
	},
	"dead: stale optimizer": func(s uint64) *runOf {
		b := newRun(s, 128)
		b.epochs = 8
		return b.loss(b.noisy(0.03, falling(1.41, 1.393, 1))).evals(8, "val_acc", kAcc, b.about(0.004, level(0.192)))
	},
	"dead: shuffled labels": func(s uint64) *runOf {
		b := newRun(s, 128)
		b.epochs = 8
		return b.loss(b.noisy(0.02, falling(1.380, 1.368, 2))).evals(8, "val_acc", kAcc, b.about(0.01, level(0.315)))
	},
	"dead: word errors stay at 100": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.05, level(6.3))).evals(6, "eval_wer", kErr, b.about(0.3, level(99.4)))
	},
	"dead: training score at chance": func(s uint64) *runOf {
		b := newRun(s, 300)
		b.epochs = 10
		return b.loss(b.noisy(0.01, level(2.3026))).series("accuracy", kAcc, b.about(0.01, level(0.1)))
	},
	"dead: gradient is zero": func(s uint64) *runOf {
		b := newRun(s, 100)
		return b.loss(b.noisy(0.03, level(1.424))).series("grad_norm", kNorm, plain(level(0)))
	},
	"flat: output does not depend on the input": func(s uint64) *runOf {
		b := newRun(s, 100)
		return b.loss(b.about(0.00005, level(0.6931)))
	},
	"constant: loss": func(s uint64) *runOf { b := newRun(s, 40); return b.loss(plain(level(10.8249))) },
	"constant: evaluation loss": func(s uint64) *runOf {
		b := newRun(s, 100)
		return b.loss(b.noisy(0.1, falling(2, 1, 3))).evals(5, "eval_loss", kLoss, plain(level(2.3025)))
	},
	"constant: all targets masked, sum": func(s uint64) *runOf { b := newRun(s, 30); return b.loss(plain(level(0))) },
	"constant: score of one class": func(s uint64) *runOf {
		b := newRun(s, 100)
		return b.loss(b.noisy(0.1, falling(2, 1, 3))).evals(10, "eval_accuracy", kAcc, plain(level(0.2275)))
	},
	"chance: number of labels logged": func(s uint64) *runOf {
		b := newRun(s, 128)
		return b.series("num_labels", evidence.KindCount, plain(level(4))).loss(b.noisy(0.02, level(1.385)))
	},
	"chance: language model": func(s uint64) *runOf {
		b := newRun(s, 128)
		return b.series("vocab_size", evidence.KindCount, plain(level(50257))).loss(b.about(0.02, level(10.83)))
	},
	"rate-zero: always": func(s uint64) *runOf {
		b := newRun(s, 60)
		return b.loss(b.noisy(0.1, level(2))).series("learning_rate", kRate, plain(level(0)))
	},
	"rate-zero: schedule over at half the run": func(s uint64) *runOf {
		b := newRun(s, 60)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 4))).
			series("learning_rate", kRate, plain(func(t float64) float64 { return 1e-4 * math.Max(0, 1-2*t) }))
	},
	"rate-zero: all groups": func(s uint64) *runOf {
		b := newRun(s, 60)
		return b.loss(b.noisy(0.1, level(2))).series("lr/pg0", kRate, plain(level(0))).series("lr/pg1", kRate, plain(level(0)))
	},
	"gradient-zero: loss rewrapped": func(s uint64) *runOf {
		b := newRun(s, 128)
		return b.loss(b.noisy(0.03, level(1.4))).series("grad_norm", kNorm, plain(level(0)))
	},
	"gradient-spike: as on record": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.1, falling(3, 1, 3))).series("grad_norm", kNorm, func(i int, _ float64) float64 {
			if i == 120 {
				return 58463
			}
			return 13 + 32*b.Float64()
		})
	},
	"gradient-spike: at the very end": func(s uint64) *runOf {
		b := newRun(s, 100)
		return b.loss(b.noisy(0.1, falling(3, 1, 3))).series("grad_norm", kNorm, func(i int, _ float64) float64 {
			if i == 99 {
				return 4000
			}
			return math.Exp(0.3 * b.NormFloat64())
		})
	},
	"overfit: loss": func(s uint64) *runOf {
		b := newRun(s, 400)
		return b.loss(b.noisy(0.08, falling(2, 0.02, 5))).
			evals(12, "eval_loss", kLoss, b.noisy(0.01, func(t float64) float64 { return 0.6 + 1.5*math.Exp(-15*t) + 0.9*t }))
	},
	"overfit: accuracy falls with it": func(s uint64) *runOf {
		b := newRun(s, 400)
		return b.loss(b.noisy(0.08, falling(2, 0.02, 5))).
			evals(12, "eval_loss", kLoss, b.noisy(0.01, func(t float64) float64 { return 0.6 + 1.5*math.Exp(-15*t) + 0.9*t })).
			evals(12, "eval_accuracy", kAcc, b.about(0.002, func(t float64) float64 { return 0.85 - 0.3*math.Exp(-15*t) - 0.08*t }))
	},
	"final-worse: accuracy decays": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).
			evals(12, "eval_accuracy", kAcc, b.about(0.005, func(t float64) float64 { return 0.5 + 0.4*math.Sin(1.05*math.Pi*math.Min(1, t+0.1)) }))
	},
	"final-worse: last evaluation collapses": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).evals(10, "eval_wer", kErr, func(i int, t float64) float64 {
			if i == 9 {
				return 96.1
			}
			return falling(80, 20, 6)(t) + 0.3*b.NormFloat64()
		})
	},
	"oscillating: accuracy": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).evals(12, "eval_accuracy", kAcc, func(i int, _ float64) float64 {
			return []float64{0.81, 0.35, 0.62, 0.2, 0.77}[i%5] + 0.03*b.NormFloat64()
		})
	},
	"oscillating: loss": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.1, falling(2, 0.8, 3))).evals(14, "val_loss", kLoss, func(i int, _ float64) float64 {
			return []float64{1.1, 4.2, 1.9, 6, 1.4, 3}[i%6] * math.Exp(0.1*b.NormFloat64())
		})
	},
	"step-time-cliff: seconds": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).series("time", kTime, b.noisy(0.08, func(t float64) float64 {
			if t > 0.6 {
				return 0.82
			}
			return 0.4
		}))
	},
	"step-time-cliff: speed": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).series("tokens_per_sec", kFast, b.noisy(0.05, func(t float64) float64 {
			if t > 0.3 {
				return 4100
			}
			return 7400
		}))
	},
	"data-wait: loader": func(s uint64) *runOf {
		b := newRun(s, 100)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).series("time", kTime, b.noisy(0.05, level(1.2))).
			series("data_time", kTime, b.noisy(0.05, level(0.85)))
	},
}

func codes(ns []verdict.Note) (out []string) {
	for _, n := range ns {
		out = append(out, n.Code)
	}
	return out
}

// Each faulty twin is found on every seed, whole and merged.
func TestFaultyIsFound(t *testing.T) {
	t.Parallel()
	for name, build := range faulty {
		code, _, _ := strings.Cut(name, ":")
		for seed := range uint64(seeds) {
			for _, k := range []int{1, 3} {
				ev := build(seed).evidence()
				if k > 1 {
					ev.Tracks[0] = merged(ev, k).Tracks[0]
				}
				found, skipped := Find(ev, Thresholds{})
				if !slices.Contains(codes(found), code) {
					t.Errorf("%s, seed %d, merged by %d: found %q, skipped %v", name, seed, k, codes(found), skipped)
				}
				for _, n := range found {
					require.NotEmpty(t, n.Refs, n.Text)
					require.NotEmpty(t, n.Do, n.Text)
				}
			}
		}
	}
}

// Every check has a faulty twin that proves that it can fire.
func TestEveryCheckHasATwin(t *testing.T) {
	t.Parallel()
	for _, c := range checks() {
		require.True(t, slices.ContainsFunc(slices.Collect(keys(faulty)), func(name string) bool {
			return strings.HasPrefix(name, c.code+":")
		}), c.code)
	}
}

func keys(m map[string]func(uint64) *runOf) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func TestTheNumbersThatTriggered(t *testing.T) {
	t.Parallel()
	found, _ := Find(faulty["gradient-spike: as on record"](1).evidence(), Thresholds{})
	require.Len(t, found, 1)
	require.Regexp(t, `^gradient norm spike: grad_norm 58463 at step 1210 among 1[34]\.\d+ to 4[234]\.\d+$`, found[0].Text)
	require.EqualValues(t, 1210, found[0].Refs[0].At.Line)
}
