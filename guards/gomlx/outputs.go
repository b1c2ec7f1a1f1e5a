package gomlxguard

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/metric"
)

// Outputs is an evaluation metric that counts the predictions, or logits, that
// are NaN or infinite, over the whole evaluation. Put it among the evaluation
// metrics of the trainer: the accuracy of logits that are all NaN is finite,
// and [Guard.Eval] looks here.
func Outputs() metric.Interface { return outputs{} }

type outputs struct{}

const varOutputs = Scope + "/nonfinite_outputs"

// Name, ShortName, ScopeName and MetricType are what GoMLX calls it by.
func (outputs) Name() string       { return "Nonfinite Outputs" }
func (outputs) ShortName() string  { return "#nonfinite" }
func (outputs) ScopeName() string  { return "trainvet_outputs" }
func (outputs) MetricType() string { return "count" }

// UpdateGraph adds what is not finite in this batch.
func (outputs) UpdateGraph(scope *model.Scope, _, predictions []*graph.Node) *graph.Node {
	total := counter(scope.Store(), varOutputs, int64(0))
	g := predictions[0].Graph()
	sum := total.NodeValue(g)
	for _, p := range predictions {
		if !p.DType().IsFloat() {
			continue
		}
		bad := graph.LogicalNot(graph.IsFinite(p))
		sum = graph.Add(sum, graph.ReduceAllSum(graph.ConvertDType(bad, dtypes.Int64)))
	}
	total.SetNodeValue(sum)
	return sum
}

// PrettyPrint writes the count.
func (outputs) PrettyPrint(value *tensors.Tensor) string { return fmt.Sprint(value.Value()) }

// Reset begins an evaluation.
func (outputs) Reset(scope *model.Scope) {
	if v := scope.Store().GetVariable(varOutputs); v != nil {
		if err := v.SetValue(tensors.FromScalar(int64(0))); err != nil {
			panic(err) // as graph building does; the trainer makes an error of it
		}
	}
}
