// Package gives has helpers that check ids and give them back.
package gives

import (
	"errors"
	"fmt"

	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/trainvet/trainvet/guards"

	"wrap"
)

type Eval struct {
	tok  api.Tokenizer
	site *guards.Site
}

var errID = errors.New("impossible id")

func fromDevice() []int

func checked(ids []int, n int) ([]int, error) {
	for i, id := range ids {
		if id < 0 || id >= n {
			return nil, fmt.Errorf("%w: %d at %d", errID, id, i)
		}
	}
	return ids, nil
}

func (e *Eval) here() (string, error) {
	ids, err := checked(fromDevice(), 10)
	if err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode guarded, unknown: checked by checked; Eval.here: returned"
}

// next takes no ids and gives some.
func (e *Eval) next() ([]int, error) {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return nil, err
	}
	return ids, nil
}

func (e *Eval) generated() (string, error) {
	ids, err := e.next()
	if err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *Eval) elsewhere() (string, error) {
	ids, err := wrap.Checked(fromDevice(), 10)
	if err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode guarded, unknown: checked by wrap.Checked"
}

func must(ids []int, n int) []int {
	for _, id := range ids {
		if id < 0 || id >= n {
			panic(errID)
		}
	}
	return ids
}

func (e *Eval) must() string { return e.tok.Decode(must(fromDevice(), 10)) } // want "decode guarded"

// Nobody looks at the error.
func (e *Eval) dropped() string {
	ids, _ := checked(fromDevice(), 10)
	return e.tok.Decode(ids) // want "decode unguarded"
}

func (e *Eval) logged() string {
	ids, err := checked(fromDevice(), 10)
	if err != nil {
		fmt.Println(err)
	}
	return e.tok.Decode(ids) // want "decode unguarded"
}

// It checks one list and gives back another.
func other(ids, more []int, n int) ([]int, error) {
	if _, err := checked(ids, n); err != nil {
		return nil, err
	}
	return more, nil
}

func (e *Eval) other() (string, error) {
	ids, err := other(fromDevice(), fromDevice(), 10)
	if err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

// One way out is not checked.
func partly(ids []int, n int, trust bool) ([]int, error) {
	if trust {
		return ids, nil
	}
	return checked(ids, n)
}

func (e *Eval) partly(trust bool) (string, error) {
	ids, err := partly(fromDevice(), 10, trust)
	if err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

// What is dropped in silence is no check.
func kept(ids []int, n int) []int {
	var out []int
	for _, id := range ids {
		if id >= 0 && id < n {
			out = append(out, id)
		}
	}
	return out
}

func (e *Eval) kept() string { return e.tok.Decode(kept(fromDevice(), 10)) } // want "decode unguarded"

// Passed on by a function that checks nothing itself.
func through(ids []int, n int) ([]int, error) { return checked(ids, n) }

func (e *Eval) through() (string, error) {
	ids, err := through(fromDevice(), 10)
	if err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

// The bound refuses everything: no check.
func (e *Eval) zero() (string, error) {
	ids, err := checked(fromDevice(), 0)
	if err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}
