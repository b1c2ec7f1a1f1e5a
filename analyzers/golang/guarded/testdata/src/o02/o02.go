// Package o02 is a Go evaluation that turns ids into text by a lookup which
// answers "" for an unknown id: a fault scores as a bad model.
package o02

import (
	"fmt"
	"strings"

	"github.com/trainvet/trainvet/guards"
)

// Vocab answers "" for what it does not know.
type Vocab map[int32]string

func (v Vocab) Decode(ids []int32) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(v[id]) // want "moved to the callers of Decode"
	}
	return b.String()
}

func evaluate(v Vocab, outputs <-chan []int32, want []string) float64 {
	right, n := 0, 0
	for ids := range outputs {
		if v.Decode(ids) == want[n] { // want "decode unguarded"
			right++
		}
		n++
	}
	return float64(right) / float64(n)
}

// The twin: guarded, with the error out of the loop.
func evaluateGuarded(v Vocab, site *guards.Site, outputs <-chan []int32, want []string) (float64, error) {
	right, n := 0, 0
	for ids := range outputs {
		if err := guards.CheckTokenIDs(site, ids); err != nil {
			return 0, fmt.Errorf("item %d: %w", n, err)
		}
		if v.Decode(ids) == want[n] { // want "decode guarded"
			right++
		}
		n++
	}
	return float64(right) / float64(n), nil
}

// Written out, the lookup itself is the site.
func inline(vocab map[int32]string, outputs <-chan []int32) string {
	var b strings.Builder
	for ids := range outputs {
		for _, id := range ids {
			b.WriteString(vocab[id]) // want "decode unguarded"
		}
	}
	return b.String()
}

func text(vocab map[int32]string, ids []int32) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(vocab[id]) // want "decode guarded, unknown: every call of text"
	}
	return b.String()
}

func inlineGuarded(vocab map[int32]string, site *guards.Site, outputs <-chan []int32) (string, error) {
	var b strings.Builder
	for ids := range outputs {
		if err := guards.CheckTokenIDs(site, ids); err != nil {
			return "", err
		}
		b.WriteString(text(vocab, ids))
		for _, id := range ids {
			b.WriteString(vocab[id]) // want "decode guarded"
		}
	}
	return b.String(), nil
}

// A lookup that asks is not quiet, a constant is no id from a device, and other
// numbers have names too.
func asks(vocab map[int32]string, months, idToken map[int]string, ids []int32) (string, error) {
	for _, id := range ids {
		word, ok := vocab[id]
		if !ok {
			return "", fmt.Errorf("id %d", id)
		}
		if _, known := vocab[id+1]; known {
			idToken[int(id)] = word
		}
	}
	return vocab[0] + months[len(ids)], nil
}
