package gomlxguard

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
)

// productGraph is the mean square of a product of matrices.
func productGraph(x []*graph.Node) *graph.Node {
	return graph.ReduceAllMean(graph.Square(graph.Einsum("ij,jk->ik", x[0], x[1])))
}

func product(x [][]float64) float64 {
	const rows, inner, columns = 24, 40, 16
	sum := 0.0
	for i := range rows {
		for k := range columns {
			y := 0.0
			for j := range inner {
				y += x[0][i*inner+j] * x[1][j*columns+k]
			}
			sum += y * y
		}
	}
	return sum / (rows * columns)
}

// softmaxGraph weighs the softmax of rows.
func softmaxGraph(x []*graph.Node) *graph.Node {
	return graph.ReduceAllSum(graph.Mul(graph.Softmax(graph.MulScalar(x[0], 5)), x[1]))
}

func softmax(x [][]float64) float64 {
	const rows, columns = 12, 30
	sum := 0.0
	for i := range rows {
		total, weighed := 0.0, 0.0
		for j := range columns {
			e := math.Exp(5 * x[0][i*columns+j])
			total += e
			weighed += e * x[1][i*columns+j]
		}
		sum += weighed / total
	}
	return sum
}
