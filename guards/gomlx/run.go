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
