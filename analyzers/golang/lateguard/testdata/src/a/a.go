package a

import (
	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/trainvet/trainvet/guards"
)

func device() []int

func late(t api.Tokenizer, site *guards.Site) (string, error) {
	ids := device()
	text := t.Decode(ids) // want "guards.CheckTokenIDs comes after the decode: the text was made of unchecked ids"
	if err := guards.CheckTokenIDs(site, ids); err != nil {
		return "", err
	}
	return text, nil
}

func branch(t api.Tokenizer, site *guards.Site, on bool) (string, error) {
	ids := device()
	if on {
		if err := guards.CheckTokenIDs(site, ids); err != nil {
			return "", err
		}
	}
	return t.Decode(ids), nil // want "guards.CheckTokenIDs is not on every path to the decode"
}

func other(t api.Tokenizer, site *guards.Site) (string, error) {
	prompt, answer := device(), device()
	if err := guards.CheckTokenIDs(site, prompt); err != nil {
		return "", err
	}
	return t.Decode(answer), nil // want "guards.CheckTokenIDs checks another value"
}

// Fetched anew between the two.
func anew(t api.Tokenizer, site *guards.Site) (string, error) {
	ids := device()
	if err := guards.CheckTokenIDs(site, ids); err != nil {
		return "", err
	}
	ids = device()
	return t.Decode(ids), nil // want "guards.CheckTokenIDs checks another value"
}

// The guard of each arm stands in it.
func arms(t api.Tokenizer, site *guards.Site, on bool) (string, error) {
	ids := device()
	if on {
		if err := guards.CheckTokenIDs(site, ids); err != nil {
			return "", err
		}
		return t.Decode(ids), nil
	}
	return "", nil
}

// A guard that does its work for one decode is not blamed for another, which
// is plainly unguarded.
func two(t api.Tokenizer, site *guards.Site) (string, error) {
	a, b := device(), device()
	if err := guards.CheckTokenIDs(site, a); err != nil {
		return "", err
	}
	return t.Decode(a) + t.Decode(b), nil
}

// An answer that is thrown away is the finding of another rule.
func dropped(t api.Tokenizer, site *guards.Site) string {
	ids := device()
	_ = guards.CheckTokenIDs(site, ids)
	return t.Decode(ids)
}

// What has no guard at all is for the ledger.
func none(t api.Tokenizer) string { return t.Decode(device()) }
