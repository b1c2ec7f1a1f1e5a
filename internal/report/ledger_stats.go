package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
)

// LedgerStatsText writes the numbers of a tree for people.
func LedgerStatsText(w io.Writer, s ledger.Stats, o Options) error {
	p := &page{o: o}
	total := 0
	for _, k := range s.Kinds {
		total += k.Sites
	}
	p.emit(0, fmt.Sprintf("%s, %s in test files, %s", plural(int64(total), "site", "sites"), fmt.Sprint(s.Tests), plural(int64(s.Rows), "row", "rows")))
	if s.Debt > 0 {
		p.emit(0, fmt.Sprintf("debt: %s until the baseline ends", plural(int64(s.Debt), "place", "places")))
	}
	for _, k := range s.Kinds {
		if k.Sites > 0 {
			kindText(p, k)
		}
	}
	if _, err := w.Write(p.b.Bytes()); err != nil {
		return fmt.Errorf("writing the numbers: %w", err)
	}
	return nil
}

func kindText(p *page, k ledger.KindStats) {
	p.section(fmt.Sprintf("%s: %s", k.Kind, plural(int64(k.Sites), "site", "sites")))
	var states []string
	for _, st := range site.States(k.Kind) {
		if n := k.States[st]; n > 0 {
			states = append(states, fmt.Sprintf("%d %s", n, st))
		}
	}
	p.emit(2, "state: "+strings.Join(states, ", "))
	if len(k.Origins) > 0 {
		p.emit(2, "where the ids come from: "+numbers(k.Origins))
	}
	p.emit(2, "made a site by: "+numbers(k.By))
	if k.Escapes > 0 {
		p.emit(2, fmt.Sprintf("passed on as a value: %d", k.Escapes))
	}
	p.emit(2, fmt.Sprintf("a reader would have guessed from the name alone: %d of %d", k.ByName, k.Sites))
}

// numbers lists counts, the largest first.
func numbers(m map[string]int) string {
	names := slices.Sorted(maps.Keys(m))
	slices.SortStableFunc(names, func(a, b string) int { return m[b] - m[a] })
	for i, n := range names {
		names[i] = fmt.Sprintf("%d %s", m[n], n)
	}
	return strings.Join(names, ", ")
}

// LedgerStatsJSON writes them for programs.
func LedgerStatsJSON(w io.Writer, s ledger.Stats) error { return writeJSON(w, s) }
