package verdict

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed reasons.tsv
var reasonsTSV string

// ReasonText is one row of reasons.tsv (C3).
type ReasonText struct {
	Code   string
	Effect string // poison, unprove, degrade, note
	Title  string
	Text   string // with {placeholders}
	Do     string
}

// Reasons reads the data file, by code and in its order.
func Reasons() ([]ReasonText, error) {
	r := csv.NewReader(strings.NewReader(reasonsTSV))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, 5
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading reasons.tsv: %w", err)
	}
	out := make([]ReasonText, 0, len(rows)-1)
	for _, f := range rows[1:] {
		out = append(out, ReasonText{f[0], f[1], f[2], f[3], f[4]})
	}
	return out, nil
}

// table is the reasons by code.
type table map[string]ReasonText

// reasonTable is read once: it does not change.
var reasonTable = sync.OnceValues(newTable)

func newTable() (table, error) {
	rows, err := Reasons()
	if err != nil {
		return nil, err
	}
	t := make(table, len(rows))
	for _, r := range rows {
		t[r.Code] = r
	}
	return t, nil
}

// vars fills the placeholders of a reason's text.
type vars map[string]string

func (t table) reason(code string, v vars, refs ...Ref) Reason {
	row, ok := t[code]
	if !ok { // a code that is no row is a bug of this package, held by a test
		row = ReasonText{Code: code, Effect: "unprove", Text: "reason " + code}
	}
	return Reason{Code: code, Verdict: effectVerdict(row.Effect), Text: fill(row.Text, v), Do: fill(row.Do, v), Refs: slices.Compact(refs)} // one line may be first and last
}

func (t table) note(code string, v vars, refs ...Ref) Note {
	return Note{Code: code, Text: fill(t[code].Text, v), Do: fill(t[code].Do, v), Refs: refs}
}

func effectVerdict(effect string) Verdict {
	switch effect {
	case "poison":
		return Poisoned
	case "unprove":
		return Unproven
	case "degrade":
		return Degraded
	}
	return Trusted
}

// fill replaces in one pass, so that a value which looks like a placeholder stays as it is.
func fill(text string, v vars) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i:]
		n := strings.IndexByte(text, '}')
		s, ok := "", false
		if n > 0 {
			s, ok = v[text[1:n]]
		}
		if !ok {
			b.WriteByte('{')
			text = text[1:]
			continue
		}
		b.WriteString(s)
		text = text[n+1:]
	}
	b.WriteString(text)
	return b.String()
}
