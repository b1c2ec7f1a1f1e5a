package curve

import (
	"fmt"
	"math"
	"testing"

	"github.com/trainvet/trainvet/logscan/evidence"
)

const (
	kLoss = evidence.KindLoss
	kAcc  = evidence.KindAccuracy
	kErr  = evidence.KindError
	kNorm = evidence.KindNorm
	kRate = evidence.KindRate
	kTime = evidence.KindStepTime
	kFast = evidence.KindSpeed
)

// lrs of the usual schedules.
func linear(t float64) float64 { return 1e-4 * (1 - t) }
func warmup(t float64) float64 { return 1e-3 * math.Min(1, t/0.1) * (1 - t) }
func restarts(t float64) float64 {
	return 5e-4 * (1 + math.Cos(2*math.Pi*math.Mod(4*t, 1)/2))
}
func oneCycle(t float64) float64 {
	if t < 0.3 {
		return 1e-2 * t / 0.3
	}
	return 1e-2 * math.Pow((1-t)/0.7, 2)
}

func plain(f func(float64) float64) shape { return func(_ int, t float64) float64 { return f(t) } }

// healthy is one shape a line: what is healthy about it is its name.
var healthy = map[string]func(seed uint64) *runOf{
	"reference adam": func(s uint64) *runOf {
		b := newRun(s, 128)
		return b.loss(b.noisy(0.12, falling(1.352, 0.15, 4))).evals(8, "val_acc", kAcc, b.about(0.01, growing(0.4, 0.897, 4)))
	},
	"reference sgd": func(s uint64) *runOf {
		b := newRun(s, 128)
		return b.loss(b.noisy(0.08, falling(1.405, 0.6, 3))).evals(8, "val_acc", kAcc, b.about(0.02, growing(0.3, 0.765, 4)))
	},
	"reference batch norm and dropout": func(s uint64) *runOf {
		b := newRun(s, 128)
		return b.loss(b.noisy(0.15, falling(1.452, 0.4, 4))).evals(8, "val_acc", kAcc, b.about(0.02, growing(0.3, 0.877, 4)))
	},
	"the time since the start under the name of a step time": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).series("train_time", kTime, func(i int, _ float64) float64 { return 0.3 * float64(i+1) })
	},
	"warm-up then linear": func(s uint64) *runOf {
		b := newRun(s, 1000)
		return b.loss(b.noisy(0.03, func(t float64) float64 { return 3 + 7.8*math.Exp(-8*math.Max(0, t-0.03)) })).
			series("lr", kRate, plain(warmup)).series("grad_norm", kNorm, b.noisy(0.4, falling(60, 0.8, 40)))
	},
	"warm-up in which the loss rises": func(s uint64) *runOf {
		b := newRun(s, 400)
		return b.loss(b.noisy(0.05, func(t float64) float64 {
			return 2 + 3*math.Exp(-6*t) + 2*math.Exp(-math.Pow((t-0.05)/0.02, 2))
		}))
	},
	"cosine restarts": func(s uint64) *runOf {
		b := newRun(s, 800)
		return b.loss(b.noisy(0.05, func(t float64) float64 { return 0.4 + 1.6*math.Exp(-4*t) + 350*restarts(t)*math.Exp(-3*t) })).
			series("lr", kRate, plain(restarts)).evals(16, "eval_loss", kLoss, b.noisy(0.02, func(t float64) float64 { return 0.5 + 1.6*math.Exp(-4*t) + 60*restarts(t) }))
	},
	"cosine restart near the end": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.04, func(t float64) float64 {
			v := 0.3 + 1.7*math.Exp(-8*t)
			if t > 0.85 {
				v += 1.2 * math.Exp(-25*(t-0.85))
			}
			return v
		}))
	},
	"one-cycle": func(s uint64) *runOf {
		b := newRun(s, 500)
		return b.loss(b.noisy(0.06, func(t float64) float64 { return 0.2 + 2*math.Exp(-5*t) + 40*oneCycle(t) })).
			series("lr", kRate, plain(oneCycle)).evals(10, "accuracy", kAcc, b.about(0.01, growing(0.5, 0.93, 3)))
	},
	"grpo": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.about(0.01, level(0))).series("reward", kAcc, b.about(0.3, growing(0.1, 0.9, 1.5))).
			series("grad_norm", kNorm, func(i int, _ float64) float64 {
				if i%7 == 0 {
					return 0
				}
				return math.Exp(b.NormFloat64())
			}).series("kl", evidence.KindOther, b.noisy(0.5, growing(0.001, 0.1, 2)))
	},
	"grpo with loss 0.0 throughout": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(plain(level(0))).series("rewards/format", kAcc, b.about(0.2, level(0.5))).
			series("grad_norm", kNorm, plain(level(0)))
	},
	"ppo": func(s uint64) *runOf {
		b := newRun(s, 400)
		return b.series("policy_loss", kLoss, b.about(0.02, level(-0.01))).
			series("value_loss", kLoss, b.noisy(0.6, falling(0.5, 2, 1))).
			evals(30, "eval/ep_rew_mean", kAcc, b.about(120, growing(20, 300, 2)))
	},
	"gan": func(s uint64) *runOf {
		b := newRun(s, 600)
		return b.series("d_loss", kLoss, b.noisy(0.3, level(0.69))).series("g_loss", kLoss, b.noisy(0.3, growing(0.7, 3.5, 4)))
	},
	"wasserstein critic": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.series("critic_loss", kLoss, b.about(0.5, level(-2))).series("loss_g", kLoss, b.about(2, growing(0, 30, 1)))
	},
	"vae whose kl part rises": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.series("loss", kLoss, b.noisy(0.05, falling(540, 105, 6))).
			series("recon_loss", kLoss, b.noisy(0.05, falling(540, 80, 6))).
			series("kl_loss", kLoss, b.noisy(0.03, growing(0.01, 25, 5)))
	},
	"parts of a loss without a total": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.series("loss_cls", kLoss, b.noisy(0.1, falling(2, 0.5, 3))).series("loss_bbox", kLoss, b.noisy(0.1, growing(0.1, 0.6, 5)))
	},
	"fine-tuning from a good start": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.08, level(1.31))).series("learning_rate", kRate, plain(linear)).
			series("grad_norm", kNorm, b.noisy(0.3, level(0.4)))
	},
	"fine-tuning from a good start, scores high": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.3, level(0.21))).evals(6, "eval_accuracy", kAcc, b.about(0.003, level(0.914))).
			evals(6, "eval_loss", kLoss, b.about(0.004, level(0.24)))
	},
	"fine-tuning a translator, bleu stays": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.05, level(1.9))).evals(6, "eval_bleu", kAcc, b.about(0.15, level(27.1)))
	},
	"fine-tuning a recogniser, wer low and flat": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.25, level(0.15))).evals(10, "eval_wer", kErr, b.about(0.15, level(8.4)))
	},
	"continued pretraining in big batches": func(s uint64) *runOf {
		b := newRun(s, 1000)
		return b.loss(b.about(0.01, falling(2.06, 2.045, 1))).series("grad norm", kNorm, b.noisy(0.05, level(0.35)))
	},
	"diffusion, all noise": func(s uint64) *runOf {
		b := newRun(s, 500)
		return b.series("step_loss", kLoss, b.noisy(0.5, level(0.09)))
	},
	"negative losses": func(s uint64) *runOf {
		b := newRun(s, 250)
		return b.series("train_loss", kLoss, b.about(0.02, falling(0.02, -0.83, 5))).
			evals(250, "val_loss", kLoss, b.about(0.02, falling(0.02, -0.79, 5))).
			evals(250, "pseudo_dice", kAcc, b.about(0.01, growing(0, 0.82, 6)))
	},
	"likelihood that goes below zero": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.series("nll", kLoss, b.about(0.4, falling(9, -14, 3)))
	},
	"easy task near 0": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.8, falling(0.7, 0.0004, 25))).evals(12, "eval_loss", kLoss, b.noisy(0.5, falling(0.2, 0.0006, 20))).
			evals(12, "eval_accuracy", kAcc, plain(level(1)))
	},
	"solved, prints zeros": func(s uint64) *runOf {
		b := newRun(s, 100)
		return b.add(&b.train, 100, "loss", evidence.Series, kLoss, "%.4f", plain(falling(0.9, 0, 60))).
			evals(5, "accuracy", kAcc, plain(level(100)))
	},
	"small batches, very noisy": func(s uint64) *runOf {
		b := newRun(s, 600)
		return b.loss(b.noisy(0.7, falling(2.3, 0.9, 2)))
	},
	"curriculum jump": func(s uint64) *runOf {
		b := newRun(s, 500)
		return b.loss(b.noisy(0.05, func(t float64) float64 {
			if t < 0.5 {
				return 0.3 + 1.7*math.Exp(-12*t)
			}
			return 0.6 + 1.6*math.Exp(-8*(t-0.5))
		}))
	},
	"curriculum jump shortly before the end": func(s uint64) *runOf {
		b := newRun(s, 500)
		return b.loss(b.noisy(0.05, func(t float64) float64 {
			if t < 0.9 {
				return 0.3 + 1.7*math.Exp(-12*t)
			}
			return 2.4 - 3*(t-0.9)
		}))
	},
	"multi-stage decay": func(s uint64) *runOf {
		b := newRun(s, 900)
		return b.loss(b.noisy(0.04, func(t float64) float64 {
			return []float64{1.9, 1.1, 0.85}[int(t*3)] + math.Exp(-40*t)*4
		})).series("lr", kRate, func(_ int, t float64) float64 { return math.Pow(10, -1-math.Floor(t*3)) }).
			evals(30, "top1", kAcc, b.about(0.8, func(t float64) float64 { return []float64{55, 70, 76}[int(t*3)] }))
	},
	"early plateau": func(s uint64) *runOf {
		b := newRun(s, 600)
		return b.loss(b.noisy(0.03, func(t float64) float64 {
			return 2.3 - 1.9/(1+math.Exp(-30*(t-0.55)))
		}))
	},
	"late plateau": func(s uint64) *runOf {
		b := newRun(s, 600)
		return b.loss(b.noisy(0.04, falling(4, 0.7, 40))).evals(20, "eval_loss", kLoss, b.noisy(0.01, falling(3, 0.75, 40)))
	},
	"percent": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.1, falling(2.3, 0.4, 4))).evals(12, "acc", kAcc, b.about(0.5, growing(35, 92, 4)))
	},
	"fraction": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.1, falling(2.3, 0.4, 4))).evals(12, "f1", kAcc, b.about(0.006, growing(0.35, 0.92, 4)))
	},
	"error rate in percent": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.1, falling(8, 0.3, 4))).evals(15, "wer", kErr, b.about(0.4, falling(100, 11, 4)))
	},
	"error rate in fractions": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.1, falling(8, 0.3, 4))).evals(15, "cer", kErr, b.about(0.005, falling(1.2, 0.07, 4)))
	},
	"perplexity": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.02, falling(10.8, 3, 6))).evals(15, "ppl", kErr, b.noisy(0.02, func(t float64) float64 { return math.Exp(falling(8, 3, 6)(t)) }))
	},
	"frechet distance": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.series("d_loss", kLoss, b.noisy(0.2, level(1.2))).evals(20, "fid", kErr, b.noisy(0.05, falling(300, 12, 5)))
	},
	"three points": func(s uint64) *runOf {
		b := newRun(s, 3)
		return b.loss(b.noisy(0.3, level(2))).evals(3, "eval_accuracy", kAcc, b.about(0.1, level(0.4))).
			evals(3, "eval_loss", kLoss, b.noisy(0.2, level(1)))
	},
	"one point": func(s uint64) *runOf { b := newRun(s, 1); return b.loss(b.noisy(0.3, level(2))) },
	"small evaluation set, scores jump": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.1, falling(0.7, 0.35, 2))).evals(20, "eval_accuracy", kAcc, b.kofn(37, growing(0.6, 0.82, 3))).samples(37)
	},
	"small evaluation set, size not said": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.1, falling(0.7, 0.35, 2))).evals(10, "eval_accuracy", kAcc, b.kofn(100, growing(0.6, 0.82, 3)))
	},
	"loss of the sure grows, accuracy too": func(s uint64) *runOf {
		b := newRun(s, 400)
		return b.loss(b.noisy(0.1, falling(2.3, 0.02, 5))).
			evals(20, "eval_loss", kLoss, b.noisy(0.02, func(t float64) float64 { return 0.4 + 1.5*math.Exp(-20*t) + 0.3*t })).
			evals(20, "eval_accuracy", kAcc, b.about(0.003, growing(0.5, 0.91, 6)))
	},
	"patience ran out": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.1, falling(1.5, 0.4, 3))).
			evals(9, "eval_loss", kLoss, func(i int, _ float64) float64 {
				return []float64{0.91, 0.7, 0.58, 0.52, 0.5, 0.495, 0.499, 0.503, 0.507}[i] + 0.002*b.NormFloat64()
			})
	},
	"step times with evaluations between": func(s uint64) *runOf {
		b := newRun(s, 400)
		return b.loss(b.noisy(0.1, falling(3, 1, 3))).series("time", kTime, func(i int, _ float64) float64 {
			if i == 0 || i%50 == 49 {
				return 9 + b.Float64()
			}
			return 0.4 * math.Exp(0.1*b.NormFloat64())
		}).series("data_time", kTime, b.noisy(0.3, level(0.02)))
	},
	"step times of variable lengths": func(s uint64) *runOf {
		b := newRun(s, 400)
		return b.loss(b.noisy(0.1, falling(3, 1, 3))).series("step_time", kTime, b.noisy(0.5, level(1.1)))
	},
	"step time grows slowly with the sequences": func(s uint64) *runOf {
		b := newRun(s, 400)
		return b.loss(b.noisy(0.1, falling(3, 1, 3))).series("step_time", kTime, b.noisy(0.05, func(t float64) float64 { return 0.5 + 1.5*t }))
	},
	"compilation first, then fast": func(s uint64) *runOf {
		b := newRun(s, 100)
		return b.loss(b.noisy(0.1, falling(3, 1, 3))).series("it/s", kFast, b.noisy(0.05, func(t float64) float64 {
			if t < 0.15 {
				return 0.4
			}
			return 3.1
		}))
	},
	"heavy-tailed gradient norms": func(s uint64) *runOf {
		b := newRun(s, 1000)
		return b.loss(b.noisy(0.1, falling(4, 1.5, 4))).series("grad_norm", kNorm, b.noisy(1, level(1.2)))
	},
	"gradient norms that start high": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.1, falling(11, 3, 10))).series("grad_norm", kNorm, b.noisy(0.2, falling(2000, 0.9, 120)))
	},
	"first steps skipped, rate 0": func(s uint64) *runOf {
		b := newRun(s, 60)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).series("learning_rate", kRate, func(i int, t float64) float64 {
			if i < 4 || i == 59 {
				return 0
			}
			return linear(t)
		})
	},
	"rate printed with few decimals": func(s uint64) *runOf {
		b := newRun(s, 60)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).
			add(&b.train, 60, "lr", evidence.Diagnostic, kRate, "%.5f", plain(level(1e-6)))
	},
	"frozen backbone at rate 0": func(s uint64) *runOf {
		b := newRun(s, 100)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).series("lr/pg0", kRate, plain(level(0))).series("lr/pg1", kRate, plain(linear))
	},
	"coarse loss, two digits": func(s uint64) *runOf {
		b := newRun(s, 60)
		return b.add(&b.train, 60, "loss", evidence.Series, kLoss, "%.2f", b.about(0.001, level(0.12)))
	},
	"keras, running means": func(s uint64) *runOf {
		b := newRun(s, 20)
		return b.loss(b.noisy(0.02, falling(0.9, 0.2, 4))).series("accuracy", kAcc, b.about(0.005, growing(0.7, 0.94, 4))).
			evals(20, "val_loss", kLoss, b.noisy(0.04, falling(0.7, 0.28, 4))).evals(20, "val_accuracy", kAcc, b.about(0.006, growing(0.75, 0.91, 4)))
	},
	"grokking": func(s uint64) *runOf {
		b := newRun(s, 500)
		return b.loss(b.noisy(0.1, falling(4.5, 0.01, 30))).evals(25, "val_acc", kAcc, b.about(0.01, func(t float64) float64 { return 0.05 + 0.9/(1+math.Exp(-40*(t-0.7))) }))
	},
	"language model over a vocabulary": func(s uint64) *runOf {
		b := newRun(s, 400)
		return b.series("vocab_size", evidence.KindCount, plain(level(50257))).loss(b.noisy(0.02, falling(10.9, 3.2, 8)))
	},
	"two sets evaluated in turn under one name": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).evals(16, "accuracy", kAcc, func(i int, t float64) float64 {
			return growing(0.3, 0.9, 4)(t) - 0.25*float64(i%2) + 0.003*b.NormFloat64()
		}).evals(16, "wer", kErr, func(i int, t float64) float64 {
			return falling(60, 9, 4)(t) + 20*float64(i%2) + 0.2*b.NormFloat64()
		})
	},
	"three sets evaluated in turn": func(s uint64) *runOf {
		b := newRun(s, 200)
		return b.loss(b.noisy(0.1, falling(2, 0.5, 3))).evals(21, "val_loss", kLoss, func(i int, t float64) float64 {
			return falling(2, 0.6, 4)(t) * float64(1+i%3) * math.Exp(0.01*b.NormFloat64())
		})
	},
	"hard two-class task": func(s uint64) *runOf {
		b := newRun(s, 400)
		return b.loss(b.noisy(0.02, falling(0.694, 0.671, 2))).evals(8, "accuracy", kAcc, b.about(0.003, growing(0.52, 0.59, 3)))
	},
	"loss in thousands": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.2, falling(51000, 3200, 5))).evals(15, "rmse", kErr, b.noisy(0.03, falling(220, 57, 4)))
	},
	"distillation, slow and steady": func(s uint64) *runOf {
		b := newRun(s, 500)
		return b.loss(b.noisy(0.03, func(t float64) float64 { return 1.2 - 0.1*t }))
	},
	"many classes, early days": func(s uint64) *runOf {
		b := newRun(s, 300)
		return b.loss(b.noisy(0.02, func(t float64) float64 { return 6.91 - 2.1*t })).
			evals(6, "acc@1", kAcc, b.about(0.3, func(t float64) float64 { return 1 + 24*t }))
	},
	"linear probe, score low and flat": func(s uint64) *runOf {
		b := newRun(s, 40)
		return b.loss(b.noisy(0.1, falling(4, 2.9, 10))).evals(10, "accuracy", kAcc, b.about(0.004, growing(0.2, 0.34, 12)))
	},
	"spike from which it recovers": func(s uint64) *runOf {
		b := newRun(s, 500)
		return b.loss(b.noisy(0.04, func(t float64) float64 { return 2 + 5*math.Exp(-8*t) + 3*math.Exp(-math.Pow((t-0.6)/0.01, 2)) }))
	},
}

// No finding on any healthy shape, whole or merged.
func TestHealthyStaysSilent(t *testing.T) {
	t.Parallel()
	if len(healthy) < 40 {
		t.Fatalf("only %d shapes", len(healthy))
	}
	for name, build := range healthy {
		for seed := range uint64(seeds) {
			ev := build(seed).evidence()
			for _, k := range []int{1, 4} {
				found, _ := Find(merged(ev, k), Thresholds{})
				for _, n := range found {
					t.Errorf("%s, seed %d, merged by %d: %s", name, seed, k, n.Text)
				}
			}
		}
	}
}

const seeds = 5

func Example() {
	b := newRun(1, 200)
	b.loss(plain(falling(2.302585, 2.302585, 1)))
	found, _ := Find(b.evidence(), Thresholds{})
	fmt.Println(found[0].Text)
	// Output: exactly constant: loss is 2.30259 in all of 200 values
}
