package gomlxguard

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Scope is where the variables lie that the guards keep in the graph. They are
// not trainable, and checkpoints hold them: `trainvet audit` reads the ledger
// of a run from them.
const Scope = "/trainvet"

// The variables.
const (
	varAttempted  = Scope + "/attempted"  // int64: steps asked for
	varApplied    = Scope + "/applied"    // int64: of these, the ones with gradients that can be applied
	varFinite     = Scope + "/finite"     // bool: whether the gradients of the last step were finite
	varScale      = Scope + "/scale"      // float64: of the next step
	varUsed       = Scope + "/used_scale" // float64: of the last step
	varFloor      = Scope + "/floor"      // float64: the scale falls no further
	varGood       = Scope + "/good_steps" // int64: without an overflow, since the scale last changed
	varHysteresis = Scope + "/hysteresis" // int64: overflows that are left before the scale falls
)

// counter is a variable that no optimizer trains.
func counter(store *model.Store, name string, start any) *model.Variable {
	return store.VariableWithValue(name, start).SetTrainable(false)
}

// read returns the value of a scalar variable; ok is false where there is none.
func read[T int64 | float64 | bool](store *model.Store, name string) (value T, ok bool) {
	v := store.GetVariable(name)
	if v == nil {
		return value, false
	}
	t, err := v.Value()
	if err != nil {
		return value, false
	}
	value, ok = t.Value().(T)
	return value, ok
}

// tally counts a step in the graph: asked for, and applied where the gradients were finite.
func tally(store *model.Store, g *graph.Graph, finite *graph.Node) {
	attempted := counter(store, varAttempted, int64(0))
	attempted.SetNodeValue(graph.AddScalar(attempted.NodeValue(g), 1))
	applied := counter(store, varApplied, int64(0))
	before := applied.NodeValue(g)
	applied.SetNodeValue(graph.Add(before, graph.ConvertDType(finite, before.DType())))
}
