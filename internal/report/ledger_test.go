package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
)

func TestLedgerSite(t *testing.T) {
	t.Parallel()
	id := site.ID{Path: "a.go", Func: "f", Callee: "tok.Decode\x1b[2J", Ordinal: 1}
	s := site.Site{
		Kind: site.Decode, ID: id, Shape: "00000001", State: site.Guarded, At: site.Position{File: "a.go", Line: 5, Column: 2}, By: "signature", Origin: "generated",
		Guard:    &site.Related{At: site.Position{File: "a.go", Line: 4, Column: 2}, Message: "check"},
		Handlers: []site.Handling{{At: site.Position{File: "b.go", Line: 9, Column: 1}, Func: "run", Message: "returned"}, {At: site.Position{File: "m.go", Line: 3, Column: 1}, Func: "main", Message: "logged", Lost: true}},
	}
	row := ledger.Row{Kind: site.Decode, ID: id, Shape: "00000001", State: site.Guarded}
	j := ledger.Judgement{
		Sites:    []ledger.Judged{{Site: s, State: site.Guarded, Row: &row, How: ledger.Same}},
		Findings: []site.Finding{{Code: "TV201", Severity: site.Error, Message: "lost", Site: id.String(), Shape: "00000001"}, {Code: "TV201", Site: id.String(), Shape: "00000002"}},
	}
	var b bytes.Buffer
	require.NoError(t, NewLedgerSite(&j, &j.Sites[0]).Text(&b, Options{}))
	golden(t, "ledger-site.txt", b.String())
	require.NotContains(t, b.String(), "\x1b")

	s.State, s.Guard, s.Handlers, s.Why = site.Unguarded, nil, nil, "nothing checks its ids"
	open := ledger.Judgement{Sites: []ledger.Judged{{Site: s, State: site.Unguarded, How: ledger.New}}}
	b.Reset()
	require.NoError(t, NewLedgerSite(&open, &open.Sites[0]).Text(&b, Options{}))
	require.Contains(t, b.String(), "no row of the ledger")
	require.Contains(t, b.String(), "nothing here raises one")
}

func TestLedgerStatsText(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, LedgerStatsText(&b, ledger.Stats{
		Tests: 3, Rows: 2, Debt: 1,
		Kinds: []ledger.KindStats{
			{Kind: site.Decode, Sites: 3, States: map[site.State]int{site.Guarded: 1, site.Unguarded: 2}, Origins: map[string]int{"unknown": 1, "generated": 2}, By: map[string]int{"catalogue": 3}, ByName: 2, Escapes: 1},
			{Kind: site.Step},
		},
	}, Options{}))
	golden(t, "ledger-stats.txt", b.String())
}
