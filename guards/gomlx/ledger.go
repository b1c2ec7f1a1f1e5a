package gomlxguard

import (
	"math"
	"strings"

	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// silentModes are settings of GoMLX that make steps train nothing.
type silentModes struct {
	clipNaN bool
	backoff int64
}

func silentModesOf(store *model.Store) silentModes {
	root := store.RootScope()
	return silentModes{
		clipNaN: model.GetParamOr(root, optimizer.ParamClipNaN, false),
		backoff: int64(model.GetParamOr(root, optimizer.ParamAdamBackoffSteps, 0)),
	}
}

// ours tells whether a variable is a counter of the guards, or the state of a
// metric, which may be NaN once the loss was.
func ours(path string) bool {
	return strings.HasPrefix(path, Scope+"/") || strings.HasPrefix(path, "/"+metric.Scope+"/") ||
		strings.Contains(path, "/"+metric.Scope+"/")
}

// count enters a step into the ledger: applied when the parameters changed,
// thrown away else.
func (g *Guard) count(what change) error {
	store := g.loop.Trainer.Store()
	global := g.loop.Trainer.GlobalStep()
	advanced := global > g.global
	g.global = global
	finite, watched := read[bool](store, varFinite)
	if scale, ok := read[float64](store, varUsed); ok && watched && (what != unmoved || !finite) {
		return g.scaled(!finite, scale)
	}
	reason := g.why(what, advanced, watched && !finite)
	if reason == "" {
		g.steps.Apply(g.samples())
	} else {
		g.steps.Skip(g.samples(), reason)
	}
	if !watched {
		return nil
	}
	return g.gradient(finite, reason == "")
}

// scaled enters a step behind the scaler in the graph.
func (g *Guard) scaled(overflow bool, scale float64) error {
	if g.scaler == nil {
		floor, _ := read[float64](g.loop.Trainer.Store(), varFloor)
		g.scaler = g.run.WatchScaler(floor).Optimizer(g.name)
	}
	return g.scaler.Step(overflow, scale)
}

// why says what threw a step away; empty: it was applied.
func (g *Guard) why(what change, advanced, infinite bool) string {
	switch {
	case !advanced:
		return "rolled-back"
	case infinite && g.silent.clipNaN:
		return "clip-nan"
	case what != moved && g.global <= g.silent.backoff:
		return "adam-backoff"
	case what == unmoved:
		return "unmoved"
	}
	return ""
}

// gradient tells of gradients that were not finite. Where clip_nan drops them
// the trainer wanted to go on: the ledger has the step.
func (g *Guard) gradient(finite, applied bool) error {
	if finite {
		return g.gradients.Stepped(applied)
	}
	err := g.gradients.Value("gradient", math.NaN())
	if stays := g.gradients.Stepped(applied); stays != nil {
		err = stays
	}
	if g.silent.clipNaN {
		return nil
	}
	return err
}

// samples is how many the step was made from; 0: not known.
func (g *Guard) samples() int64 {
	if g.data == nil {
		return 0
	}
	return g.data.last.Load()
}
