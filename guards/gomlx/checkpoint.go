package gomlxguard

import (
	"fmt"
	"path/filepath"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
	"github.com/gomlx/gomlx/ml/train"
)

// The two files of a checkpoint.
var checkpointFiles = []string{".json", ".bin"}

// Resumed records that the model was loaded from the newest checkpoint of a
// handler, if it has one: what a tainted run left there taints this one. Call
// it once the handler is made, which loads it.
func (g *Guard) Resumed(h *checkpoint.Handler) error {
	base, err := newest(h)
	if base == "" || err != nil {
		return err
	}
	g.run.SetStep(g.loop.Trainer.GlobalStep())
	for _, ext := range checkpointFiles {
		g.run.Read(base+ext, "checkpoint")
	}
	return nil
}

// Save looks at all variables, saves a checkpoint, and records its files. One
// of a model that is not finite, or behind a fault, is saved and recorded all
// the same, and the error says so.
func (g *Guard) Save(h *checkpoint.Handler) error {
	found := g.lookAt(true)
	if err := h.Save(); err != nil {
		return fmt.Errorf("saving a checkpoint: %w", err)
	}
	base, err := newest(h)
	if err != nil {
		return err
	}
	for _, ext := range checkpointFiles {
		if err := g.run.Wrote(base+ext, "checkpoint"); found == nil {
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
