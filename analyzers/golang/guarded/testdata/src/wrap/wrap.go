// Package wrap has functions that pass ids on; their callers answer for them.
package wrap

import (
	"fmt"

	"github.com/gomlx/go-huggingface/tokenizers/api"
)

// Tokenizer is a decode by its name: the call inside is its callers'.
type Tokenizer struct{ inner api.Tokenizer }

func (t *Tokenizer) Encode(text string) []int { return t.inner.Encode(text) }

func (t *Tokenizer) Decode(ids []int) string {
	return t.inner.Decode(ids)
}

// Text is one by what it does.
func Text(t api.Tokenizer, ids []int) string { // want Text:`passes`
	return t.Decode(ids)
}

// Texts passes on what another passes on.
func Texts(t api.Tokenizer, rows [][]int) []string { // want Texts:`passes`
	var out []string
	for _, row := range rows {
		out = append(out, Text(t, row))
	}
	return out
}

// Check is a guard by what it does.
func Check(ids []int, n int) error { // want Check:`checks nil:0=3`
	for _, id := range ids {
		if id < 0 || id >= n {
			return fmt.Errorf("id %d", id)
		}
	}
	return nil
}

// Safe checks for itself.
func Safe(t api.Tokenizer, ids []int, n int) (string, error) { // want Safe:`checks nil:1=3`
	if err := Check(ids, n); err != nil {
		return "", err
	}
	return t.Decode(ids), nil
}

// Ints gives back what it is given, in another type.
func Ints(ids []uint32) []int { // want Ints:`checks copies:0`
	out := make([]int, len(ids))
	for i, id := range ids {
		out[i] = int(id)
	}
	return out
}

// Clean does not.
func Clean(ids []int) []int {
	var out []int
	for i := range ids {
		out = append(out, i)
	}
	return out
}

// Checked gives the ids back when each is a word of the vocabulary.
func Checked(ids []int, size int) ([]int, error) {
	if err := Check(ids, size); err != nil {
		return nil, err
	}
	return ids, nil
}
