package gomlxguard

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// TestAllFinite: one value that is not finite is seen wherever it lies, and the
// largest values that there are are finite, however many.
func TestAllFinite(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 9))
	for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64, dtypes.Float16, dtypes.BFloat16} {
		for _, shape := range [][]int{{}, {1}, {7}, {5, 1}, {1, 64}, {3, 4, 5}, {33, 130}, {2, mostSummed}, {2, mostSummed + 1}} {
			t.Run(fmt.Sprint(dtype, shape), func(t *testing.T) {
				exec, err := graph.NewExec(gobackend.GetBackend(), func(x *graph.Node) *graph.Node {
					return allFinite([]*graph.Node{graph.OnesLike(x), graph.ConvertDType(x, dtype)})
				})
				if err != nil {
					t.Fatal(err)
				}
				for _, largest := range []float64{0, 1, 1e-40, top[dtype], -top[dtype]} {
					hold(t, exec, shape, largest, 0, 0, true)
				}
				n := 1
				for _, d := range shape {
					n *= d
				}
				for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
					for _, fill := range []float64{0, 1, top[dtype]} {
						hold(t, exec, shape, fill, random.IntN(n), bad, false)
					}
				}
			})
		}
	}
}

var top = map[dtypes.DType]float64{dtypes.Float32: math.MaxFloat32, dtypes.Float64: math.MaxFloat64, dtypes.Float16: 65504, dtypes.BFloat16: 0x1.fep127}

func hold(t *testing.T, exec *graph.Exec, shape []int, fill float64, at int, bad float64, want bool) {
	t.Helper()
	n := 1
	for _, d := range shape {
		n *= d
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = fill
	}
	if !want {
		values[at] = bad
	}
	out, err := exec.Call(tensors.FromFlatDataAndDimensions(values, shape...))
	if err != nil {
		t.Fatal(err)
	}
	if got := tensors.ToScalar[bool](out[0]); got != want {
		t.Errorf("filled with %g, %g at %d: %v", fill, bad, at, got)
	}
}
