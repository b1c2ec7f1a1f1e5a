// Package listed has a row for each of its sites.
package listed

import (
	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/trainvet/trainvet/guards"
)

func device() []int

func exempt(t api.Tokenizer) string {
	return t.Decode(device())
}

func guarded(t api.Tokenizer, site *guards.Site) (string, error) {
	ids := device()
	if err := guards.CheckTokenIDs(site, ids); err != nil {
		return "", err
	}
	return t.Decode(ids), nil
}

// late is reported by its own rule, and not again by the ledger.
func late(t api.Tokenizer, site *guards.Site) (string, error) {
	ids := device()
	text := t.Decode(ids)
	if err := guards.CheckTokenIDs(site, ids); err != nil {
		return "", err
	}
	return text, nil
}
