package gomlxguard_test

import (
	"errors"
	"iter"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/trainvet/trainvet/guards"
	gomlxguard "github.com/trainvet/trainvet/guards/gomlx"
	"github.com/trainvet/trainvet/guards/guardtest"
)

// inputs yields each value as the input of a batch.
type inputs []any

func (i inputs) Name() string { return "inputs" }

func (i inputs) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for _, v := range i {
			if !yield(train.Batch{Inputs: []*tensors.Tensor{tensors.MustFromAnyValue(v)}}, nil) {
				return
			}
		}
	}
}

func TestDataset(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy guards.Policy
		values inputs
		passed int // batches before the error
		target error
	}{
		{"healthy int32", guards.Return, inputs{[][]int32{{1, 2}, {3, 99}}, [][]int32{{0, 0}, {7, 7}}}, 2, nil},
		{"healthy int64", guards.Return, inputs{[][]int64{{1, 2}, {3, 99}}}, 1, nil},
		{"healthy float32", guards.Return, inputs{[][]float32{{1, 2}, {3, 1e30}}}, 1, nil},
		{"booleans are no ids", guards.Return, inputs{[]bool{true, false}}, 1, nil},
		{"0x01 bytes", guards.Return, inputs{[][]int32{{1, 2}}, [][]int32{{1, 16843009}}, [][]int32{{1, 2}}}, 1, guards.ErrFault},
		{"0x01 bytes of int64", guards.Return, inputs{[][]int64{{72340172838076673, 1}}}, 0, guards.ErrFault},
		{"negative", guards.Return, inputs{[]int32{-1, 1}}, 0, guards.ErrFault},
		{"behind the embedding", guards.Return, inputs{[]int32{100, 1}}, 0, guards.ErrFault},
		{"behind it, and only recorded", guards.Record, inputs{[]int32{100, 1}}, 0, guards.ErrFault}, // the engine would die
		{"a high word that int32 would cut off", guards.Return, inputs{[]int64{1<<32 + 7, 1}}, 0, guards.ErrFault},
		{"NaN", guards.Return, inputs{[]float32{1, nan}}, 0, guards.ErrQuality},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := guardtest.Record(t)
			r.SetPolicy(c.policy)
			vocab, err := guards.NewVocab(100, guards.LogitsWidth(100))
			if err != nil {
				t.Fatal(err)
			}
			passed := 0
			var found error
			for _, err := range gomlxguard.Dataset(c.values, guards.DecodeSite("inputs", vocab)).Iter() {
				if err != nil {
					found = err
					continue
				}
				passed++
			}
			same(t, "batches", passed, c.passed)
			if (c.target == nil) != (found == nil) || (c.target != nil && !errors.Is(found, c.target)) {
				t.Errorf("the error is %v", found)
			}
		})
	}
}

// TestTrainStep: a loop of one's own has the same ledger and the same NaN.
func TestTrainStep(t *testing.T) {
	r := newRig(t, gomlxguard.Watch(sgd(0.1)), nil)
	var err error
	for batch := range (batches{plain[0], plain[1], {nan, 1, 1, 1}}).Iter() {
		if _, err = r.guard.TrainStep(batch); err != nil {
			break
		}
	}
	var finding *guards.Finding
	if !errors.As(err, &finding) || finding.Grade != "nonfinite-loss" || finding.Step != 3 {
		t.Fatalf("the error is %v", err)
	}
	got, _ := r.ledger(t)
	same(t, "attempted", got.Attempted, int64(3))
}
