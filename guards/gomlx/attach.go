package gomlxguard

import (
	"fmt"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/trainvet/trainvet/guards"
)

// Guard is what watches a loop and its trainer.
type Guard struct {
	loop  *train.Loop
	run   *guards.Run
	every int    // steps between two looks at the parameters
	name  string // of the optimizer
	seen  int64  // steps so far

	origin int64 // step before the first one of TrainStep

	steps  *guards.Steps
	scaler *guards.OptimizerWatch // nil: no scaler is in the graph
	data   *dataset               // what the loop trains on; nil: it is not guarded

	losses, gradients, parameters, buffers, outputs *guards.FiniteWatch

	global int64  // global step behind the last step
	sum    uint64 // of the parameters behind the last step
	summed bool   // sum is theirs
	silent silentModes
}

// Option changes what Attach does.
type Option func(*Guard)

// Run says which run is told; without it the run of the process.
func Run(r *guards.Run) Option { return func(g *Guard) { g.run = r } }

// Optimizer is the name of the step ledger; "optimizer" without it.
func Optimizer(name string) Option { return func(g *Guard) { g.name = name } }

// Every says that the parameters are looked at in every n-th step. Without it
// they are looked at in each step where host and device share memory, as the Go
// backend does, and in every hundredth else. Steps that changed nothing show
// only where each is looked at.
func Every(n int) Option { return func(g *Guard) { g.every = max(n, 1) } }

// The hooks come first: GoMLX looks for NaN after its hooks, and a hook that
// fails ends the others.
const (
	hookName = "trainvet"
	early    = train.Priority(-1 << 30)
)

// Attach guards a loop: its step ledger, its loss, the parameters and whatever
// makes steps that train nothing. Call it once, before the first step.
func Attach(loop *train.Loop, options ...Option) *Guard {
	g := &Guard{loop: loop, run: guards.Default(), every: everyShared, name: "optimizer"}
	if !loop.Trainer.Backend().HasSharedBuffers() {
		g.every = everyCopied
	}
	for _, o := range options {
		o(g)
	}
	g.losses, g.gradients = g.run.WatchFinite(guards.Loss), g.run.WatchFinite(guards.Gradient)
	g.parameters, g.buffers = g.run.WatchFinite(guards.Parameter), g.run.WatchFinite(guards.Buffer)
	g.outputs = g.run.WatchFinite(guards.Output)
	g.steps = g.run.Steps(g.name)
	loop.OnStart(hookName, early, g.onStart)
	loop.OnStep(hookName, early, g.onStep)
	return g
}

const (
	everyShared = 1
	everyCopied = 100
)

func (g *Guard) onStart(loop *train.Loop, ds train.Dataset) error {
	if g.data, _ = ds.(*dataset); g.data != nil {
		g.data.loop = loop
	}
	g.plan(loop)
	return g.begin()
}

// begin takes down where a training stands before its first step.
func (g *Guard) begin() error {
	tr := g.loop.Trainer
	g.silent = silentModesOf(tr.Store())
	g.global = tr.GlobalStep()
	g.summed = false
	if g.seen > 0 {
		return nil
	}
	return g.lookAt(false) // what was loaded, before it is trained on
}

// plan tells the ledger how many steps are to come in this process.
func (g *Guard) plan(loop *train.Loop) {
	if loop.EndStep > 0 {
		g.steps.Plan(g.steps.Attempted() + int64(loop.EndStep-loop.StartStep)/g.perUpdate())
	}
}

// perUpdate is how many steps of the loop make one of the optimizer.
func (g *Guard) perUpdate() int64 { return int64(max(g.loop.Trainer.NumAccumulatingSteps(), 1)) }

func (g *Guard) onStep(loop *train.Loop, metrics []*tensors.Tensor) error {
	return g.stepped(int64(loop.LoopStep)+1, metrics)
}

// stepped looks at what a step left.
func (g *Guard) stepped(step int64, metrics []*tensors.Tensor) error {
	g.seen++
	g.run.SetStep(step)
	what, err := g.look(step)
	if step%g.perUpdate() == 0 {
		if counted := g.count(what); err == nil {
			err = counted
		}
	}
	if len(metrics) > 0 { // the loss first: it says where it began
		if bad := g.losses.Value("loss", shapes.ConvertTo[float64](metrics[0].Value())); bad != nil {
			err = bad
		}
	}
	if err != nil {
		g.run.Flush() // no other hook is called when a run breaks off
	}
	return err
}

// change is what a step did to the parameters.
type change int

const (
	unknown change = iota // nobody looked, or it was the first
	moved
	unmoved
)

// look looks at the parameters where it is their turn, and tells whether the
// step changed one of them. A model has no parameters before its first step, so
// that nothing is known of that one.
func (g *Guard) look(step int64) (change, error) {
	if g.every > 1 && step%int64(g.every) != 0 {
		return unknown, nil
	}
	before, known := g.sum, g.summed && g.every == 1
	err := g.lookAt(step%buffersEvery == 0)
	switch {
	case !known:
		return unknown, err
	case before == g.sum:
		return unmoved, err
	}
	return moved, err
}

// buffersEvery is how often what no optimizer trains is looked at: moments and
// running means turn bad with the parameters, or with the loss.
const buffersEvery = 64

// lookAt looks at all parameters, and at buffers where it is asked to.
func (g *Guard) lookAt(buffers bool) error {
	store, sum := g.loop.Trainer.Store(), uint64(0)
	var found error
	seen := false
	for v := range store.IterVariables() {
		if !v.HasValue() || (!v.Trainable && (!buffers || ours(v.Path()))) {
			continue
		}
		value, err := v.Value()
		if err != nil {
			return fmt.Errorf("reading variable %s: %w", v.Path(), err)
		}
		watch := g.buffers
		if v.Trainable {
			watch, seen = g.parameters, true
			if sum, err = checksum(sum, value); err != nil {
				return fmt.Errorf("reading variable %s: %w", v.Path(), err)
			}
		}
		if bad := checkFloats(watch, v.Path(), value); bad != nil && found == nil {
			found = bad
		}
	}
	g.sum, g.summed = sum, seen
	return found
}
