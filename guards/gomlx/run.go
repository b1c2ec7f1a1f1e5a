package gomlxguard

import (
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
)

// RunSteps is [train.Loop.RunSteps] with panics made errors, the ledger written
// where the run breaks off, and a record where there is nothing to do.
func (g *Guard) RunSteps(ds train.Dataset, steps int) ([]*tensors.Tensor, error) {
	return g.train(func() ([]*tensors.Tensor, error) { return g.loop.RunSteps(ds, steps) })
}

// RunToGlobalStep is [train.Loop.RunToGlobalStep] in the same way. A target
// that is reached already trains nothing, which GoMLX says to nobody.
func (g *Guard) RunToGlobalStep(ds train.Dataset, target int) ([]*tensors.Tensor, error) {
	return g.train(func() ([]*tensors.Tensor, error) { return g.loop.RunToGlobalStep(ds, target) })
}

// RunEpochs is [train.Loop.RunEpochs] in the same way.
func (g *Guard) RunEpochs(ds train.Dataset, epochs int) ([]*tensors.Tensor, error) {
	return g.train(func() ([]*tensors.Tensor, error) { return g.loop.RunEpochs(ds, epochs) })
}

// TrainStep is [train.Trainer.TrainStep] for trainers that write their loop
// themselves, where no hook is called and nobody looks for NaN. Steps are
// counted from the global step at the first call.
func (g *Guard) TrainStep(batch train.Batch) (metrics []*tensors.Tensor, err error) {
	if g.seen == 0 {
		g.origin = g.loop.Trainer.GlobalStep() * g.perUpdate()
		if err := g.begin(); err != nil {
			return nil, err
		}
	}
	step := g.origin + g.seen + 1
	g.run.SetStep(step)
	err = Catch("training", func() (err error) {
		metrics, err = g.loop.Trainer.TrainStep(batch)
		return err
	})
	if err != nil {
		g.run.Flush()
		return nil, err
	}
	return metrics, g.stepped(step, metrics)
}

func (g *Guard) train(run func() ([]*tensors.Tensor, error)) (metrics []*tensors.Tensor, err error) {
	before := g.seen
	defer g.run.Flush()
	err = Catch("training", func() (err error) {
		metrics, err = run()
		return err
	})
	if err == nil && g.seen == before {
		// Recorded and no error: a trainer that was started again behind its end
		// has a model to evaluate.
		_ = g.steps.NoStep(fmt.Sprintf("the model stands at global step %d, and the training asked for ends there or before it", g.loop.Trainer.GlobalStep()))
	}
	return metrics, err
}
