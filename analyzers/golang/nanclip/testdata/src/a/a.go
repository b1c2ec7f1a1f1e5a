package a

import (
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

func set(s *model.Scope) {
	s.SetParam(optimizer.ParamClipNaN, true) // want "clip_nan replaces what is not finite and nothing counts it"
	s.SetParam("clip_nan", true)             // want "clip_nan replaces"
	s.SetParams(map[string]any{
		"optimizer":            "adam",
		optimizer.ParamClipNaN: true, // want "clip_nan replaces"
	})

	s.SetParam(optimizer.ParamClipNaN, false)
	s.SetParam("clip_norm", true)
	s.SetParams(map[string]any{optimizer.ParamClipNaN: false})
}
