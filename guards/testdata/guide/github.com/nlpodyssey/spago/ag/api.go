package ag

import "github.com/nlpodyssey/spago/mat"

func Backward(xs ...mat.Tensor) error { return nil }
