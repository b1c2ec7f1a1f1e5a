package main

import (
	"testing"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

func TestOutcome(t *testing.T) {
	t.Parallel()
	const trusted, degraded, unproven, poisoned = verdict.Trusted, verdict.Degraded, verdict.Unproven, verdict.Poisoned
	for name, c := range map[string]struct {
		claims    []verdict.Verdict
		noApplied bool
		unread    bool
		allow     []string
		want      int
	}{
		"all trusted":             {claims: []verdict.Verdict{trusted, trusted}, want: 0},
		"one poisoned":            {claims: []verdict.Verdict{trusted, poisoned}, want: 1},
		"poisoned is not allowed": {claims: []verdict.Verdict{poisoned}, allow: []string{"degraded", "unproven"}, want: 1},
		"poisoned and unread":     {claims: []verdict.Verdict{poisoned}, unread: true, want: 1},
		"unread":                  {claims: []verdict.Verdict{trusted}, unread: true, want: 3},
		"unread wins over doubt":  {claims: []verdict.Verdict{unproven}, unread: true, want: 3},
		"unproven":                {claims: []verdict.Verdict{unproven}, want: 4},
		"degraded":                {claims: []verdict.Verdict{trusted, degraded}, want: 4},
		"degraded allowed":        {claims: []verdict.Verdict{trusted, degraded}, allow: []string{"degraded"}, want: 0},
		"unproven beside it":      {claims: []verdict.Verdict{unproven, degraded}, allow: []string{"degraded"}, want: 4},
		"both allowed":            {claims: []verdict.Verdict{unproven, degraded}, allow: []string{"degraded", "unproven"}, want: 0},
		"no step applied":         {claims: []verdict.Verdict{degraded}, noApplied: true, allow: []string{"degraded"}, want: 4},
		"no claim":                {want: 4, allow: []string{"unproven"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &verdict.Result{Headline: unproven}
			for i, v := range c.claims {
				r.Claims = append(r.Claims, verdict.Subject{Verdict: v, NoApplied: c.noApplied})
				if i == 0 || v > r.Headline {
					r.Headline = v
				}
			}
			var unread []evidence.Unread
			if c.unread {
				unread = []evidence.Unread{{Path: "x", Why: "permission denied"}}
			}
			if got := outcome(r, unread, c.allow); got != c.want {
				t.Errorf("exit code %d, want %d", got, c.want)
			}
		})
	}
}
