// Package written has guards that are written out, or found by what they do.
package written

import (
	"errors"
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/daulet/tokenizers"
	"github.com/gomlx/go-huggingface/tokenizers/api"
)

type Eval struct {
	tok  api.Tokenizer
	fast *tokenizers.Tokenizer
	n    int
}

func fromDevice() []int

func fromDevice32() []uint32

var errRange = errors.New("id out of range")

func (e *Eval) loop() (string, error) {
	ids := fromDevice()
	for _, id := range ids {
		if id < 0 || id >= e.n {
			return "", fmt.Errorf("id %d: %w", id, errRange)
		}
	}
	return e.tok.Decode(ids), nil // want "decode guarded, unknown: checked by a comparison"
}

func (e *Eval) upperOnly() (string, error) {
	ids := fromDevice()
	for _, id := range ids {
		if id >= e.n {
			return "", errRange
		}
	}
	return e.tok.Decode(ids), nil // want "decode unguarded, unknown: the check before it lets negative ids through"
}

func (e *Eval) lowerOnly() (string, error) {
	ids := fromDevice()
	for _, id := range ids {
		if id < 0 {
			return "", errRange
		}
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

func (e *Eval) twoIfs() (string, error) {
	ids := fromDevice()
	for i := range ids {
		if ids[i] < 0 {
			return "", errRange
		}
		if ids[i] >= e.n {
			return "", errRange
		}
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *Eval) counted() (string, error) {
	ids := fromDevice()
	for i := 0; i < len(ids); i++ {
		if uint(ids[i]) >= uint(e.n) { // a negative id is a huge one
			return "", errRange
		}
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *Eval) good() (string, error) {
	ids := fromDevice()
	for _, id := range ids {
		if id >= 0 && id < e.n {
			continue
		}
		return "", errRange
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *Eval) named() (string, error) {
	ids := fromDevice()
	for _, id := range ids {
		ok := id >= 0 && id < e.n
		if !ok {
			return "", errRange
		}
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

// The loop goes on past a bad id.
func (e *Eval) onlyCounts() string {
	ids, bad := fromDevice(), 0
	for _, id := range ids {
		if id < 0 || id >= e.n {
			bad++
		}
	}
	log.Print(bad)
	return e.tok.Decode(ids) // want "decode unguarded"
}

// The loop ends at the first good one.
func (e *Eval) breaks() (string, error) {
	ids := fromDevice()
	for _, id := range ids {
		if id < 0 || id >= e.n {
			return "", errRange
		}
		break
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

// The first id is never looked at.
func (e *Eval) fromOne() (string, error) {
	ids := fromDevice()
	for i := 1; i < len(ids); i++ {
		if ids[i] < 0 || ids[i] >= e.n {
			return "", errRange
		}
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

func (e *Eval) unsigned() (string, error) {
	ids := fromDevice32()
	for _, id := range ids {
		if id >= uint32(e.n) {
			return "", errRange
		}
	}
	return e.fast.Decode(ids, true), nil // want "decode guarded"
}

func (e *Eval) extremes() (string, error) {
	ids := fromDevice()
	if len(ids) == 0 {
		return "", nil
	}
	if slices.Min(ids) < 0 || slices.Max(ids) >= e.n {
		return "", errRange
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *Eval) contains() (string, error) {
	ids := fromDevice()
	if slices.ContainsFunc(ids, func(id int) bool { return id < 0 || id >= e.n }) {
		return "", errRange
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *Eval) index() (string, error) {
	ids := fromDevice()
	if i := slices.IndexFunc(ids, e.bad); i >= 0 {
		return "", fmt.Errorf("id %d: %w", ids[i], errRange)
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *Eval) bad(id int) bool { return id < 0 || id >= e.n }

// check is a guard by what it does.
func check(ids []int, n int) error {
	for i, id := range ids {
		if id < 0 || id >= n {
			return fmt.Errorf("id %d at %d", id, i)
		}
	}
	return nil
}

func (e *Eval) byFunction() (string, error) {
	ids := fromDevice()
	if err := check(ids, e.n); err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode guarded, unknown: checked by check; Eval.byFunction: returned"
}

// checkSome lets a caller switch it off.
func checkSome(ids []int, n int, strict bool) error {
	if !strict {
		return nil
	}
	return check(ids, n)
}

func (e *Eval) switchedOff() (string, error) {
	ids := fromDevice()
	if err := checkSome(ids, e.n, false); err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

// checkAll hands on to another, through an error of its own.
func checkAll(ids []int, n int) error {
	if len(ids) == 0 {
		return nil
	}
	if err := check(ids, n); err != nil {
		return fmt.Errorf("device: %w", err)
	}
	return nil
}

func (e *Eval) byWrapped() (string, error) {
	ids := fromDevice()
	if err := checkAll(ids, e.n); err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

func valid(id, n int) bool { return id >= 0 && id < n }

func (e *Eval) byPredicate() (string, error) {
	ids := fromDevice()
	for _, id := range ids {
		if !valid(id, e.n) {
			return "", errRange
		}
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func allValid(ids []int, n int) bool {
	for _, id := range ids {
		if id < 0 || id >= n {
			return false
		}
	}
	return true
}

func (e *Eval) byPredicateOfAll() (string, error) {
	ids := fromDevice()
	if !allValid(ids, e.n) {
		return "", errRange
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func mustBeValid(ids []int, n int) {
	for _, id := range ids {
		if id < 0 || id >= n {
			fmt.Fprintln(os.Stderr, "impossible id")
			os.Exit(3)
		}
	}
}

func (e *Eval) byExit() string {
	ids := fromDevice()
	mustBeValid(ids, e.n)
	return e.tok.Decode(ids) // want "decode guarded"
}

// Sorting compares too.
func (e *Eval) sorts() string {
	ids := fromDevice()
	for i := range ids {
		for j := 0; j < i; j++ {
			if ids[j] > ids[i] {
				ids[i], ids[j] = ids[j], ids[i]
			}
		}
	}
	return e.tok.Decode(ids) // want "decode unguarded, unknown: nothing holds"
}

// A count of ids is no bound of ids.
func (e *Eval) length() (string, error) {
	ids := fromDevice()
	if len(ids) > e.n {
		return "", errors.New("too long")
	}
	return e.tok.Decode(ids), nil // want "decode unguarded, unknown: nothing holds"
}

func (e *Eval) closure() (string, error) {
	check := func(ids []int) error {
		for _, id := range ids {
			if id < 0 || id >= e.n {
				return errRange
			}
		}
		return nil
	}
	ids := fromDevice()
	if err := check(ids); err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

// A loop over the number of ids, which has its condition at its end.
func (e *Eval) byNumber() (string, error) {
	ids := fromDevice()
	for i := range len(ids) {
		if ids[i] < 0 || ids[i] >= e.n {
			return "", errRange
		}
	}
	return e.tok.Decode(ids), nil // want "decode guarded, unknown: checked by a comparison"
}

func (e *Eval) byNumberInPart() (string, error) {
	ids := fromDevice()
	for i := range len(ids) {
		if i == e.n {
			break
		}
		if ids[i] < 0 || ids[i] >= e.n {
			return "", errRange
		}
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

func (e *Eval) byAnotherNumber() (string, error) {
	ids, others := fromDevice(), fromDevice()
	for i := range len(others) {
		if ids[i] < 0 || ids[i] >= e.n {
			return "", errRange
		}
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}

type word interface {
	~int32 | ~int64 | ~int
}

func checkAny[T word](ids []T, n int) error {
	for _, id := range ids {
		if id < 0 || int(id) >= n {
			return errRange
		}
	}
	return nil
}

// A narrowing is none that a type parameter hides.
func checkNarrowed[T word](ids []T, n int32) error {
	for _, id := range ids {
		if id < 0 || int32(id) >= n {
			return errRange
		}
	}
	return nil
}

func (e *Eval) generic() (string, error) {
	ids := fromDevice()
	if err := checkAny(ids, e.n); err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode guarded, unknown: checked by checkAny"
}

func (e *Eval) genericNarrowed() (string, error) {
	ids := fromDevice()
	if err := checkNarrowed(ids, int32(e.n)); err != nil {
		return "", err
	}
	return e.tok.Decode(ids), nil // want "decode unguarded"
}
