package a

import (
	"context"
	"log"

	"github.com/sugarme/gotch/nn"
	"github.com/trainvet/trainvet/guards"
	"github.com/zerfoo/zerfoo/training/fp8"
	"github.com/zerfoo/zerfoo/training/optimizer"
)

// Scaled is a scaler's step, by its author's word.
type Scaled interface {
	//trainvet:step
	Apply() (applied bool, err error)

	//trainvet:step
	Blind()
}

func train(s Scaled, opt *nn.Optimizer, steps *guards.Steps, f *fp8.LossScaler, grads [][]float32) error {
	s.Apply() // want "step uncounted: its flag is dropped"

	if _, err := s.Apply(); err != nil { // want "step uncounted: its flag is dropped"
		return err
	}

	applied, err := s.Apply() // want "step counted: its flag is looked at"
	if err != nil {
		return err
	}
	steps.Step(applied, 1)

	ok, _ := s.Apply() // want "step uncounted: its error is lost"
	log.Print(ok)

	s.Blind() // want "step uncounted: it has no result"

	opt.MustStep() // want "step counted: a step that fails ends the run"

	if err := opt.Step(); err != nil { // want "step counted: its error is looked at; train: returned; run: ends the process"
		return err
	}

	f.CheckGradients(grads)      // want "step uncounted: its flag is dropped"
	if f.CheckGradients(grads) { // want "step counted: its flag is looked at"
		log.Print("overflow")
	}

	step := opt.Step // want "step uncounted: passed on as a value"
	return step()
}

func run(s Scaled, opt *nn.Optimizer) {
	if err := train(s, opt, nil, nil, nil); err != nil {
		log.Fatal(err)
	}
}

// A generic step counts for its origin.
func generic[T any](o optimizer.Optimizer[T], a *optimizer.AdamW[float32]) error {
	if err := o.Step(context.Background(), nil); err != nil { // want "step counted"
		return err
	}
	return a.Step(context.Background(), nil) // want "step counted"
}

// A learning-rate schedule, an iterator and a walker step too.
type schedule struct{}

func (schedule) Step() {}

func healthy(s schedule, it interface{ Step() bool }) {
	s.Step()
	it.Step()
}
