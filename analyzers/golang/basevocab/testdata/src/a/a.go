package a

import (
	"errors"

	"github.com/gomlx/go-huggingface/tokenizers/sentencepiece"
	"github.com/sugarme/tokenizer"
	"github.com/trainvet/trainvet/guards"
)

var errID = errors.New("impossible id")

func makes(t *tokenizer.Tokenizer) (*guards.Vocab, error) {
	return guards.NewVocab(t.GetVocabSize(false)) // want "GetVocabSize does not count the tokens that were added"
}

func zero(t *sentencepiece.Tokenizer) (*guards.Vocab, error) {
	n := t.VocabSize() // want "VocabSize answers 0: a guard with this bound refuses every healthy id"
	return guards.NewVocab(n)
}

func written(t *tokenizer.Tokenizer, ids []int) (string, error) {
	n := t.GetVocabSize(false) // want "GetVocabSize does not count the tokens"
	for _, id := range ids {
		if id < 0 || id >= n {
			return "", errID
		}
	}
	return t.Decode(ids, true), nil
}

func check(ids []int, n int) error {
	for _, id := range ids {
		if id < 0 || id >= n {
			return errID
		}
	}
	return nil
}

func called(t *tokenizer.Tokenizer, ids []int) error {
	return check(ids, t.GetVocabSize(false)) // want "GetVocabSize does not count the tokens"
}

func right(t *tokenizer.Tokenizer, ids []int) error {
	if _, err := guards.NewVocab(t.GetVocabSize(true)); err != nil {
		return err
	}
	return check(ids, t.GetVocabSize(true))
}

// The size of the base vocabulary has uses that bound no ids.
func uses(t *tokenizer.Tokenizer, with bool) ([]string, error) {
	n := t.GetVocabSize(false)
	out := make([]string, 0, n)
	for i := 0; i < n; i++ {
		word, _ := t.IdToToken(i)
		out = append(out, word)
	}
	if n == 0 {
		return nil, errors.New("empty")
	}
	_ = t.GetVocabSize(with) // not known here
	return out, nil
}

// A bound that is written as 0 refuses all that is right; checkAll hands its
// bound on.
func checkAll(ids []int, size int) error { return check(ids, int(int64(size))) }

const none = 0

func literal(t *tokenizer.Tokenizer, ids []int) (string, error) {
	if err := check(ids, 0); err != nil { // want "the bound is 0: a guard with this bound refuses every healthy id"
		return "", err
	}
	if err := checkAll(ids, none); err != nil { // want "the bound is 0"
		return "", err
	}
	if err := checkAll(ids, 32000); err != nil {
		return "", err
	}
	return t.Decode(ids, true), nil
}

// atLeast takes a number that is no upper bound: 0 is a good one.
func atLeast(ids []int, low, n int) error {
	for _, id := range ids {
		if id < low || id >= n {
			return errID
		}
	}
	return nil
}

func lower(t *tokenizer.Tokenizer, ids []int) (string, error) {
	if err := atLeast(ids, 0, 32000); err != nil {
		return "", err
	}
	return t.Decode(ids, true), nil
}

// inside and outside answer for one id.
func inside(id, low, size int) bool {
	if id < low {
		return false
	}
	return id < size
}

func outside(id, size int) bool { return id < 0 || id >= size }

func predicates(t *tokenizer.Tokenizer, ids []int) (string, error) {
	for _, id := range ids {
		if !inside(id, 0, 32000) || outside(id, 32000) {
			return "", errID
		}
		if !inside(id, 0, 0) { // want "the bound is 0"
			return "", errID
		}
		if outside(id, 0) { // want "the bound is 0"
			return "", errID
		}
	}
	return t.Decode(ids, true), nil
}
