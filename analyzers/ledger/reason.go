package ledger

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trainvet/trainvet/analyzers/site"
)

//go:embed placeholders.txt
var placeholders string

// MinReason is how many characters a reason has at least: fewer cannot say
// why a site is safe.
const MinReason = 12

// Problem says why an exemption's reason does not count; empty: it does. Rows
// that exempt nothing have no problem.
func (r Row) Problem() string {
	if r.State != site.Exempt {
		return ""
	}
	return ReasonProblem(r.Reason)
}

// ReasonProblem says why a reason, of a row or an inline exemption, does not
// count; empty: it does.
func ReasonProblem(reason string) string {
	reason = strings.TrimSpace(reason)
	switch {
	case reason == "":
		return "an exemption needs a reason"
	case utf8.RuneCountInString(reason) < MinReason:
		return "the reason is too short to say why the site is safe"
	case placeholder(reason):
		return "the reason is a placeholder"
	}
	return ""
}

// placeholder reports whether every word of a reason is one that people write
// when they have none, or all of it is one character again and again.
func placeholder(reason string) bool {
	words := strings.FieldsFunc(strings.ToLower(reason), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	known := map[string]bool{}
	for _, w := range strings.Fields(placeholders) {
		known[w] = true
	}
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		if !known[w] && strings.Trim(w, string(first)) != "" {
			return false
		}
	}
	return true
}
