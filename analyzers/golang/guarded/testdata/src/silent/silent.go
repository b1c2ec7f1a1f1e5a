// Package silent has checks that find what is no word and tell nobody, each
// beside one that does.
package silent

import (
	"errors"
	"log"

	"github.com/gomlx/go-huggingface/tokenizers/api"
)

var errRange = errors.New("no word")

type eval struct {
	tok    api.Tokenizer
	n      int
	failed int
}

func fromDevice() []int

func check(ids []int, n int) error {
	for _, id := range ids {
		if id < 0 || id >= n {
			return errRange
		}
	}
	return nil
}

func fine(ids []int, n int) bool { return check(ids, n) == nil }

// What is no word is left out, as a tokenizer would.
func (e *eval) skips() (text string) {
	for _, id := range fromDevice() {
		if id < 0 || id >= e.n {
			continue
		}
		text += e.tok.Decode([]int{id}) // want "decode unguarded, unknown: a comparison finds what is no word and tells nobody"
	}
	return text
}

func (e *eval) keeps() string {
	var keep []int
	for _, id := range fromDevice() {
		if id >= 0 && id < e.n {
			keep = append(keep, id)
		}
	}
	return e.tok.Decode(keep) // want "decode unguarded, unknown: a comparison finds"
}

func (e *eval) keepsByIndex() string {
	ids := fromDevice()
	var keep []int
	for i := 0; i < len(ids); i++ {
		if ids[i] >= 0 && ids[i] < e.n {
			keep = append(keep, ids[i])
		}
	}
	return e.tok.Decode(keep) // want "decode unguarded, unknown: a comparison finds"
}

func (e *eval) replaces() string {
	ids := fromDevice()
	for i, id := range ids {
		if id < 0 || id >= e.n {
			ids[i] = 0
		}
	}
	return e.tok.Decode(ids) // want "decode unguarded, unknown: a comparison finds"
}

func (e *eval) empty() string {
	ids := fromDevice()
	if !fine(ids, e.n) {
		return ""
	}
	return e.tok.Decode(ids) // want "decode unguarded, unknown: fine finds"
}

// The check gives an error, and the item is left out of the list.
func (e *eval) leavesOut() (texts []string) {
	for range 3 {
		ids := fromDevice()
		if err := check(ids, e.n); err != nil {
			continue
		}
		texts = append(texts, e.tok.Decode(ids)) // want "decode unguarded, unknown: check finds"
	}
	return texts
}

func (e *eval) returnsNil() (string, error) {
	ids := fromDevice()
	if err := check(ids, e.n); err != nil {
		return "", nil
	}
	return e.tok.Decode(ids), nil // want "decode unguarded, unknown: check finds"
}

// The twins: each says so to somebody.
func (e *eval) stops() (text string, err error) {
	for _, id := range fromDevice() {
		if id < 0 || id >= e.n {
			return "", errRange
		}
		text += e.tok.Decode([]int{id}) // want "decode guarded"
	}
	return text, nil
}

func (e *eval) answers() (string, bool) {
	ids := fromDevice()
	if !fine(ids, e.n) {
		return "", false
	}
	return e.tok.Decode(ids), true // want "decode guarded"
}

func (e *eval) counts() (string, error) {
	ids := fromDevice()
	bad := 0
	for i, id := range ids {
		if id < 0 || id >= e.n {
			ids[i] = 0
			bad++
		}
	}
	if bad > 0 {
		return "", errRange
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *eval) countsOnItself() (text string) {
	for _, id := range fromDevice() {
		if id < 0 || id >= e.n {
			e.failed++
			continue
		}
		text += e.tok.Decode([]int{id}) // want "decode guarded"
	}
	return text
}

func (e *eval) flags() (string, error) {
	ids := fromDevice()
	bad := false
	for _, id := range ids {
		if id < 0 || id >= e.n {
			bad = true
			break
		}
	}
	if bad {
		return "", errRange
	}
	return e.tok.Decode(ids), nil // want "decode guarded"
}

func (e *eval) says() (text string) {
	for _, id := range fromDevice() {
		if id < 0 || id >= e.n {
			log.Printf("%d is no word", id)
			continue
		}
		text += e.tok.Decode([]int{id}) // want "decode guarded"
	}
	return text
}

func (e *eval) keepsTheError() (texts []string, err error) {
	for range 3 {
		ids := fromDevice()
		if bad := check(ids, e.n); bad != nil {
			err = bad
			continue
		}
		texts = append(texts, e.tok.Decode(ids)) // want "decode guarded"
	}
	return texts, err
}

func (e *eval) throughout() (text string, err error) {
	ids := fromDevice()
	err = check(ids, e.n)
	if err == nil {
		text = e.tok.Decode(ids) // want "decode guarded"
	}
	return text, err
}

func (e *eval) panics() string {
	ids := fromDevice()
	if !fine(ids, e.n) {
		panic(errRange)
	}
	return e.tok.Decode(ids) // want "decode guarded"
}

// One check speaks, and the other leaves nothing out.
func (e *eval) both() (text string, err error) {
	ids := fromDevice()
	if err := check(ids, e.n); err != nil {
		return "", err
	}
	for _, id := range ids {
		if id >= e.n-4 { // the special ones
			continue
		}
		text += e.tok.Decode([]int{id}) // want "decode guarded"
	}
	return text, nil
}

// Who calls a decoder that leaves out what it does not know answers for it.
type lossy struct{ eval }

func (l *lossy) Decode(ids []int) (text string) {
	for _, id := range ids {
		if id < 0 || id >= l.n {
			continue
		}
		text += l.tok.Decode([]int{id}) // want "moved to the callers of Decode"
	}
	return text
}

func (l *lossy) words(ids []int) (text string) {
	for _, id := range ids {
		if id >= 0 && id < l.n {
			text += l.tok.Decode([]int{id}) // want "decode guarded, unknown: every call of words"
		}
	}
	return text
}

func (l *lossy) use() (string, error) {
	ids := fromDevice()
	if err := check(ids, l.n); err != nil {
		return "", err
	}
	return l.words(ids) + l.Decode(ids), nil // want "decode guarded"
}
