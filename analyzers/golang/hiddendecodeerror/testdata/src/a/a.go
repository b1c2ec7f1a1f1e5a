package a

import (
	"errors"

	"github.com/daulet/tokenizers"
	"github.com/gomlx/go-huggingface/tokenizers/api"
)

func plain(t *tokenizers.Tokenizer, ids []uint32) string {
	return t.Decode(ids, true) // want "Decode answers a failure with an empty text, which scores as a wrong answer; DecodeErr returns the error"
}

func fixed(t *tokenizers.Tokenizer, ids []uint32) (int, error) {
	text := t.Decode(ids, true) // want "DecodeErr returns the error"
	return len(text), nil
}

func fixedReturn(t *tokenizers.Tokenizer, ids []uint32) (string, error) {
	return t.Decode(ids, true), nil // want "DecodeErr returns the error"
}

// A later err of its own in the same block: no fix that would not compile.
func taken(t *tokenizers.Tokenizer, ids []uint32) (string, error) {
	text := t.Decode(ids, true) // want "DecodeErr returns the error"
	err := errors.New("x")
	return text, err
}

// Who looks for an empty text knows what it means.
func looks(t *tokenizers.Tokenizer, ids []uint32) (string, error) {
	text := t.Decode(ids, true)
	if text == "" && len(ids) > 0 {
		return "", errors.New("decoding failed")
	}
	return text, nil
}

func looksByLength(t *tokenizers.Tokenizer, ids []uint32) (string, error) {
	text := t.Decode(ids, true)
	if len(text) == 0 {
		return "", errors.New("decoding failed")
	}
	return text, nil
}

func right(t *tokenizers.Tokenizer, ids []uint32) (string, error) { return t.DecodeErr(ids, true) }

// Others have no such variant.
func others(t api.Tokenizer, ids []int) string { return t.Decode(ids) }
