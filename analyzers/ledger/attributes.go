package ledger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// attribute is one key=value of a row; the table gives their order.
type attribute struct {
	key   string
	get   func(*Row) string
	set   func(*Row, string) error
	write func(string) string
}

var attributes = [...]attribute{
	{"reason", func(r *Row) string { return r.Reason }, setText(func(r *Row) *string { return &r.Reason }), quote},
	{"by", func(r *Row) string { return r.By }, setText(func(r *Row) *string { return &r.By }), quoteIfNeeded},
	{"until", func(r *Row) string { return r.Until }, setUntil, bare},
	{"rule", func(r *Row) string { return r.Rule }, setRule, bare},
	{"tags", func(r *Row) string { return strings.Join(r.Tags, ",") }, setTags, quoteIfNeeded},
}

func attributeNames() string {
	names := make([]string, len(attributes))
	for i, a := range attributes {
		names[i] = a.key
	}
	return strings.Join(names, ", ")
}

func bare(s string) string { return s }

// quote writes a Go string literal without escapes for what a person can read,
// so that a reason in any language stays legible.
func quote(s string) string { return strconv.QuoteToGraphic(s) }

func quoteIfNeeded(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool {
		return r == '"' || r == '\\' || r == '`' || r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r)
	}) {
		return quote(s)
	}
	return s
}

func setText(field func(*Row) *string) func(*Row, string) error {
	return func(r *Row, s string) error {
		*field(r) = s
		return nil
	}
}

func setUntil(r *Row, s string) error {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return fmt.Errorf("until=%.40q is no day; write it as 2027-06-30", s)
	}
	r.Until = s
	return nil
}

// setRule takes one code or several: a handler has one row, and two rules may
// complain of it.
func setRule(r *Row, s string) error {
	codes := strings.Split(s, ",")
	for _, c := range codes {
		if len(c) < 4 || len(c) > 8 || !strings.HasPrefix(c, "TV") || strings.Trim(c[2:], "0123456789") != "" {
			return fmt.Errorf("rule=%.40q is no code; write it as TV201 or TV201,TV202", s)
		}
	}
	slices.Sort(codes)
	r.Rule = strings.Join(slices.Compact(codes), ",")
	return nil
}

func setTags(r *Row, s string) error {
	tags := strings.Split(s, ",")
	if slices.Contains(tags, "") {
		return fmt.Errorf("tags=%.40q has an empty tag", s)
	}
	slices.Sort(tags)
	r.Tags = slices.Compact(tags)
	return nil
}
