// Package direct has guards that are called beside the decode.
package direct

import (
	"errors"
	"fmt"
	"log"

	"github.com/gomlx/go-huggingface/tokenizers/api"
	"github.com/trainvet/trainvet/guards"
)

type Eval struct {
	tok  api.Tokenizer
	site *guards.Site
}

func (e *Eval) bare(ids []int) (string, error) {
	out := sample()
	return e.tok.Decode(out), nil // want "decode unguarded, generated: nothing holds its ids"
}

func sample() []int { return fromDevice() }

func fromDevice() []int

func (e *Eval) checked() (string, error) {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return "", fmt.Errorf("checking: %w", err)
	}
	return e.tok.Decode(ids), nil // want "decode guarded, unknown: checked by guards.CheckTokenIDs; Eval.checked: returned"
}

// The error is nil where the decode is, whichever arm that is.
func (e *Eval) inverted() string {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err == nil {
		return e.tok.Decode(ids) // want "decode guarded"
	}
	return ""
}

func (e *Eval) assigned() (text string, err error) {
	ids := fromDevice()
	err = guards.CheckTokenIDs(e.site, ids)
	if err != nil {
		return "", err
	}
	text = e.tok.Decode(ids) // want "decode guarded"
	return text, nil
}

func (e *Eval) fatal() string {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		log.Fatal(err)
	}
	return e.tok.Decode(ids) // want "decode guarded.*ends the process"
}

func (e *Eval) panics() string {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		panic(err)
	}
	return e.tok.Decode(ids) // want "decode guarded.*panics"
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (e *Eval) must() string {
	ids := fromDevice()
	must(guards.CheckTokenIDs(e.site, ids))
	return e.tok.Decode(ids) // want "decode guarded"
}

// A quality finding is let through on purpose; the fault is not.
func (e *Eval) faultsOnly() (string, error) {
	ids := fromDevice()
	err := guards.CheckTokenIDs(e.site, ids)
	if errors.Is(err, guards.ErrFault) {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *Eval) faultsByType() (string, error) {
	ids := fromDevice()
	err := guards.CheckTokenIDs(e.site, ids)
	var f *guards.Fault
	if errors.As(err, &f) {
		return "", f
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *Eval) logged() string {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		log.Print(err) // and on
	}
	return e.tok.Decode(ids) // want "decode unguarded, unknown: guards.CheckTokenIDs is not on every path"
}

func (e *Eval) dropped() string {
	ids := fromDevice()
	_ = guards.CheckTokenIDs(e.site, ids)
	return e.tok.Decode(ids) // want "decode unguarded"
}

func (e *Eval) someOnly(strict bool) (string, error) {
	ids := fromDevice()
	if strict {
		if err := guards.CheckTokenIDs(e.site, ids); err != nil {
			return "", err
		}
	}
	return e.tok.Decode(ids), nil // want "decode unguarded, unknown: guards.CheckTokenIDs is not on every path"
}

func (e *Eval) late() (string, error) {
	ids := fromDevice()
	text := e.tok.Decode(ids) // want "decode unguarded, unknown: guards.CheckTokenIDs comes after the decode"
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return "", err
	}
	return text, nil
}

func (e *Eval) other() (string, error) {
	a, b := fromDevice(), fromDevice()
	if err := guards.CheckTokenIDs(e.site, a); err != nil {
		return "", err
	}
	return e.tok.Decode(b), nil // want "decode unguarded, unknown: guards.CheckTokenIDs checks another value"
}

// Both are decoded: the second lacks a guard of its own, and the first has one.
func (e *Eval) oneOfTwo() (string, error) {
	a, b := fromDevice(), fromDevice()
	if err := guards.CheckTokenIDs(e.site, a); err != nil {
		return "", err
	}
	return e.tok.Decode(a) + // want "decode guarded"
		e.tok.Decode(b), nil // want "decode unguarded, unknown: nothing holds"
}

// Each round has ids of its own, and a guard of its own.
func (e *Eval) loop() ([]string, error) {
	var out []string
	for range 10 {
		ids := fromDevice()
		if err := guards.CheckTokenIDs(e.site, ids); err != nil {
			return nil, err
		}
		out = append(out, e.tok.Decode(ids)) // want "decode guarded"
	}
	return out, nil
}

// The guard of the first round says nothing of the second.
func (e *Eval) staleInLoop() ([]string, error) {
	var out []string
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return nil, err
	}
	for range 10 {
		out = append(out, e.tok.Decode(ids)) // want "decode unguarded"
		ids = fromDevice()
	}
	return out, nil
}

func (e *Eval) part() (string, error) {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return "", err
	}
	return e.tok.Decode(ids[1:]), nil // want "decode guarded"
}

// What was checked is less than what is decoded.
func (e *Eval) partOnly() (string, error) {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids[1:]); err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

func (e *Eval) rows(rows [][]int) ([]string, error) {
	rows = batch()
	if err := guards.CheckTokenRows(e.site, rows); err != nil {
		return nil, err
	}
	var out []string
	for _, row := range rows {
		out = append(out, e.tok.Decode(row)) // want "decode guarded"
	}
	return out, nil
}

func batch() [][]int

func (e *Eval) field(r struct{ IDs []int }) (string, error) {
	r.IDs = fromDevice()
	if err := guards.CheckTokenIDs(e.site, r.IDs); err != nil {
		return "", err
	}
	return e.tok.Decode(r.IDs), nil // want "decode guarded"
}

func (e *Eval) overwritten() (string, error) {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return "", err
	}
	ids[0] = fromDevice()[0]
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

// A constant put in place of an id was never on the device.
func (e *Eval) masked(pad int) (string, error) {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return "", err
	}
	ids[0] = 0
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *Eval) goroutine(out chan<- string) error {
	ids := fromDevice()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return err
	}
	go func() {
		out <- e.tok.Decode(ids) // want "decode guarded"
	}()
	return nil
}

func (e *Eval) goroutineBare(out chan<- string) {
	ids := fromDevice()
	go func() {
		out <- e.tok.Decode(ids) // want "decode unguarded"
	}()
}

func (e *Eval) stored() (string, error) {
	ids := fromDevice()
	var err error
	if len(ids) > 0 {
		err = guards.CheckTokenIDs(e.site, ids)
	} else {
		err = errors.New("no ids")
	}
	if err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

// Ids that text was encoded to never left the host.
func (e *Eval) prompt(text string) string {
	ids := e.tok.Encode(text)
	return e.tok.Decode(ids) // want "decode guarded, data: its ids come from encoding text"
}

func (e *Eval) special() string {
	return e.tok.Decode([]int{1, 2}) // want "decode guarded, constant"
}

// The check is not what narrows, the conversion for the tokenizer comes after.
func (e *Eval) widened(ids []int32) (string, error) {
	ids = fromDevice32()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return "", err
	}
	wide := make([]int, len(ids))
	for i, id := range ids {
		wide[i] = int(id)
	}
	return e.tok.Decode(wide), nil // want "decode guarded"
}

func fromDevice32() []int32

func toInts(ids []int32) []int {
	out := make([]int, 0, len(ids))
	for _, id := range ids {
		out = append(out, int(id))
	}
	return out
}

func (e *Eval) converted() (string, error) {
	ids := fromDevice32()
	if err := guards.CheckTokenIDs(e.site, ids); err != nil {
		return "", err
	}
	return e.tok.Decode(toInts(ids)), nil // want "decode guarded"
}

func (e *Eval) escapes() func([]int) string {
	return e.tok.Decode // want "decode unguarded, unknown: passed on as a value"
}
