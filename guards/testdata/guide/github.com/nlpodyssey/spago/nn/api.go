package nn

import "github.com/nlpodyssey/spago/mat"

type (
	Model interface{}
	Param struct{ mat.Tensor }
)

func ForEachParam(m Model, fn func(param *Param)) {}
