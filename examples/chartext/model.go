package main

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
)

// The size of the transformer: what a CPU trains in seconds.
const (
	window = 16 // characters that it sees
	width  = 32
	heads  = 4
	blocks = 2
	stride = 5 // between the windows of an evaluation
)

// transformer is a decoder of characters. Parameters are float32; matrices are
// multiplied in the given type.
type transformer struct {
	vocab int
	dtype dtypes.DType
}

// graph gives the logits of each place, in float32.
func (m transformer) graph(scope *model.Scope, ids *graph.Node) *graph.Node {
	g, batch := ids.Graph(), ids.Shape().Dim(0)
	x := layers.Embedding(scope.In("tokens"), graph.ExpandAxes(ids, -1), dtypes.Float32, m.vocab, width)
	places := scope.In("places").VariableWithShape("embeddings", shapes.Make(dtypes.Float32, 1, window, width))
	x = graph.Add(x, places.NodeValue(g))
	for i := range blocks {
		block := scope.In("block_%d", i)
		x = graph.Add(x, m.attention(block.In("attention"), norm(block.In("norm_1"), x), batch))
		h := activation.Gelu(m.dense(block.In("wide"), norm(block.In("norm_2"), x), 4*width))
		x = graph.Add(x, m.dense(block.In("narrow"), h, width))
	}
	return m.dense(scope.In("logits"), norm(scope.In("norm"), x), m.vocab)
}

// attention looks back from each place at those before it.
func (m transformer) attention(scope *model.Scope, x *graph.Node, batch int) *graph.Node {
	g := x.Graph()
	split := func(name string) *graph.Node {
		return graph.ConvertDType(graph.Reshape(m.dense(scope.In("%s", name), x, width), batch, window, heads, width/heads), m.dtype)
	}
	q, k, v := split("query"), split("key"), split("value")
	scores := graph.ConvertDType(graph.Einsum("bqhd,bkhd->bhqk", q, k), dtypes.Float32)
	scores = graph.MulScalar(scores, 0.354) // 1/sqrt(8)
	past := graph.LowerTriangular(g, window)
	past = graph.BroadcastToDims(graph.Reshape(past, 1, 1, window, window), batch, heads, window, window)
	scores = graph.Where(past, scores, graph.MulScalar(graph.OnesLike(scores), -1e4))
	seen := graph.Einsum("bhqk,bkhd->bqhd", graph.ConvertDType(graph.Softmax(scores), m.dtype), v)
	return m.dense(scope.In("out"), graph.ConvertDType(graph.Reshape(seen, batch, window, width), dtypes.Float32), width)
}

// dense multiplies in the type of the model, and adds in float32.
func (m transformer) dense(scope *model.Scope, x *graph.Node, out int) *graph.Node {
	w := scope.VariableWithShape("weights", shapes.Make(dtypes.Float32, x.Shape().Dim(-1), out)).NodeValue(x.Graph())
	y := graph.Einsum("bci,io->bco", graph.ConvertDType(x, m.dtype), graph.ConvertDType(w, m.dtype))
	return graph.ConvertDType(y, dtypes.Float32)
}

// norm is the layer norm without parameters.
func norm(_ *model.Scope, x *graph.Node) *graph.Node {
	centered := graph.Sub(x, graph.ReduceAndKeep(x, graph.ReduceMean, -1))
	variance := graph.ReduceAndKeep(graph.Square(centered), graph.ReduceMean, -1)
	return graph.Div(centered, graph.Sqrt(graph.AddScalar(variance, 1e-5)))
}
