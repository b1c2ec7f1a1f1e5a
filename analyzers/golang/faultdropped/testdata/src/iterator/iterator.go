// Package iterator hands errors to who ranges over it.
package iterator

import (
	"iter"

	"github.com/trainvet/trainvet/guards"
)

// Who ranges over it gets the error.
func checked(batches iter.Seq2[[]int32, error]) iter.Seq2[[]int32, error] {
	return func(yield func([]int32, error) bool) {
		for ids, err := range batches {
			if err == nil {
				err = guards.CheckTokenIDs(nil, ids)
			}
			if !yield(ids, err) || err != nil {
				return
			}
		}
	}
}

// A predicate is asked, and the error goes nowhere.
func asked(batches [][]int32, transient func(error) bool) (n int) {
	for _, ids := range batches {
		if err := guards.CheckTokenIDs(nil, ids); err != nil && transient(err) { // want `does not get past`
			continue
		}
		n++
	}
	return n
}

// The error is not what it yields.
func dropped(batches [][]int32) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		for _, ids := range batches {
			if err := guards.CheckTokenIDs(nil, ids); err != nil { // want `does not get past`
				continue
			}
			if !yield(ids) {
				return
			}
		}
	}
}
