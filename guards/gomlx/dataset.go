package gomlxguard

import (
	"errors"
	"fmt"
	"iter"
	"sync/atomic"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/trainvet/trainvet/guards"
)

// Dataset wraps a dataset so that the inputs of each batch are checked before
// they reach the graph: token ids by the site, floating-point values for NaN
// and infinity. A nil site checks no ids, for datasets whose integers are none.
//
// An id outside the embedding ends the iteration with an error under every
// policy: GoMLX clamps it in the forward pass, and in the backward pass dies in
// a goroutine that no recover reaches.
func Dataset(ds train.Dataset, site *guards.Site) train.Dataset {
	return &dataset{Dataset: ds, site: site, inputs: guards.WatchFinite(guards.Input)}
}

type dataset struct {
	train.Dataset
	site   *guards.Site
	inputs *guards.FiniteWatch
	loop   *train.Loop  // that trains on it; nil: none
	last   atomic.Int64 // samples of the last batch
	seen   atomic.Int64 // samples since Iter
}

// Iter checks each batch on its way. What the loop asks for belongs to the step
// that is to come.
func (d *dataset) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		d.seen.Store(0)
		for batch, err := range d.Dataset.Iter() {
			if err == nil {
				err = d.check(batch)
			}
			if !yield(batch, err) || err != nil {
				return
			}
		}
	}
}

func (d *dataset) check(batch train.Batch) error {
	if d.loop != nil && d.loop.LoopStep < d.loop.EndStep {
		guards.SetStep(int64(d.loop.LoopStep) + 1)
	}
	for i, t := range batch.Inputs {
		if err := d.checkInput(i, t); err != nil {
			return fmt.Errorf("checking input %d of dataset %s: %w", i, d.Name(), err)
		}
	}
	n := samples(batch)
	d.last.Store(n)
	d.seen.Add(n)
	return nil
}

func (d *dataset) checkInput(i int, t *tensors.Tensor) error {
	if t.DType().IsFloat() {
		return checkFloats(d.inputs, fmt.Sprintf("input %d", i), t)
	}
	if d.site == nil {
		return nil
	}
	columns := 1
	if t.Rank() > 0 {
		columns = t.Shape().Dim(-1)
	}
	var found error
	before := guards.Err()
	err := t.ConstFlatData(func(flat any) {
		switch ids := flat.(type) {
		case []int32:
			found = guards.CheckTokenMatrix(d.site, ids, columns)
		case []int64:
			found = guards.CheckTokenMatrix(d.site, ids, columns)
		case []uint32:
			found = guards.CheckTokenMatrix(d.site, ids, columns)
		case []uint16:
			found = guards.CheckTokenMatrix(d.site, ids, columns)
		}
	})
	if err != nil {
		return errors.Join(found, err)
	}
	if now := guards.Err(); found == nil && before == nil && now != nil {
		return now // the policy Record gives no error, and the engine would die of it
	}
	return found
}

// samples is the size of the first axis of a batch.
func samples(batch train.Batch) int64 {
	for _, t := range batch.Inputs {
		if t.Rank() > 0 {
			return int64(t.Shape().Dim(0))
		}
	}
	return 1
}

// isGuards tells an error of the guards from others.
func isGuards(err error) bool {
	return errors.Is(err, guards.ErrFault) || errors.Is(err, guards.ErrQuality)
}
