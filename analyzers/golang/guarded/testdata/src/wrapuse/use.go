// Package wrapuse calls across packages.
package wrapuse

import (
	"errors"

	"github.com/gomlx/go-huggingface/tokenizers/api"

	"wrap"
)

func fromDevice() []int

func bare(t api.Tokenizer) string {
	return wrap.Text(t, fromDevice()) // want "decode unguarded, unknown: nothing holds"
}

func checked(t api.Tokenizer) (string, error) {
	ids := fromDevice()
	if err := wrap.Check(ids, 10); err != nil {
		return "", err
	}
	return wrap.Text(t, ids), nil // want "decode guarded, unknown: checked by wrap.Check"
}

func rows(t api.Tokenizer) []string {
	return wrap.Texts(t, [][]int{fromDevice()}) // want "decode unguarded"
}

func safe(t api.Tokenizer) (string, error) {
	return wrap.Safe(t, fromDevice(), 10) // it checks for itself: no site
}

func own(t *wrap.Tokenizer) string {
	return t.Decode(fromDevice()) // want "decode unguarded"
}

func escapes() func(api.Tokenizer, []int) string {
	return wrap.Text // want "decode unguarded, unknown: passed on as a value"
}

func device32() []uint32

func converts(t api.Tokenizer) (string, error) {
	ids := device32()
	for _, id := range ids {
		if id >= 1000 {
			return "", errors.New("impossible id")
		}
	}
	return t.Decode(wrap.Ints(ids)), nil // want "decode guarded"
}
