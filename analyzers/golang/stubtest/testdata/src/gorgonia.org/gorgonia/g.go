package gorgonia

type ValueGrad interface{}

type Solver interface{ Step([]ValueGrad) error }

type AdamSolver struct{}

func (s *AdamSolver) Step(model []ValueGrad) (err error) { return nil }

type VM interface{ RunAll() error }
