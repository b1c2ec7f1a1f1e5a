package gomlxguard_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/trainvet/trainvet/guards"
	gomlxguard "github.com/trainvet/trainvet/guards/gomlx"
	"github.com/trainvet/trainvet/guards/record"
)

var (
	nan   = float32(math.NaN())
	plain = batches{{1, 2, 3, 4}, {-1, 0.5, 2, 0}, {3, -3, 0.25, 1}, {0.1, 0.2, -0.3, 0.4}}
)

func TestLedger(t *testing.T) {
	for _, c := range []struct {
		name             string
		opt              func(*testing.T) optimizer.Interface
		prepare          func(*model.Store)
		rows             batches
		applied, skipped int64
		why              map[string]int64
	}{
		{"bare", func(*testing.T) optimizer.Interface { return sgd(0.1) }, nil, plain, 4, 0, nil},
		{"watched", func(*testing.T) optimizer.Interface { return gomlxguard.Watch(sgd(0.1)) }, nil, plain, 4, 0, nil},
		{"takes no gradients", func(*testing.T) optimizer.Interface { return gomlxguard.Watch(bare{sgd(0.1)}) }, nil, plain, 4, 0, nil},
		{"scaler", func(t *testing.T) optimizer.Interface { return scaled(t, sgd(0.1), guards.ScalerConfig{}) }, nil,
			batches{plain[0], {inf, 0, 0, 0}, plain[1], {0, inf, 0, 0}}, 2, 2, map[string]int64{"found-inf": 2}},
		{"clip_nan", func(*testing.T) optimizer.Interface { return gomlxguard.Watch(sgd(0.1)) }, param(optimizer.ParamClipNaN, true),
			batches{plain[0], {inf, 1, 1, 1}, plain[1], plain[2]}, 4, 0, nil}, // a large gradient is none that is NaN
		{"backoff", func(*testing.T) optimizer.Interface {
			return gomlxguard.Watch(optimizer.Adam().LearningRate(0.1).WithBackoffSteps(2).Done())
		}, param(optimizer.ParamAdamBackoffSteps, 2), plain, 2, 2, map[string]int64{"adam-backoff": 2}},
		{"backoff that no setting tells of", func(*testing.T) optimizer.Interface {
			return optimizer.Adam().LearningRate(0.1).WithBackoffSteps(3).Done()
		}, nil, plain, 2, 2, map[string]int64{"unmoved": 2}}, // nobody knows what stood before the first step
		{"learning rate that changes nothing", func(*testing.T) optimizer.Interface { return gomlxguard.Watch(sgd(1e-30)) }, nil, plain, 1, 3, map[string]int64{"unmoved": 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, c.opt(t), c.prepare)
			if _, err := r.guard.RunSteps(c.rows, len(c.rows)); err != nil {
				t.Fatal(err)
			}
			got, why := r.ledger(t)
			if c.why == nil {
				c.why = map[string]int64{}
			}
			same(t, "attempted", got.Attempted, int64(len(c.rows)))
			same(t, "applied", got.Applied, c.applied)
			same(t, "skipped", got.Skipped, c.skipped)
			same(t, "planned", got.Planned, int64(len(c.rows)))
			same(t, "why", why, c.why)
			same(t, "codes", r.record.Codes(), []string(nil))
		})
	}
}

func param(name string, value any) func(*model.Store) {
	return func(s *model.Store) { s.SetParam(name, value) }
}

// TestClippedNaN: the root of 0 is finite and its slope is not. GoMLX drops the
// gradient, and nothing in the losses tells.
func TestClippedNaN(t *testing.T) {
	rows := batches{{1, 2, 3, 4}, {0, 1, 2, 3}, {1, 0.5, 2, 0.25}, {1, 1, 1, 0}}
	r := rigOf(t, gomlxguard.Watch(sgd(0.1)), param(optimizer.ParamClipNaN, true), roots)
	if _, err := r.guard.RunSteps(rows, len(rows)); err != nil {
		t.Fatal(err)
	}
	got, why := r.ledger(t)
	same(t, "applied", got.Applied, int64(2))
	same(t, "why", why, map[string]int64{"clip-nan": 2})
	same(t, "codes", r.record.Codes(), []string{"nonfinite-gradient"})
}

// TestDestroyedParameters: the same without clip_nan. The loss of the step is
// finite, and the model is gone behind it.
func TestDestroyedParameters(t *testing.T) {
	r := rigOf(t, gomlxguard.Watch(sgd(0.1)), nil, roots)
	_, err := r.guard.RunSteps(batches{{1, 2, 3, 4}, {0, 1, 2, 3}, {1, 1, 1, 1}}, 3)
	var finding *guards.Finding
	if !errors.As(err, &finding) || finding.Step != 2 {
		t.Fatalf("the error is %v", err)
	}
	same(t, "codes", r.record.Codes(), []string{"nonfinite-gradient", "nonfinite-gradient-stays", "nonfinite-parameter"})
}

func roots(_, predictions []*graph.Node) *graph.Node {
	return graph.ReduceAllSum(graph.Sqrt(predictions[0]))
}

