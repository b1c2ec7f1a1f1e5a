package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/internal/nearest"
	"github.com/trainvet/trainvet/internal/report"
)

// Shelf is one catalogue. Codes are compared without regard to case.
type Shelf interface {
	// Name is what the shelf holds, in the plural.
	Name() string
	// Codes lists every code in the order of the catalogue.
	Codes() []string
	// Entry returns the entry of one of its codes.
	Entry(code string) report.Entry
}

// UnknownError is a code that stands on no shelf.
type UnknownError struct {
	Code string
	Near string // empty: nothing is near
}

func (e *UnknownError) Error() string { return fmt.Sprintf("nothing is known of %q", e.Code) }

// Find returns every entry of that code: a marker and a reason may share one.
func Find(shelves []Shelf, code string) ([]report.Entry, error) {
	var found []report.Entry
	var all []string
	for _, s := range shelves {
		codes := s.Codes()
		i := slices.IndexFunc(codes, func(c string) bool { return strings.EqualFold(c, fold(code)) })
		if i >= 0 {
			found = append(found, s.Entry(codes[i]))
		}
		all = append(all, codes...)
	}
	if len(found) == 0 {
		return nil, &UnknownError{Code: code, Near: near(fold(code), all)}
	}
	return found, nil
}

// fold lets "Xid 79" and "step_time" find what is written with a dash.
func fold(code string) string { return strings.ReplaceAll(strings.TrimSpace(code), " ", "-") }

// near looks for a slip of the finger first, then for a code that holds what
// was typed.
func near(code string, all []string) string {
	if word := nearest.Word(code, all); word != "" {
		return word
	}
	if len(code) < 3 {
		return ""
	}
	for _, c := range all {
		if strings.Contains(strings.ToLower(c), strings.ToLower(code)) {
			return c
		}
	}
	return ""
}
