// Package gated stands beside a ledger that has no row.
package gated

import (
	"log"

	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/sugarme/gotch/nn"
	"github.com/trainvet/trainvet/guards"
)

func device() []int

type scaled interface {
	//trainvet:step
	Apply() (applied bool, err error)
}

func new(t api.Tokenizer) string {
	return t.Decode(device()) // want "nothing holds its ids against the vocabulary"
}

func guarded(t api.Tokenizer, site *guards.Site) (string, error) {
	ids := device()
	if err := guards.CheckTokenIDs(site, ids); err != nil {
		return "", err
	}
	return t.Decode(ids), nil // want "ledger"
}

func steps(s scaled) {
	_, err := s.Apply() // want "its flag is dropped"
	log.Print(err)
}

func counted(opt *nn.Optimizer) { opt.MustStep() } // want "ledger"

func exempt(t api.Tokenizer) string {
	return t.Decode(device()) //trainvet:ignore TV101 the ids of this tool are typed in by hand, no device is near
}
