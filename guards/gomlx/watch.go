package gomlxguard

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// Watch wraps an optimizer so that the graph tells, after each step, whether
// its gradients were finite. It changes no update. An optimizer that takes
// gradients, as those of GoMLX do, still takes them, so that accumulation
// works; of any other only the loss is looked at.
func Watch(opt optimizer.Interface) optimizer.Interface {
	if inner, ok := opt.(withGradients); ok {
		return &watch{inner}
	}
	return &watchLoss{opt}
}

// withGradients is what the optimizers of GoMLX offer.
type withGradients interface {
	optimizer.Interface
	train.OptimizeWithGradients
}

type watch struct{ withGradients }

func (w *watch) UpdateGraph(scope *model.Scope, _ *graph.Graph, loss *graph.Node) {
	w.UpdateGraphWithGradients(scope, scope.BuildTrainableVariablesGradientsGraph(loss), loss.DType())
}

func (w *watch) UpdateGraphWithGradients(scope *model.Scope, gradients []*graph.Node, lossDType dtypes.DType) {
	if len(gradients) > 0 {
		note(scope, allFinite(gradients))
	}
	w.withGradients.UpdateGraphWithGradients(scope, gradients, lossDType)
}

// watchLoss watches an optimizer that makes its gradients itself.
type watchLoss struct{ optimizer.Interface }

func (w *watchLoss) UpdateGraph(scope *model.Scope, g *graph.Graph, loss *graph.Node) {
	note(scope, graph.IsFinite(loss))
	w.Interface.UpdateGraph(scope, g, loss)
}

// note keeps the flag of a step for the host. What becomes of the step is not
// known here: the host sees it at the parameters.
func note(scope *model.Scope, finite *graph.Node) {
	store := scope.Store()
	counter(store, varFinite, true).SetNodeValue(finite)
	tally(store, finite.Graph(), finite)
}
