package gomlxguard_test

import (
	"fmt"
	"iter"
	"reflect"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	gomlxguard "github.com/trainvet/trainvet/guards/gomlx"
	"github.com/trainvet/trainvet/guards/guardtest"
	"github.com/trainvet/trainvet/guards/record"
)

// rig is a trainer of one vector of four weights. Its loss is their product
// with the batch, so that the batch is the gradient.
type rig struct {
	store   *model.Store
	trainer *train.Trainer
	loop    *train.Loop
	guard   *gomlxguard.Guard
	record  *guardtest.Recording
}

func newRig(t *testing.T, opt optimizer.Interface, prepare func(*model.Store)) *rig {
	t.Helper()
	return rigOf(t, opt, prepare, mean)
}

func rigOf(t *testing.T, opt optimizer.Interface, prepare func(*model.Store), loss train.LossFn) *rig {
	t.Helper()
	r := &rig{store: model.NewStore(), record: guardtest.Record(t)}
	if prepare != nil {
		prepare(r.store)
	}
	r.trainer = train.NewTrainer(gobackend.GetBackend(), r.store, weighted, loss, opt, nil,
		[]metric.Interface{metric.NewMeanMetric("Sum", "#sum", "sum", total, nil), gomlxguard.Outputs()})
	r.loop = train.NewLoop(r.trainer)
	r.guard = gomlxguard.Attach(r.loop, gomlxguard.Optimizer("test"))
	return r
}

func weighted(scope *model.Scope, x *graph.Node) *graph.Node {
	w := scope.In("model").WithInitializer(ones).VariableWithShape("w", shapes.Make(dtypes.Float32, 4))
	return graph.Mul(x, graph.ExpandAxes(w.NodeValue(x.Graph()), 0))
}

func ones(g *graph.Graph, shape shapes.Shape) *graph.Node { return graph.Ones(g, shape) }

func mean(_, predictions []*graph.Node) *graph.Node { return graph.ReduceAllSum(predictions[0]) }

func total(_ *model.Scope, _, predictions []*graph.Node) *graph.Node {
	return graph.ReduceAllSum(predictions[0])
}

// batches yields each row as a batch of its own.
type batches [][]float32

func (b batches) Name() string { return "rows" }

func (b batches) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for _, row := range b {
			if !yield(train.Batch{Inputs: []*tensors.Tensor{tensors.FromValue([][]float32{row})}}, nil) {
				return
			}
		}
	}
}

// values are all variables but those of the guards and of metrics.
func (r *rig) values(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for v := range r.store.IterVariables() {
		switch v.Path() {
		case "/model/w", "/global_step":
		default:
			if scope := v.Scope(); len(scope) < 5 || scope[:5] != "/Adam" {
				continue
			}
		}
		out[v.Path()] = fmt.Sprint(v.MustValue().Value())
	}
	return out
}

func scalar[T any](t *testing.T, store *model.Store, name string) T {
	t.Helper()
	v := store.GetVariable(name)
	if v == nil {
		t.Fatalf("there is no variable %s", name)
	}
	return v.MustValue().Value().(T)
}

// ledger is the step ledger so far, and why steps were thrown away.
func (r *rig) ledger(t *testing.T) (steps record.Step, why map[string]int64) {
	t.Helper()
	r.record.Flush()
	why = map[string]int64{}
	for _, rec := range r.record.Records() {
		switch b := rec.Body.(type) {
		case *record.Step:
			steps = *b
		case *record.Skip:
			why[b.Reason] += b.Count
		}
	}
	return steps, why
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}
