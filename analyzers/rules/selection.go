package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/nearest"
)

// Choice is which rules run: those of a tier, or those that are selected, and
// those that extend them, without those that are ignored. Codes may be cut
// short: TV2 is all that begin so. Of two that speak of one rule the longer one
// wins, of equal ones the ignored.
type Choice struct {
	Tier   site.Tier // empty: core
	Select []string  // these alone, of whatever tier
	Extend []string  // these too, of whatever tier
	Ignore []string
}

// Selection is a Choice, and others for parts of the tree.
type Selection struct {
	Choice
	Paths []PathChoice // the last one that names a file wins
}

// PathChoice changes what runs for some files: what it leaves empty is as
// elsewhere, what it ignores or extends comes on top.
type PathChoice struct {
	Files []string // patterns from the root, as path.Match takes them; one that ends in / or /** means all below
	Choice
}

// On reports whether a rule runs for a file, named from the root.
func (s *Selection) On(code, file string) bool {
	c := s.Choice
	for i := range s.Paths {
		if p := &s.Paths[i]; p.matches(file) {
			c = p.over(c)
		}
	}
	return c.on(code, lang(file))
}

// Anywhere reports whether a rule runs for some file of a language.
func (s *Selection) Anywhere(code, lang string) bool {
	if s.on(code, lang) {
		return true
	}
	return slices.ContainsFunc(s.Paths, func(p PathChoice) bool { c := p.over(s.Choice); return c.on(code, lang) })
}

func lang(file string) string {
	if path.Ext(file) == ".go" {
		return "go"
	}
	return "py"
}

func (p *PathChoice) over(c Choice) Choice {
	if p.Tier != "" {
		c.Tier = p.Tier
	}
	if len(p.Select) > 0 {
		c.Select = p.Select
	}
	c.Extend = append(slices.Clone(c.Extend), p.Extend...)
	c.Ignore = append(slices.Clone(c.Ignore), p.Ignore...)
	return c
}

func (p *PathChoice) matches(file string) bool {
	return slices.ContainsFunc(p.Files, func(pattern string) bool {
		if dir, below := strings.CutSuffix(strings.TrimSuffix(pattern, "**"), "/"); below {
			for at := path.Dir(file); ; at = path.Dir(at) {
				if ok, _ := path.Match(dir, at); ok {
					return true
				}
				if at == "." || at == "/" {
					return false
				}
			}
		}
		ok, _ := path.Match(pattern, file)
		return ok
	})
}

func (c *Choice) on(code, lang string) bool {
	ignored := longest(c.Ignore, code)
	if strings.HasPrefix(code, "TV9") && code != "TV901" { // about the ledger: only by name
		return ignored < 0
	}
	on := longest(c.Extend, code)
	if len(c.Select) > 0 {
		on = max(on, longest(c.Select, code))
	} else if r, ok := Find(code); !ok || rank(r.TierFor(lang)) <= rank(c.Tier) {
		on = max(on, 0)
	}
	return on > ignored
}

// longest is the length of the longest prefix of a code, -1: there is none.
func longest(prefixes []string, code string) int {
	n := -1
	for _, p := range prefixes {
		if strings.HasPrefix(code, p) {
			n = max(n, len(p))
		}
	}
	return n
}

func rank(t site.Tier) int { return slices.Index([]site.Tier{site.Strict, site.Audit}, t) } // core: -1

// UnknownError is a code that no rule begins with.
type UnknownError struct {
	Code string
	Near string // a code that may be meant; empty: none
}

func (e *UnknownError) Error() string {
	text := fmt.Sprintf("no rule begins with %q", e.Code)
	if e.Near != "" {
		text += ", did you mean " + e.Near
	}
	return text
}

// Check reports the first code of a selection that no rule begins with, of type
// *UnknownError.
func (s *Selection) Check() error {
	all := []Choice{s.Choice}
	for _, p := range s.Paths {
		all = append(all, p.Choice)
	}
	for _, c := range all {
		for _, code := range slices.Concat(c.Select, c.Extend, c.Ignore) {
			if err := checkCode(code); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkCode(code string) error {
	var codes []string
	for _, t := range Texts() {
		if code != "" && strings.HasPrefix(t.Code, code) {
			return nil
		}
		codes = append(codes, t.Code)
	}
	return &UnknownError{code, nearest.Word(code, codes)}
}
