package gomlxguard

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Candidate is a computation that a trainer relies on: a scalar of inputs. Its
// gradient with respect to all of them is held against the slope of the
// reference, so that a backend which is right forward and wrong backward fails.
type Candidate struct {
	Name      string
	Shapes    [][]int                                // of the inputs, which are float32
	Graph     func(inputs []*graph.Node) *graph.Node // a scalar of float32
	Reference func(inputs [][]float64) float64       // the same in plain Go
	Tolerance float64                                // of the difference, in parts of the value or of 1; 0: 0.001
}

// Candidates are what nearly every trainer relies on: a product of matrices and
// softmax.
func Candidates() []Candidate {
	return []Candidate{
		{Name: "product", Shapes: [][]int{{24, 40}, {40, 16}}, Graph: productGraph, Reference: product},
		{Name: "softmax", Shapes: [][]int{{12, 30}, {12, 30}}, Graph: softmaxGraph, Reference: softmax},
	}
}

// seeds is how many inputs a candidate is tried with.
const seeds = 3

// judge computes the candidate on a backend.
func (c *Candidate) judge(backend compute.Backend) ProbeResult {
	for seed := range uint64(seeds) {
		text := ""
		err := Catch("probing", func() (err error) {
			text, err = c.try(backend, rand.New(rand.NewPCG(seed, 1)))
			return err
		})
		if err != nil {
			return ProbeResult{c.Name, ProbeFail, err.Error()}
		}
		if text != "" {
			return ProbeResult{c.Name, ProbeFail, text}
		}
	}
	return ProbeResult{c.Name, ProbePass, fmt.Sprintf("value and gradient as in float64, for %d inputs", seeds)}
}

// try says what is wrong with one input; empty: nothing.
func (c *Candidate) try(backend compute.Backend, random *rand.Rand) (string, error) {
	inputs := c.random(random)
	value, gradient, err := c.compute(backend, inputs)
	if err != nil {
		return "", err
	}
	if want := c.Reference(inputs); c.differ(value, want) {
		return fmt.Sprintf("the value is %g, and %g in float64", value, want), nil
	}
	direction := c.random(random)
	got := 0.0
	for i := range gradient {
		for j, g := range gradient[i] {
			got += g * direction[i][j]
		}
	}
	if want := c.slope(inputs, direction); c.differ(got, want) {
		return fmt.Sprintf("the value is right, and the gradient along a direction is %g, not %g", got, want), nil
	}
	return "", nil
}

func (c *Candidate) differ(got, want float64) bool {
	tolerance := c.Tolerance
	if tolerance == 0 {
		tolerance = 1e-3
	}
	return !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) // NaN differs from everything
}

// random are values of float32 between -1 and 1, one slice an input.
func (c *Candidate) random(r *rand.Rand) [][]float64 {
	out := make([][]float64, len(c.Shapes))
	for i, shape := range c.Shapes {
		n := 1
		for _, d := range shape {
			n *= d
		}
		for range n {
			out[i] = append(out[i], float64(2*r.Float32()-1))
		}
	}
	return out
}

// slope is the derivative of the reference along a direction.
func (c *Candidate) slope(inputs, direction [][]float64) float64 {
	const h = 1e-6
	at := func(h float64) float64 {
		moved := make([][]float64, len(inputs))
		for i := range inputs {
			moved[i] = slices.Clone(inputs[i])
			for j := range moved[i] {
				moved[i][j] += h * direction[i][j]
			}
		}
		return c.Reference(moved)
	}
	return (at(h) - at(-h)) / (2 * h)
}

func (c *Candidate) compute(backend compute.Backend, inputs [][]float64) (value float64, gradient [][]float64, err error) {
	exec, err := graph.NewExec(backend, func(x []*graph.Node) []*graph.Node {
		y := c.Graph(x)
		return append([]*graph.Node{y}, graph.Gradient(y, x...)...)
	})
	if err != nil {
		return 0, nil, err
	}
	var args []any
	for i, in := range inputs {
		args = append(args, tensors.FromFlatDataAndDimensions(narrow(in), c.Shapes[i]...))
	}
	out, err := exec.Call(args...)
	if err != nil {
		return 0, nil, err
	}
	for _, t := range out[1:] {
		gradient = append(gradient, widen(tensors.MustCopyFlatData[float32](t)))
	}
	exec.Finalize() // not where building the graph panicked: it would wait for a lock that is never freed
	return float64(tensors.ToScalar[float32](out[0])), gradient, nil
}

func narrow(in []float64) []float32 {
	out := make([]float32, len(in))
	for i, v := range in {
		out[i] = float32(v)
	}
	return out
}

func widen(in []float32) []float64 {
	out := make([]float64, len(in))
	for i, v := range in {
		out[i] = float64(v)
	}
	return out
}
