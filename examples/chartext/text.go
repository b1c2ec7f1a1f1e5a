package main

import (
	_ "embed"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
)

// The nursery rhyme is of 1755 and in the public domain.
//
//go:embed jack.txt
var jack string

// alphabet is a tokenizer of characters. It says nothing about an id that it
// does not know, as many do.
type alphabet struct {
	chars []rune
	ids   map[rune]int32
}

func newAlphabet(text string) *alphabet {
	a := &alphabet{ids: map[rune]int32{}}
	chars := slices.Compact(slices.Sorted(slices.Values([]rune(text))))
	for i, c := range chars {
		a.ids[c] = int32(i)
	}
	a.chars = chars
	return a
}

// Encode gives the ids of a text.
func (a *alphabet) Encode(text string) []int32 {
	var ids []int32
	for _, c := range text {
		ids = append(ids, a.ids[c])
	}
	return ids
}

// Decode gives the text of ids, and drops those that stand for no character.
func (a *alphabet) Decode(ids []int32) string {
	var text []rune
	for _, id := range ids {
		if int(id) >= 0 && int(id) < len(a.chars) {
			text = append(text, a.chars[id])
		}
	}
	return string(text)
}

// windows is a dataset of windows of a text, each with the same one a character
// further on as its label.
type windows struct {
	name  string
	ids   []int32
	batch int
	order *order // nil: each place once, in order
}

// order is where the windows of each step lie: as the seed and the step say,
// whatever was drawn before.
type order struct {
	seed int64
	step int
}

func (o *order) next() *rand.Rand {
	o.step++
	return rand.New(rand.NewPCG(uint64(o.seed), uint64(o.step)))
}

// Name is what GoMLX prints.
func (w *windows) Name() string { return w.name }

// Iter yields batches: without end where places are random.
func (w *windows) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		places := len(w.ids) - window
		if places < 1 {
			yield(train.Batch{}, fmt.Errorf("dataset %s: %d characters are no window of %d", w.name, len(w.ids), window))
			return
		}
		for i := 0; w.order != nil || (i+1)*w.batch*stride <= places; i++ {
			var random *rand.Rand
			if w.order != nil {
				random = w.order.next()
			}
			in, out := make([][]int32, w.batch), make([][]int32, w.batch)
			for b := range w.batch {
				at := (i*w.batch + b) * stride
				if random != nil {
					at = random.IntN(places)
				}
				in[b], out[b] = slices.Clone(w.ids[at:at+window]), w.ids[at+1:at+window+1]
			}
			if !yield(train.Batch{Inputs: []*tensors.Tensor{tensors.FromValue(in)}, Labels: []*tensors.Tensor{tensors.FromValue(labels(out))}}, nil) {
				return
			}
		}
	}
}

// labels gives each label an axis of its own, as the loss wants them.
func labels(rows [][]int32) [][][]int32 {
	out := make([][][]int32, len(rows))
	for i, row := range rows {
		for _, id := range row {
			out[i] = append(out[i], []int32{id})
		}
	}
	return out
}
