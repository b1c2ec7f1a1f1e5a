package nn

import "github.com/sugarme/gotch/ts"

type Optimizer struct{}

func (o *Optimizer) Step() error { return nil }

func (o *Optimizer) MustStep() {}

func (o *Optimizer) ZeroGrad() error { return nil }

func (o *Optimizer) MustZeroGrad() {}

func (o *Optimizer) ClipGradNorm(max float64) error { return nil }

func (o *Optimizer) BackwardStep(loss *ts.Tensor) error { return nil }

func (o *Optimizer) MustBackwardStep(loss *ts.Tensor) {}
