package main

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"

	gomlxguard "github.com/trainvet/trainvet/guards/gomlx"
)

// probe are the computations that this trainer relies on.
func probe(backend compute.Backend) *gomlxguard.Probe {
	return &gomlxguard.Probe{Backend: backend, Candidates: append(gomlxguard.Candidates(), normCandidate())}
}

// normCandidate holds the layer norm of the model against plain Go.
func normCandidate() gomlxguard.Candidate {
	const rows, columns = 6, 32
	return gomlxguard.Candidate{
		Name: "layer norm", Shapes: [][]int{{rows, columns}, {rows, columns}},
		Graph: func(x []*graph.Node) *graph.Node { return graph.ReduceAllSum(graph.Mul(norm(nil, x[0]), x[1])) },
		Reference: func(x [][]float64) float64 {
			sum := 0.0
			for i := range rows {
				row, weights := x[0][i*columns:(i+1)*columns], x[1][i*columns:(i+1)*columns]
				middle := mean(row)
				variance := 0.0
				for _, v := range row {
					variance += (v - middle) * (v - middle) / columns
				}
				for j, v := range row {
					sum += weights[j] * (v - middle) / math.Sqrt(variance+1e-5)
				}
			}
			return sum
		},
	}
}

// runProbe runs it and says what came out.
func runProbe(p *gomlxguard.Probe) error {
	results, err := p.Run(context.Background())
	for _, r := range results {
		fmt.Printf("probe %s: %s, %s\n", r.Name, r.Status, r.Text)
	}
	return err
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
