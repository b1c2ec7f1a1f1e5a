package train

import "github.com/gomlx/gomlx/core/tensors"

type (
	Priority int
	OnStepFn func(loop *Loop, metrics []*tensors.Tensor) error
	OnEndFn  func(loop *Loop, metrics []*tensors.Tensor) error
	Trainer  struct{}
	Batch    struct{ Inputs, Labels []*tensors.Tensor }
	Loop     struct {
		Trainer  *Trainer
		LoopStep int
	}
)

func (*Trainer) GlobalStep() int64 { return 0 }

func (*Loop) OnStep(name string, priority Priority, fn OnStepFn) {}

func (*Loop) OnEnd(name string, priority Priority, fn OnEndFn) {}
