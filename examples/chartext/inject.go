package main

import (
	"fmt"
	"iter"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// injection is a fault that this trainer makes on purpose, to show what
// becomes of it.
type injection struct {
	kind string
	step int // at which it happens; for an evaluation it says nothing
}

// The kinds of injection.
const (
	injectNone    = ""
	injectInputs  = "input-ids"  // a batch holds ids of 0x01 bytes
	injectWritten = "output-ids" // so do the ids that the device gives back
	injectNaN     = "nan"        // a weight turns into NaN, so that the step computes it
	injectKill    = "kill"       // the process ends at once
	injectSkip    = "skip"       // the updates of dropped steps are thrown away, and nobody counts
)

// dropped is how many steps a silent skip lasts.
const dropped = 25

// unwritten is what four bytes of 0x01 are as an id.
const unwritten = 0x01010101

func parseInjection(text string) (injection, error) {
	kind, at, _ := strings.Cut(text, "@")
	switch kind {
	case injectNone, injectInputs, injectWritten, injectNaN, injectKill, injectSkip:
	default:
		return injection{}, fmt.Errorf("there is no injection %q", kind)
	}
	in := injection{kind: kind, step: 1}
	if at == "" {
		return in, nil
	}
	step, err := strconv.Atoi(at)
	if err != nil || step < 1 {
		return injection{}, fmt.Errorf("injecting %s: %q is no step", kind, at)
	}
	in.step = step
	return in, nil
}

// dataset poisons the batch of the step.
func (in injection) dataset(ds train.Dataset) train.Dataset {
	if in.kind != injectInputs {
		return ds
	}
	return poisoned{ds, in.step}
}

type poisoned struct {
	train.Dataset
	step int
}

// Iter poisons one batch on its way.
func (p poisoned) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		step := 0
		for batch, err := range p.Dataset.Iter() {
			if step++; step == p.step && err == nil {
				tensors.MustMutableFlatData(batch.Inputs[0], func(ids []int32) { fill(ids[len(ids)/2:]) })
			}
			if !yield(batch, err) {
				return
			}
		}
	}
}

func fill(ids []int32) {
	for i := range ids {
		ids[i] = unwritten
	}
}

// written poisons what the device gives back.
func (in injection) written(rows [][]int32) {
	if in.kind == injectWritten {
		fill(rows[len(rows)/2])
	}
}

// attach poisons the state of the trainer between two steps.
func (in injection) attach(loop *train.Loop, store *model.Store) {
	loop.OnStep("inject", 1, func(loop *train.Loop, _ []*tensors.Tensor) error {
		next := loop.LoopStep + 2
		switch {
		case in.kind == injectNaN && next == in.step:
			v := store.GetVariable("/logits/weights").MustValue()
			tensors.MustMutableFlatData(v, func(w []float32) { w[0] = float32(math.NaN()) })
		case in.kind == injectKill && next == in.step+1:
			return kill()
		case in.kind == injectSkip:
			drop := next >= in.step && next < in.step+dropped
			return store.GetVariable(varDrop).SetValue(tensors.FromScalar(drop))
		}
		return nil
	})
}

// kill is what the memory manager of a machine does.
func kill() error {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	return self.Kill()
}

// optimizer throws updates away and says nothing, as some wrappers do.
func (in injection) optimizer(opt optimizer.Interface) optimizer.Interface {
	if in.kind != injectSkip {
		return opt
	}
	return silent{opt}
}

type silent struct{ optimizer.Interface }

const varDrop = "/inject/drop"

// UpdateGraph takes the update of the parameters back where it is told to.
func (s silent) UpdateGraph(scope *model.Scope, g *graph.Graph, loss *graph.Node) {
	s.Interface.UpdateGraph(scope, g, loss)
	drop := scope.Store().VariableWithValue(varDrop, false).SetTrainable(false).NodeValue(g)
	for v := range scope.Store().IterVariables() {
		if v.Trainable && v.ChangedInGraph(g) {
			v.SetNodeValue(graph.Where(drop, g.GetParameterByName(v.Path()), v.NodeValue(g)))
		}
	}
}
