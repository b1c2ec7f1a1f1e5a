package a

import (
	"github.com/sugarme/gotch/nn"
	"github.com/sugarme/gotch/ts"
	"gorgonia.org/gorgonia"
)

func loss() *ts.Tensor { return nil }

func missing(opt *nn.Optimizer) {
	for range 10 {
		loss().MustBackward()
		opt.MustStep() // want "the gradients are cleared nowhere in this loop"
	}
}

// Once before the loop is not once a batch.
func before(opt *nn.Optimizer) {
	opt.MustZeroGrad()
	for i := 0; i < 10; i++ {
		loss().MustBackward()
		opt.MustStep() // want "the gradients are cleared nowhere"
	}
}

func perEpoch(opt *nn.Optimizer) {
	for range 3 {
		opt.MustZeroGrad()
		for range 10 {
			loss().MustBackward()
			opt.MustStep() // want "the gradients are cleared nowhere"
		}
	}
}

func backward() { loss().MustBackward() }

func helpers(opt *nn.Optimizer) {
	for range 10 {
		backward()
		opt.MustStep() // want "the gradients are cleared nowhere"
	}
}

func cleared(opt *nn.Optimizer) {
	for range 10 {
		opt.MustZeroGrad()
		loss().MustBackward()
		opt.MustStep()
	}
}

func afterwards(opt *nn.Optimizer) {
	for range 10 {
		loss().MustBackward()
		opt.MustStep()
		opt.MustZeroGrad()
	}
}

// BackwardStep clears by itself.
func atOnce(opt *nn.Optimizer) {
	for range 10 {
		opt.MustBackwardStep(loss())
	}
}

// Accumulation on purpose clears when it steps.
func accumulates(opt *nn.Optimizer) {
	for i := range 100 {
		loss().MustBackward()
		if i%8 == 7 {
			opt.MustStep()
			opt.MustZeroGrad()
		}
	}
}

// An inner loop gathers, the outer one steps and clears.
func nested(opt *nn.Optimizer) {
	for range 10 {
		for range 4 {
			loss().MustBackward()
		}
		opt.MustStep()
		opt.MustZeroGrad()
	}
}

func clear(opt *nn.Optimizer) { opt.MustZeroGrad() }

func byHelper(opt *nn.Optimizer) {
	for range 10 {
		clear(opt)
		loss().MustBackward()
		opt.MustStep()
	}
}

func byValue(opt *nn.Optimizer, zeroGrads func()) {
	for range 10 {
		zeroGrads()
		loss().MustBackward()
		opt.MustStep()
	}
}

func oneByOne(opt *nn.Optimizer, weights []*ts.Tensor) {
	for range 10 {
		for _, w := range weights {
			w.ZeroGrad()
		}
		loss().MustBackward()
		opt.MustStep()
	}
}

// One step is no loop.
func once(opt *nn.Optimizer) {
	loss().MustBackward()
	opt.MustStep()
}

// An engine of graphs writes its gradients anew.
func graph(vm gorgonia.VM, s gorgonia.Solver) error {
	for range 10 {
		if err := vm.RunAll(); err != nil {
			return err
		}
		if err := s.Step(nil); err != nil {
			return err
		}
	}
	return nil
}
