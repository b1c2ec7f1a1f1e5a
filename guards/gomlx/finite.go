package gomlxguard

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// allFinite is true where no value of any gradient is NaN or infinite.
func allFinite(gradients []*graph.Node) *graph.Node {
	var finite *graph.Node
	for _, gradient := range gradients {
		f := graph.LogicalAll(graph.IsFinite(narrowed(gradient)))
		if finite == nil {
			finite = f
		} else {
			finite = graph.LogicalAnd(finite, f)
		}
	}
	return finite
}

// narrowed sums the last axis up, with weights so small that no sum of finite
// values overflows. NaN and infinity stay what they are, and a product with a
// vector takes a fraction of the time that looking at each value does.
func narrowed(x *graph.Node) *graph.Node {
	weight, known := weights[x.DType()]
	if !known || x.Rank() == 0 {
		return x
	}
	last := x.Shape().Dim(-1)
	if last < 2 || last > mostSummed {
		return x
	}
	w := graph.BroadcastToDims(graph.Scalar(x.Graph(), x.DType(), weight), last)
	return graph.DotGeneral(x, []int{x.Rank() - 1}, nil, w, []int{0}, nil)
}

// weights are far from 0, which would be folded away, and so small that the sum
// of mostSummed of the largest values is finite. In float16 the least normal
// number is just small enough.
var weights = map[dtypes.DType]float64{
	dtypes.Float64:  0x1p-100,
	dtypes.Float32:  0x1p-100,
	dtypes.BFloat16: 0x1p-100,
	dtypes.Float16:  0x1p-14,
}

const mostSummed = 1 << 12
