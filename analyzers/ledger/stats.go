package ledger

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Stats are the sites of a tree in numbers, tests apart: they are not gated.
type Stats struct {
	Kinds []KindStats `json:"kinds"`
	Tests int         `json:"tests"` // sites in test files
	Rows  int         `json:"rows"`
	Debt  int         `json:"debt"` // of a baseline
}

// KindStats are the sites of one kind.
type KindStats struct {
	Kind    site.Kind          `json:"kind"`
	Sites   int                `json:"sites"`
	States  map[site.State]int `json:"states"`
	Origins map[string]int     `json:"origins,omitempty"` // where a decode's ids come from
	ByName  int                `json:"by_name"`           // a reader would have guessed them from their names alone
	By      map[string]int     `json:"by"`                // what made them sites: catalogue, signature, directive
	Escapes int                `json:"escapes,omitempty"` // passed on as a value, not called
}

// Stats counts what was judged.
func (j *Judgement) Stats(l *Ledger) Stats {
	out := Stats{Debt: len(j.Debt)}
	if l != nil {
		out.Rows = len(l.Rows)
	}
	for _, k := range []site.Kind{site.Decode, site.Step, site.Implicit} {
		s := KindStats{Kind: k, States: map[site.State]int{}, Origins: map[string]int{}, By: map[string]int{}}
		for i := range j.Sites {
			if a := &j.Sites[i]; a.Site.Kind == k && !a.Site.Test {
				s.count(a)
			}
		}
		out.Kinds = append(out.Kinds, s)
	}
	for i := range j.Sites {
		if j.Sites[i].Site.Test {
			out.Tests++
		}
	}
	return out
}

func (s *KindStats) count(a *Judged) {
	s.Sites++
	s.States[a.State]++
	by, _, _ := strings.Cut(a.Site.By, " ") // the row of the catalogue stands behind
	s.By[by]++
	if s.Kind == site.Decode {
		origin := a.Site.Origin
		if origin == "" {
			origin = "unknown"
		}
		s.Origins[origin]++
	}
	if a.Site.ByName {
		s.ByName++
	}
	if a.Site.Escapes {
		s.Escapes++
	}
}