// TestNaNStopsAtItsStep: the finding names the step, and the ledger is written
// though GoMLX calls no hook at the end.
func TestNaNStopsAtItsStep(t *testing.T) {
	r := newRig(t, gomlxguard.Watch(sgd(0.1)), nil)
	_, err := r.guard.RunSteps(batches{plain[0], plain[1], {nan, 1, 1, 1}, plain[2]}, 4)
	var finding *guards.Finding
	if !errors.As(err, &finding) || finding.Grade != "nonfinite-loss" || finding.Step != 3 {
		t.Fatalf("the error is %v", err)
	}
	same(t, "codes", r.record.Codes(), []string{"nonfinite-gradient", "nonfinite-gradient-stays", "nonfinite-loss", "nonfinite-parameter"})
	got, _ := r.ledger(t)
	same(t, "attempted", got.Attempted, int64(3))
}

func TestParameterThatTurnsBad(t *testing.T) {
	r := newRig(t, sgd(0.1), nil)
	r.loop.OnStep("break", 0, func(loop *train.Loop, _ []*tensors.Tensor) error {
		if loop.LoopStep == 1 {
			return r.store.GetVariable("/model/w").SetValue(tensors.FromValue([]float32{1, nan, 1, 1}))
		}
		return nil
	})
	if _, err := r.guard.RunSteps(batches{plain[0], plain[1]}, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := r.guard.Eval("val", plain); !errors.Is(err, guards.ErrQuality) {
		t.Fatalf("the error is %v", err)
	}
	same(t, "codes", r.record.Codes(), []string{"nonfinite-output", "nonfinite-parameter"})
}

func TestTargetThatIsReached(t *testing.T) {
	r := newRig(t, sgd(0.1), nil)
	if _, err := r.guard.RunToGlobalStep(plain, 3); err != nil {
		t.Fatal(err)
	}
	same(t, "codes", r.record.Codes(), []string(nil))
	if _, err := r.guard.RunToGlobalStep(plain, 3); err != nil {
		t.Fatal(err)
	}
	same(t, "codes", r.record.Codes(), []string{"nothing-trained"})
}

func TestAccumulatedGradients(t *testing.T) {
	r := newRig(t, gomlxguard.Watch(sgd(0.1)), nil)
	if err := r.trainer.AccumulateGradients(2); err != nil {
		t.Fatal(err)
	}
	if _, err := r.guard.RunSteps(plain, len(plain)); err != nil {
		t.Fatal(err)
	}
	got, _ := r.ledger(t)
	same(t, "attempted", got.Attempted, int64(2))
	same(t, "applied", got.Applied, int64(2))
	same(t, "planned", got.Planned, int64(2))
}

func TestEval(t *testing.T) {
	r := newRig(t, sgd(0.1), nil)
	values, err := r.guard.Eval("val", plain)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "names", []string{values[0].Name, values[1].Name}, []string{"eval_mean_loss", "eval_sum"})
	for _, rec := range r.record.Records() {
		if m, ok := rec.Body.(*record.Metric); ok && (m.N != int64(len(plain)) || m.Split != "val") {
			t.Errorf("%s has n=%d of split %s", m.Name, m.N, m.Split)
		}
	}
	// One NaN among the outputs, and the next evaluation is clean again.
	if _, err := r.guard.Eval("val", batches{plain[0], {nan, 0, 0, 0}}); !errors.Is(err, guards.ErrQuality) {
		t.Fatalf("the error is %v", err)
	}
	if _, err := r.guard.Eval("val", plain); err != nil {
		t.Fatal(err)
	}
}

func TestPanicsAreTyped(t *testing.T) {
	r := newRig(t, panics{}, nil)
	_, err := r.guard.RunSteps(plain, 1)
	if err == nil || errors.Is(err, guards.ErrFault) {
		t.Fatalf("the error is %v", err)
	}
	err = gomlxguard.Catch("training", func() error { panic(errors.New("shapes do not fit")) })
	var broken *gomlxguard.GraphError
	if !errors.As(err, &broken) || !strings.Contains(err.Error(), "shapes do not fit") || len(broken.Stack) == 0 {
		t.Fatalf("the error is %v", err)
	}
	err = gomlxguard.Catch("training", func() error { panic(&guards.Fault{Grade: "ids-signature"}) })
	if !errors.Is(err, guards.ErrFault) || errors.As(err, &broken) {
		t.Fatalf("the error is %v", err)
	}
}

type panics struct{ optimizer.Interface }

func (panics) UpdateGraph(*model.Scope, *graph.Graph, *graph.Node) { panic("no graph") }

func TestHealthyHasNoCodes(t *testing.T) {
	for _, opt := range []optimizer.Interface{
		gomlxguard.Watch(optimizer.Adam().LearningRate(0.1).Done()),
		scaled(t, optimizer.Adam().LearningRate(0.1).Done(), guards.ScalerConfig{Start: 1024}),
	} {
		r := newRig(t, opt, nil)
		rows := slices.Repeat(plain, 40)
		if _, err := r.guard.RunSteps(rows, len(rows)); err != nil {
			t.Fatal(err)
		}
		if _, err := r.guard.Eval("val", plain); err != nil {
			t.Fatal(err)
		}
		got, _ := r.ledger(t)
		same(t, "applied", got.Applied, int64(len(rows)))
		same(t, "codes", r.record.Codes(), []string(nil))
	}
}
