package rules

import "github.com/trainvet/trainvet/analyzers/site"

// All returns every rule, by code.
func All() []site.Rule { return nil }

// Find returns the rule of a code.
func Find(code string) (site.Rule, bool) {
	for _, r := range All() {
		if r.Code == code {
			return r, true
		}
	}
	return site.Rule{}, false
}
