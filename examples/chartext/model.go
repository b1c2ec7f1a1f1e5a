package main

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
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
func (m transformer) graph(scope *model.Scope, ids *Node) *Node {
	g, batch := ids.Graph(), ids.Shape().Dim(0)
	x := layers.Embedding(scope.In("tokens"), ExpandAxes(ids, -1), dtypes.Float32, m.vocab, width)
	places := scope.In("places").VariableWithShape("embeddings", shapes.Make(dtypes.Float32, 1, window, width))
	x = Add(x, places.NodeValue(g))
	for i := range blocks {
		block := scope.In("block_%d", i)
		x = Add(x, m.attention(block.In("attention"), norm(block.In("norm_1"), x), batch))
		h := activation.Gelu(m.dense(block.In("wide"), norm(block.In("norm_2"), x), 4*width))
		x = Add(x, m.dense(block.In("narrow"), h, width))
	}
	return m.dense(scope.In("logits"), norm(scope.In("norm"), x), m.vocab)
}

// attention looks back from each place at those before it.
func (m transformer) attention(scope *model.Scope, x *Node, batch int) *Node {
	g := x.Graph()
	split := func(name string) *Node {
		return ConvertDType(Reshape(m.dense(scope.In("%s", name), x, width), batch, window, heads, width/heads), m.dtype)
	}
	q, k, v := split("query"), split("key"), split("value")
	scores := ConvertDType(Einsum("bqhd,bkhd->bhqk", q, k), dtypes.Float32)
	scores = MulScalar(scores, 0.354) // 1/sqrt(8)
	past := LowerTriangular(g, window)
	past = BroadcastToDims(Reshape(past, 1, 1, window, window), batch, heads, window, window)
	scores = Where(past, scores, MulScalar(OnesLike(scores), -1e4))
	seen := Einsum("bhqk,bkhd->bqhd", ConvertDType(Softmax(scores), m.dtype), v)
	return m.dense(scope.In("out"), ConvertDType(Reshape(seen, batch, window, width), dtypes.Float32), width)
}

// dense multiplies in the type of the model, and adds in float32.
func (m transformer) dense(scope *model.Scope, x *Node, out int) *Node {
	w := scope.VariableWithShape("weights", shapes.Make(dtypes.Float32, x.Shape().Dim(-1), out)).NodeValue(x.Graph())
	y := Einsum("bci,io->bco", ConvertDType(x, m.dtype), ConvertDType(w, m.dtype))
	return ConvertDType(y, dtypes.Float32)
}

// norm is the layer norm without parameters.
func norm(_ *model.Scope, x *Node) *Node {
	centered := Sub(x, ReduceAndKeep(x, ReduceMean, -1))
	variance := ReduceAndKeep(Square(centered), ReduceMean, -1)
	return Div(centered, Sqrt(AddScalar(variance, 1e-5)))
}
