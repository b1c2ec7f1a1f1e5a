// Package plain has no ledger: its sites are an inventory.
package plain

import "github.com/gomlx/go-huggingface/tokenizers/api"

func device() []int

func bare(t api.Tokenizer) string { return t.Decode(device()) }
