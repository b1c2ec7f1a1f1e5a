// Package callers has helpers that leave the check to their callers.
package callers

import (
	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/trainvet/trainvet/guards"
)

type Eval struct {
	tok  api.Tokenizer
	site *guards.Site
}

func fromDevice() []int

// Every caller of text checks.
func (e *Eval) text(ids []int) string {
	return e.tok.Decode(ids) // want "decode guarded, unknown: every call of text passes ids that are fine: checked by guards.CheckTokenIDs"
}

func (e *Eval) one() (string, error) {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return "", err
	}
	return e.text(ids), nil
}

func (e *Eval) two() string { return e.text(e.tok.Encode("prompt")) }

// One of two callers of show does not.
func (e *Eval) show(ids []int) string {
	return e.tok.Decode(ids) // want "decode unguarded, unknown: .*the argument of show, and not every call of that checks them"
}

func (e *Eval) three() (string, error) {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return "", err
	}
	return e.show(ids), nil
}

func (e *Eval) four() string { return e.show(fromDevice()) }

// A helper may check for itself.
func (e *Eval) own(ids []int) (string, error) {
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode guarded, unknown: checked by guards.CheckTokenIDs; Eval.own: returned; Eval.five: returned; Eval.six: looked at, and the run goes on as if nothing had happened LOST"
}

func (e *Eval) five() (string, error) { return e.own(fromDevice()) }

func (e *Eval) six() string {
	text, err := e.five()
	if err != nil {
		return ""
	}
	return text
}

// What nobody calls is nobody else's to check.
func (e *Eval) unused(ids []int) string {
	return e.tok.Decode(ids) // want "decode unguarded"
}

type answer struct {
	text string
	ids  []int
}

func (e *Eval) answer(a answer) string {
	return e.tok.Decode(a.ids) // want "decode guarded, unknown: every call of answer"
}

func (e *Eval) seven() (string, error) {
	a := answer{ids: fromDevice()}
	if err := guards.CheckTokenIDs(e.site, a.ids); err != nil {
		return "", err
	}
	return e.answer(a), nil
}

// The field of each is checked by the caller, in a loop of its own.
func (e *Eval) texts(list []answer) []string {
	var out []string
	for _, a := range list {
		out = append(out, e.tok.Decode(a.ids)) // want "decode guarded, unknown: every call of texts"
	}
	return out
}

func answers() []answer

func (e *Eval) eight() ([]string, error) {
	list := answers()
	for _, a := range list {
		if err := guards.CheckTokenIDs(e.site, a.ids); err != nil {
			return nil, err
		}
	}
	return e.texts(list), nil
}
