package gorgonia

type (
	Value     interface{ Data() interface{} }
	ValueGrad interface{ Grad() (Value, error) }
	Solver    interface{ Step([]ValueGrad) error }
	VM        interface {
		RunAll() error
		Reset()
	}
	Node  struct{}
	Nodes []*Node
)

func (*Node) Name() string { return "" }

func (*Node) Grad() (Value, error) { return nil, nil }

func NodesToValueGrads(in Nodes) (out []ValueGrad) { return nil }
