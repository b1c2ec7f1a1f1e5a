package gomlxguard

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/trainvet/trainvet/guards"
)

// The two files of a checkpoint: the list of the variables, which is finished
// when the other one is, and their bytes.
const (
	listFile  = checkpoint.JsonNameSuffix
	bytesFile = checkpoint.BinDataSuffix
)

// Resumed records that the training goes on from the newest checkpoint of a
// handler, if it has one. The audit joins this process to the one that wrote it,
// and what a tainted run left there taints this one. Call it once the handler is
// made, which loads it, before the first step.
func (g *Guard) Resumed(h *checkpoint.Handler) error {
	base, err := newest(h)
	if base == "" || err != nil {
		return err
	}
	step := int64(g.loop.LoopStep)
	g.run.SetStep(step)
	g.run.Read(base+listFile, guards.Checkpoint)
	g.run.Resumed(base+bytesFile, step, g.carried(h)...)
	return nil
}

// carried is what the checkpoint counts of the steps before it. Values that the
// model has not asked for yet lie with the handler.
func (g *Guard) carried(h *checkpoint.Handler) []guards.Carried {
	count := func(name string) (int64, bool) {
		if n, ok := read[int64](g.loop.Trainer.Store(), name); ok {
			return n, true
		}
		t := h.LoadedVariables()["var:"+name]
		if t == nil {
			return 0, false
		}
		n, ok := t.Value().(int64)
		return n, ok
	}
	attempted, counted := count(varAttempted)
	applied, _ := count(varApplied)
	if !counted {
		return nil
	}
	return []guards.Carried{{Optimizer: g.name, Attempted: attempted, Applied: applied}}
}

// Save looks at all variables, saves a checkpoint, and records its files. One
// of a model that is not finite, or behind a fault, is saved and recorded all
// the same, and the error says so.
func (g *Guard) Save(h *checkpoint.Handler) error {
	found := g.lookAt(true)
	if err := h.Save(); err != nil {
		return errors.Join(found, fmt.Errorf("saving a checkpoint: %w", err))
	}
	base, err := newest(h)
	if err != nil {
		return errors.Join(found, err)
	}
	for _, ext := range []string{listFile, bytesFile} {
		if err := g.run.Wrote(base+ext, guards.Checkpoint); found == nil {
			found = err
		}
	}
	return found
}

// SaveEvery saves a checkpoint in every n-th step of the loop.
func (g *Guard) SaveEvery(h *checkpoint.Handler, n int) {
	train.EveryNSteps(g.loop, n, hookName+" checkpoint", early+1, func(*train.Loop, []*tensors.Tensor) error {
		return g.Save(h)
	})
}

// newest is the newest checkpoint without its extensions; empty: there is none.
func newest(h *checkpoint.Handler) (string, error) {
	names, err := h.ListCheckpoints()
	if err != nil {
		return "", fmt.Errorf("looking for checkpoints: %w", err)
	}
	if len(names) == 0 {
		return "", nil
	}
	return filepath.Join(h.Dir(), names[len(names)-1]), nil
}
