package main

import (
	"slices"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// outcome is the exit code of a result: POISONED wins over what could not be
// read, and that over doubt. allow names verdicts that do not count.
func outcome(r *verdict.Result, unread []evidence.Unread, allow []string) int {
	switch {
	case r.Headline == verdict.Poisoned:
		return cli.CodeFound
	case len(unread) > 0:
		return cli.CodeCouldNot
	case r.Headline == verdict.Trusted, allowed(r, allow):
		return cli.CodeOK
	}
	return cli.CodeDoubt
}

// allowed reports whether every claim in doubt is one of those allowed. A value
// with no applied step behind it measures an untrained model, which nobody can
// mean to allow; where there is no claim, there is nothing to allow.
func allowed(r *verdict.Result, allow []string) bool {
	for i := range r.Claims {
		c := &r.Claims[i]
		switch {
		case c.Verdict == verdict.Trusted:
		case c.Verdict == verdict.Degraded && !c.NoApplied && slices.Contains(allow, "degraded"):
		case c.Verdict == verdict.Unproven && slices.Contains(allow, "unproven"):
		default:
			return false
		}
	}
	return len(r.Claims) > 0
}
