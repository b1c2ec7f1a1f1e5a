package a

import (
	"errors"

	"github.com/daulet/tokenizers"
	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/hybridgroup/yzma/pkg/llama"
	"github.com/trainvet/trainvet/guards"
)

func device64() []int64

func device() []int

func launders(t *tokenizers.Tokenizer, site *guards.Site) (string, error) {
	var ids []uint32
	for _, id := range device64() {
		ids = append(ids, uint32(id))
	}
	if err := guards.CheckTokenIDs(site, ids); err != nil {
		return "", err
	}
	return t.Decode(ids, true), nil // want "its ids are narrowed from int64 to uint32 before anything checks them"
}

func one(v llama.Vocab, site *guards.Site) (int32, error) {
	id := llama.Token(device64()[0])
	if err := guards.CheckTokenID(site, id); err != nil {
		return 0, err
	}
	return llama.TokenToPiece(v, id, nil, 0, true), nil // want "narrowed from int64 to llama.Token"
}

func byHand(t *tokenizers.Tokenizer) (string, error) {
	var ids []uint32
	for _, id := range device64() {
		small := uint32(id)
		if small >= t.VocabSize() {
			return "", errors.New("impossible id")
		}
		ids = append(ids, small)
	}
	return t.Decode(ids, true), nil // want "narrowed from int64 to uint32"
}

// The wide ids are checked, then narrowed.
func checkedFirst(t *tokenizers.Tokenizer, site *guards.Site) (string, error) {
	wide := device64()
	if err := guards.CheckTokenIDs(site, wide); err != nil {
		return "", err
	}
	ids := make([]uint32, len(wide))
	for i, id := range wide {
		ids[i] = uint32(id)
	}
	return t.Decode(ids, true), nil
}

// Checked twice is no flaw.
func twice(t *tokenizers.Tokenizer, site *guards.Site) (string, error) {
	wide := device64()
	if err := guards.CheckTokenIDs(site, wide); err != nil {
		return "", err
	}
	ids := make([]uint32, len(wide))
	for i, id := range wide {
		ids[i] = uint32(id)
	}
	if err := guards.CheckTokenIDs(site, ids); err != nil {
		return "", err
	}
	return t.Decode(ids, true), nil
}

// int and int64 are of one width, and a change of sign is seen by the guard.
func sameWidth(t api.Tokenizer, site *guards.Site) (string, error) {
	var ids []int
	for _, id := range device64() {
		ids = append(ids, int(id))
	}
	if err := guards.CheckTokenIDs(site, ids); err != nil {
		return "", err
	}
	return t.Decode(ids), nil
}

// The counter of a loop is the host's own number.
func counter(v llama.Vocab, site *guards.Site) error {
	for i := range 100 {
		if err := guards.CheckTokenID(site, llama.Token(i)); err != nil {
			return err
		}
		llama.TokenToPiece(v, llama.Token(i), nil, 0, true)
	}
	return nil
}

// Without a guard there is nothing that the narrowing could blind; the ledger
// says that the decode is unguarded.
func bare(t *tokenizers.Tokenizer) string {
	var ids []uint32
	for _, id := range device() {
		ids = append(ids, uint32(id))
	}
	return t.Decode(ids, true)
}
