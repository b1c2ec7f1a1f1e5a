// Package logged has a NaN logger, which says where and how often.
package logged

import (
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/gomlx/gomlx/pkg/ml/train/nanlogger"
)

func set(s *model.Scope, trainer any) {
	s.SetParam(optimizer.ParamClipNaN, true)
	nanlogger.New().AttachToTrainer(trainer)
}
