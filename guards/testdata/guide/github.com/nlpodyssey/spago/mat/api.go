package mat

type Slice interface{ F64() []float64 }

type Tensor interface {
	Data() Slice
	Grad() Tensor
	HasGrad() bool
}
