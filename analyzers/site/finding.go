package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Severity of a finding.
type Severity string

// The severities, from worst on. Only errors and warnings set an exit code.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Position is a place in a source file.
type Position struct {
	File   string `json:"file"`             // slash separated, from the root
	Line   int    `json:"line"`             // from 1; 0: the whole file
	Column int    `json:"column,omitempty"` // in bytes, from 1; 0: the whole line
	Cell   int    `json:"cell,omitempty"`   // of a notebook, from 1; Line counts within it
}

// Finding is what a rule says of a place (C9).
type Finding struct {
	Code        string    `json:"code"` // TV101
	Severity    Severity  `json:"severity"`
	Message     string    `json:"message"` // lower case, no full stop: the value and the consequence
	At          Position  `json:"at"`
	End         Position  `json:"end"` // zero: the end of the line
	Related     []Related `json:"related,omitempty"`
	Fixes       []Fix     `json:"fixes,omitempty"`
	Site        string    `json:"site,omitempty"`  // ID of the site that it is about
	Shape       Shape     `json:"shape,omitempty"` // of that site
	Fingerprint string    `json:"fingerprint"`     // stable over edits elsewhere
}

// Related is another end of the same finding: the handler of a decode, the
// guard that comes too late.
type Related struct {
	At      Position `json:"at"`
	Message string   `json:"message"`
}

// Fix is a change that mends a finding.
type Fix struct {
	Message string `json:"message"`
	Safe    bool   `json:"safe"` // it keeps what the program means
	Edits   []Edit `json:"edits"`
}

// Edit replaces bytes of a file.
type Edit struct {
	File  string `json:"file"`
	Start int    `json:"start"` // byte offset
	End   int    `json:"end"`   // byte offset behind the last one
	New   string `json:"new"`
}

// Fingerprint names a finding independently of lines: by the site where there
// is one, else by its file, the text that it marks and its number among equal
// ones there.
func Fingerprint(code, siteOrFile, shapeOrText string, ordinal int) string {
	h := sha256.New()
	for _, part := range []string{"trainvet/finding/v1", code, siteOrFile, shapeOrText} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	h.Write([]byte{byte(ordinal), byte(ordinal >> 8), byte(ordinal >> 16)})
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Sort brings findings into the order of every report: by place, then code.
func Sort(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Cell, b.At.Cell),
			cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message),
		)
	})
}
