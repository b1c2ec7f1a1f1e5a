package main

import (
	"fmt"
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/trainvet/trainvet/guards"
)

// The evaluation by writing on: from each prompt so many characters.
const (
	prompts   = 8
	writtenOn = 16
)

// write lets the model go on with prompts from the text that it has not seen,
// and holds what it writes against what stands there.
func (t *trainer) write(text []int32) error {
	rate := guards.NewMetric("eval_cer", "val").Expect(prompts)
	rows, wanted := make([][]int32, prompts), make([][]int32, prompts)
	for i := range rows {
		at := i * (len(text) - window - writtenOn) / prompts
		rows[i] = append(rows[i], text[at:at+window]...)
		wanted[i] = text[at+window : at+window+writtenOn]
	}
	written, err := t.generate(rows)
	if err != nil {
		return err
	}
	t.fault.written(written)
	wrong, of := 0, 0
	for i, ids := range written {
		w, err := t.score(ids, wanted[i])
		if err != nil {
			return fmt.Errorf("scoring what was written on prompt %d: %w", i, err)
		}
		wrong, of = wrong+w, of+writtenOn
	}
	cer := float64(wrong) / float64(of)
	fmt.Printf("eval_cer %.4f\n", cer)
	return rate.Report(cer, int64(len(written)))
}

// generate writes on, character by character, always the likeliest. The logits
// are looked at: the likeliest of NaN is a legal id.
func (t *trainer) generate(rows [][]int32) ([][]int32, error) {
	next, err := model.NewExec(t.backend, t.store, func(scope *model.Scope, ids *graph.Node) (*graph.Node, *graph.Node) {
		logits := t.model.graph(scope, ids)
		last := graph.Squeeze(graph.Slice(logits, graph.AxisRange(), graph.AxisElem(window-1), graph.AxisRange()), 1)
		return graph.ArgMax(last, -1), last
	})
	if err != nil {
		return nil, err
	}
	defer next.Finalize()
	logits := guards.WatchFinite(guards.Output)
	seen, written := clone(rows), make([][]int32, len(rows))
	for range writtenOn {
		out, err := next.Exec(tensors.FromValue(seen))
		if err != nil {
			return nil, fmt.Errorf("writing on: %w", err)
		}
		if err := guards.CheckFinite(logits, "logits", tensors.MustCopyFlatData[float32](out[1])); err != nil {
			return nil, fmt.Errorf("writing on: %w", err)
		}
		for i, id := range tensors.MustCopyFlatData[int32](out[0]) {
			written[i] = append(written[i], id)
			seen[i] = append(seen[i][1:], id)
		}
	}
	return written, nil
}

func clone(rows [][]int32) [][]int32 {
	out := make([][]int32, len(rows))
	for i, row := range rows {
		out[i] = append([]int32(nil), row...)
	}
	return out
}

// distance is how many characters must be written, dropped or changed to make
// one text of the other.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before := row[0]
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			above := row[j+1]
			row[j+1] = int(math.Min(float64(before+cost), float64(min(above, row[j])+1)))
			before = above
		}
	}
	return row[len(y)]
}
