package a

import (
	"context"
	"fmt"
	"log"

	"github.com/gomlx/gomlx/ml/train"
	"github.com/sugarme/gotch/nn"
	"github.com/sugarme/gotch/ts"
	"github.com/zerfoo/zerfoo/training/optimizer"
	"gorgonia.org/gorgonia"
)

func bare(opt *nn.Optimizer, loss *ts.Tensor) {
	opt.BackwardStep(loss) // want "the error of opt.BackwardStep is lost .the error is dropped.: a step that was not taken counts as one"
}

func bareInError(opt *nn.Optimizer, loss *ts.Tensor) (int, error) {
	for i := 0; i < 3; i++ {
		opt.BackwardStep(loss) // want "the error of opt.BackwardStep is lost"
	}
	return 3, nil
}

func blank(s gorgonia.Solver, a *gorgonia.AdamSolver, g []gorgonia.ValueGrad) error {
	_ = s.Step(g)      // want "the error of s.Step is lost"
	err := a.Step(nil) // want "the error of a.Step is lost"
	err = s.Step(g)
	return err
}

func two(loop *train.Loop, ds train.Dataset) (string, error) {
	loop.RunSteps(ds, 10)               // want "the error of loop.RunSteps is lost"
	metrics, _ := loop.RunSteps(ds, 10) // want "the error of loop.RunSteps is lost"
	return fmt.Sprint(metrics), nil
}

func generic[T any](o optimizer.Optimizer[T], a *optimizer.AdamW[float32]) error {
	o.Step(context.Background(), nil) // want "the error of o.Step is lost"
	a.Step(context.Background(), nil) // want "the error of a.Step is lost"
	return nil
}

func around(opt *nn.Optimizer, loss *ts.Tensor, vm gorgonia.VM) error {
	opt.ZeroGrad()      // want "the error of opt.ZeroGrad is lost .*: the gradients of the batch before stay"
	loss.Backward()     // want "the error of loss.Backward is lost .*: the gradients are not those of this loss"
	opt.ClipGradNorm(1) // want "the error of opt.ClipGradNorm is lost"
	vm.RunAll()         // want "the error of vm.RunAll is lost"
	return opt.Step()
}

func async(opt *nn.Optimizer) {
	go opt.Step()    // want "the error of opt.Step is lost .started by go or defer"
	defer opt.Step() // want "the error of opt.Step is lost .started by go or defer"
}

func silent(opt *nn.Optimizer) {
	for range 3 {
		if err := opt.Step(); err != nil { // want "the error of opt.Step is lost .looked at, and the run goes on"
			continue
		}
		println("stepped")
	}
}

// A helper that returns the error, and a caller that drops it.
func step(opt *nn.Optimizer) error {
	if err := opt.Step(); err != nil {
		return fmt.Errorf("step: %w", err)
	}
	return nil
}

func caller(opt *nn.Optimizer) {
	step(opt) // want "the error of caller, which is that of opt.Step, is lost"
}

// Step's error reaches who reads the log, the caller, or nobody needs it.
func healthy(opt *nn.Optimizer, loss *ts.Tensor, errs chan error) error {
	opt.MustStep()
	opt.MustBackwardStep(loss)
	if err := opt.Step(); err != nil {
		log.Printf("step: %v", err)
	}
	if err := opt.Step(); err != nil {
		log.Fatal(err)
	}
	if err := opt.BackwardStep(loss); err != nil {
		panic(err)
	}
	errs <- opt.Step()
	failed := 0
	if opt.Step() != nil {
		failed++
	}
	ok := true
	if err := opt.Step(); err != nil {
		ok = false
	}
	log.Print(failed, ok)
	go func() { errs <- opt.Step() }()
	return step(opt)
}

func named(opt *nn.Optimizer) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("named: %w", err)
		}
	}()
	err = opt.Step()
	return
}

type trainer struct {
	opt *nn.Optimizer
	err error
}

func (t *trainer) kept() { t.err = t.opt.Step() }
