package gomlxguard

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/trainvet/trainvet/guards"
)

// Scaler wraps an optimizer in a dynamic loss scaler that runs in the graph,
// for models that compute in float16: the loss is multiplied by a scale, so
// that small gradients do not vanish, and the gradients are divided by it. A
// step whose gradients overflow is rolled back whole, moments, running means
// and global step included, and the scale falls. It moves as that of
// guards.LossScaler does, step by step.
//
// Checkpoints keep its state. A short run had best not start at 65,536: see
// guards.AdviseStart. The optimizer must take gradients, as those of GoMLX do.
// The gradients of several steps cannot be accumulated behind a scaler, and
// functions given to train.AddPerStepUpdateGraphFn run in skipped steps, too.
func Scaler(opt optimizer.Interface, c guards.ScalerConfig) (optimizer.Interface, error) {
	inner, ok := opt.(withGradients)
	if !ok {
		return nil, fmt.Errorf("setting up a loss scaler: optimizer %T takes no gradients", opt)
	}
	c, err := c.Complete()
	if err != nil {
		return nil, err
	}
	return &scaler{inner: inner, config: c}, nil
}

type scaler struct {
	inner  withGradients
	config guards.ScalerConfig
}

// UpdateGraph builds the scaled step.
func (s *scaler) UpdateGraph(scope *model.Scope, g *graph.Graph, loss *graph.Node) {
	store := scope.Store()
	scale := counter(store, varScale, s.config.Start)
	now := scale.NodeValue(g)
	scaled := graph.Mul(wide(loss), graph.ConvertDType(now, wideType(loss.DType())))
	gradients := scope.BuildTrainableVariablesGradientsGraph(scaled)
	finite := s.unscale(gradients, now)
	s.inner.UpdateGraphWithGradients(scope, gradients, loss.DType())
	rollBack(store, g, finite)

	counter(store, varFinite, true).SetNodeValue(finite)
	counter(store, varUsed, s.config.Start).SetNodeValue(now)
	counter(store, varFloor, s.config.Floor).SetNodeValue(graph.Const(g, s.config.Floor))
	tally(store, g, finite)
	s.move(store, g, finite)
}

// Clear drops the state of the scaler with that of the optimizer.
func (s *scaler) Clear(scope *model.Scope) error {
	if err := s.inner.Clear(scope); err != nil {
		return err
	}
	return scope.Store().DeleteVariablesInScope(Scope)
}

// unscale divides the gradients by the scale, in place, and tells whether all
// are finite. A scale below 1 makes them larger, so that it is asked behind the
// division; what was infinite before it still is.
func (s *scaler) unscale(gradients []*graph.Node, scale *graph.Node) *graph.Node {
	inverse := graph.Reciprocal(scale)
	divided := make([]*graph.Node, len(gradients))
	for i, gradient := range gradients {
		divided[i] = graph.Mul(wide(gradient), graph.ConvertDType(inverse, wideType(gradient.DType())))
		gradients[i] = graph.ConvertDType(divided[i], gradient.DType())
	}
	return allFinite(divided)
}

// move is the rule by which the scale falls and grows.
func (s *scaler) move(store *model.Store, g *graph.Graph, finite *graph.Node) {
	c := s.config
	scale, good := counter(store, varScale, c.Start), counter(store, varGood, int64(0))
	left := counter(store, varHysteresis, int64(c.Hysteresis))
	now, full := scale.NodeValue(g), graph.Const(g, int64(c.Hysteresis))

	run := graph.AddScalar(good.NodeValue(g), 1)
	grow := graph.LogicalAnd(finite, graph.GreaterOrEqual(run, graph.Const(g, int64(c.Interval))))
	had := graph.Min(left.NodeValue(g), full) // one of a checkpoint may have been larger
	fewer := graph.AddScalar(had, -1)
	fall := graph.LogicalAnd(graph.LogicalNot(finite), graph.LessOrEqual(fewer, graph.Const(g, int64(0))))

	up := graph.Min(graph.MulScalar(now, c.Growth), graph.Const(g, c.Ceiling))
	down := graph.Max(graph.MulScalar(now, c.Backoff), graph.Const(g, c.Floor))
	scale.SetNodeValue(graph.Where(grow, up, graph.Where(fall, down, now)))
	good.SetNodeValue(graph.Where(graph.LogicalAnd(finite, graph.LogicalNot(grow)), run, graph.ZerosLike(run)))
	left.SetNodeValue(graph.Where(grow, full, graph.Where(finite, had, fewer)))
}

// rollBack gives every variable that the step changed the value from before it,
// where the step is to be skipped. The random state is no part of the model:
// taken back it would give the next step the same noise.
func rollBack(store *model.Store, g *graph.Graph, keep *graph.Node) {
	for v := range store.IterVariables() {
		if !v.ChangedInGraph(g) || ours(v.Path()) || v.Name() == model.RNGStateVariableName {
			continue
		}
		before := g.GetParameterByName(v.Path())
		if before == nil {
			panic(fmt.Errorf("rolling back variable %s: the graph has no parameter for it", v.Path()))
		}
		v.SetNodeValue(graph.Where(keep, v.NodeValue(g), before))
	}
}

// wideType is what values of a type are scaled in: half precision would
// overflow or lose bits on the way.
func wideType(t dtypes.DType) dtypes.DType {
	if t == dtypes.Float64 {
		return t
	}
	return dtypes.Float32
}

func wide(x *graph.Node) *graph.Node { return graph.ConvertDType(x, wideType(x.DType())) }
