package ledger

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trainvet/trainvet/analyzers/site"
)

var today = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

const why = `reason="prints the prompt that it has just encoded"`

// found is a site as a front end hands it over.
func found(kind site.Kind, id string, shape site.Shape, state site.State, line int) site.Site {
	parsed, err := site.ParseID(id)
	if err != nil {
		panic(err)
	}
	return site.Site{
		Kind: kind, ID: parsed, Shape: shape, State: state, By: "catalogue",
		At: site.Position{File: parsed.Path, Line: line, Column: 3}, End: site.Position{File: parsed.Path, Line: line, Column: 20},
	}
}

// complains is a finding of a rule about a handler or a site.
func complains(code, id string, shape site.Shape, line int) site.Finding {
	path, _, _ := strings.Cut(id, "::")
	return site.Finding{Code: code, Severity: site.Error, Message: "m", At: site.Position{File: path, Line: line, Column: 2}, Site: id, Shape: shape}
}

// scanned is a scan of the whole tree of Go files that hold something.
func scanned(sites ...site.Site) *site.Scan {
	s := &site.Scan{Root: "/r", Sites: sites}
	files := map[string]bool{}
	for _, x := range sites {
		files[x.At.File] = true
	}
	files["a.go"] = true
	for f := range files {
		s.Units = append(s.Units, site.Unit{Name: f, Files: []string{f}})
	}
	return s
}

func with(s *site.Scan, findings ...site.Finding) *site.Scan {
	s.Findings = append(s.Findings, findings...)
	return s
}

func ignoring(s *site.Scan, from, to int, codes, reason, until string) *site.Scan {
	ig := site.Ignore{At: site.Position{File: "a.go", Line: from, Column: 30}, From: from, To: to, Reason: reason, Until: until}
	if codes != "" {
		ig.Codes = strings.Split(codes, ",")
	}
	s.Ignores = append(s.Ignores, ig)
	return s
}

func partial(s *site.Scan) *site.Scan { s.Partial = "paths were given"; return s }

func ledgerOf(t require.TestingT, rows ...string) *Ledger {
	l, err := Parse("trainvet.ledger", []byte(head+strings.Join(rows, "\n")+"\n"))
	require.NoError(t, err)
	return &l
}

// codes are the findings in short: code, severity, file:line.
func codes(list []site.Finding) string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s %s:%d", f.Code, f.Severity, f.At.File, f.At.Line))
	}
	return strings.Join(out, "; ")
}

const d, st = "a.go::f::tok.Decode", "a.go::f::opt.Step"

func TestJudge(t *testing.T) {
	t.Parallel()
	open := func() site.Site { return found(site.Decode, d, "00000001", site.Unguarded, 5) }
	closed := func() site.Site { return found(site.Decode, d, "00000001", site.Guarded, 5) }
	exempt := "decode " + d + " @00000001 exempt " + why
	for _, tt := range []struct {
		name string
		rows []string // nil: no ledger
		scan *site.Scan
		want string
		left site.State // of the first site
	}{
		{"inventory", nil, scanned(open()), "", site.Unguarded},
		{"unguarded decode", []string{}, scanned(open()), "TV101 error a.go:5", site.Unguarded},
		{"uncounted step", []string{}, scanned(found(site.Step, st, "00000001", site.Uncounted, 7)), "TV305 warning a.go:7", site.Uncounted},
		{"implicit", []string{}, scanned(found(site.Implicit, st, "00000001", site.Unguarded, 7)), "TV901 error a.go:7", site.Unguarded},
		{"guarded, no row", []string{}, scanned(closed()), "TV901 error a.go:5", site.Guarded},
		{"guarded, row", []string{"decode " + d + " @00000001 guarded"}, scanned(closed()), "", site.Guarded},
		{"a row's word is not believed", []string{"decode " + d + " @00000001 guarded"}, scanned(open()), "TV101 error a.go:5", site.Unguarded},
		{"an unguarded row is as none", []string{"decode " + d + " @00000001 unguarded"}, scanned(open()), "TV101 error a.go:5", site.Unguarded},
		{"a runtime row is not believed", []string{"decode " + d + " @00000001 runtime"}, scanned(open()), "TV101 error a.go:5", site.Unguarded},
		{"runtime, as the front end says", []string{"decode " + d + " @00000001 unguarded"}, scanned(found(site.Decode, d, "00000001", site.Runtime, 5)), "", site.Runtime},
		{"exempt", []string{exempt}, scanned(open()), "", site.Exempt},
		{"exempt and guarded", []string{exempt}, scanned(closed()), "", site.Guarded},
		{"no reason", []string{"decode " + d + " @00000001 exempt"}, scanned(open()), "TV903 error a.go:5", site.Unguarded},
		{"placeholder", []string{"decode " + d + ` @00000001 exempt reason="TODO: explain later"`}, scanned(open()), "TV903 error a.go:5", site.Unguarded},
		{"placeholder, of a promise", []string{"decode " + d + ` @00000001 exempt reason="TODO fix me soon"`}, scanned(open()), "TV903 error a.go:5", site.Unguarded},
		{"placeholder, though guarded", []string{"decode " + d + ` @00000001 exempt reason="TODO: explain later"`}, scanned(closed()), "TV903 error trainvet.ledger:2", site.Guarded},
		{"expired", []string{exempt + " until=2026-11-28"}, scanned(open()), "TV904 error a.go:5", site.Unguarded},
		{"the last day holds", []string{exempt + " until=2026-11-29"}, scanned(open()), "TV904 info a.go:5", site.Exempt},
		{"42 days", []string{exempt + " until=2027-01-09"}, scanned(open()), "TV904 info a.go:5", site.Exempt},
		{"43 days", []string{exempt + " until=2027-01-10"}, scanned(open()), "", site.Exempt},
		{"expired and guarded", []string{exempt + " until=2026-11-28"}, scanned(closed()), "", site.Guarded},
		{"reshaped", []string{exempt}, scanned(found(site.Decode, d, "00000002", site.Unguarded, 5)), "TV905 error a.go:5", site.Unguarded},
		{"reshaped and guarded", []string{exempt}, scanned(found(site.Decode, d, "00000002", site.Guarded, 5)), "TV908 info a.go:5", site.Guarded},
		{"an equal one came", []string{exempt}, scanned(open(), found(site.Decode, d+"#2", "00000001", site.Unguarded, 9)), "TV905 error a.go:5; TV101 error a.go:9", site.Unguarded},
		{"moved", []string{"decode z.go::f::tok.Decode @00000001 exempt " + why}, scanned(open()), "TV908 info a.go:5", site.Exempt},
		{"moved, as far as a part shows", []string{"decode z.go::f::tok.Decode @00000001 exempt " + why}, partial(scanned(open())), "TV101 error a.go:5", site.Unguarded},
		{"another rule's exemption", []string{exempt + " rule=TV113"}, scanned(open()), "TV101 error a.go:5", site.Unguarded},
		{"the gate by name", []string{exempt + " rule=TV101"}, scanned(open()), "", site.Exempt},
		{"a guard that does not count", []string{}, with(scanned(open()), complains("TV105", d, "00000001", 5)), "TV105 error a.go:5", site.Unguarded},
		{"the same, exempt", []string{exempt}, with(scanned(open()), complains("TV105", d, "00000001", 5)), "", site.Exempt},
		{"the same, reshaped", []string{"decode " + d + " @00000002 exempt " + why}, with(scanned(open()), complains("TV105", d, "00000001", 5), complains("TV112", d, "00000001", 5)), "TV905 error a.go:5", site.Unguarded},
		{"the same, in an inventory", nil, with(scanned(open()), complains("TV105", d, "00000001", 5)), "TV105 error a.go:5", site.Unguarded},
		{"not covered by it", []string{exempt}, with(scanned(open()), complains("TV113", d, "00000001", 5)), "TV113 error a.go:5", site.Exempt},
		{"a rule that says the same", []string{}, with(scanned(open()), complains("TV101", d, "00000001", 5)), "TV101 error a.go:5", site.Unguarded},
		{"the same without a name", nil, with(scanned(open()), site.Finding{Code: "TV101", At: site.Position{File: "a.go", Line: 5, Column: 3}}), "", site.Unguarded},
		{"in a test", []string{}, scanned(func() site.Site { s := open(); s.Test = true; return s }()), "", site.Unguarded},
		{"stale", []string{exempt}, scanned(), "TV902 error trainvet.ledger:2", ""},
		{"unknown", []string{exempt}, partial(scanned()), "", ""},
		{"another language", []string{"decode a.py::f::decode @00000001 exempt " + why}, scanned(), "", ""},
		{"stale without a reason", []string{"decode " + d + " @00000001 exempt"}, scanned(), "TV902 error trainvet.ledger:2; TV903 error trainvet.ledger:2", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var l *Ledger
			if tt.rows != nil {
				l = ledgerOf(t, tt.rows...)
			}
			got := Judge(l, tt.scan, Options{Now: today})
			require.Equal(t, tt.want, codes(got.Findings))
			require.Len(t, got.Sites, len(tt.scan.Sites))
			if len(got.Sites) > 0 {
				require.Equal(t, tt.left, got.Sites[0].State)
			}
			for _, f := range got.Findings {
				require.True(t, f.Fingerprint != "" || f.Message == "m", f)
			}
		})
	}
}

func TestJudgeHandlers(t *testing.T) {
	t.Parallel()
	const h = "a.go::label::if(err)"
	row := func(rest string) []string { return []string{"catch " + h + " @00000001 exempt " + why + " " + rest} }
	for _, tt := range []struct {
		name string
		rows []string
		scan *site.Scan
		want string
	}{
		{"without a row", []string{}, with(scanned(), complains("TV201", h, "00000001", 8)), "TV201 error a.go:8"},
		{"without a ledger", nil, with(scanned(), complains("TV201", h, "00000001", 8)), "TV201 error a.go:8"},
		{"exempt", row("rule=TV201"), with(scanned(), complains("TV201", h, "00000001", 8)), ""},
		{"two rules, one exempt", row("rule=TV201"), with(scanned(), complains("TV201", h, "00000001", 8), complains("TV202", h, "00000001", 8)), "TV202 error a.go:8"},
		{"two rules, both exempt", row("rule=TV202,TV201"), with(scanned(), complains("TV201", h, "00000001", 8), complains("TV202", h, "00000001", 8)), ""},
		{"no rule named", row(""), with(scanned(), complains("TV201", h, "00000001", 8)), "TV201 error a.go:8; TV903 error trainvet.ledger:2"},
		{"reshaped", row("rule=TV201"), with(scanned(), complains("TV201", h, "00000002", 8)), "TV905 error a.go:8"},
		{"mended", row("rule=TV201"), scanned(), "TV902 error trainvet.ledger:2"},
		{"a rule that did not run", row("rule=TV709"), scanned(), ""},
		{"expired", row("rule=TV201 until=2026-01-01"), with(scanned(), complains("TV201", h, "00000001", 8)), "TV904 error a.go:8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var l *Ledger
			if tt.rows != nil {
				l = ledgerOf(t, tt.rows...)
			}
			require.Equal(t, tt.want, codes(Judge(l, tt.scan, Options{Now: today}).Findings))
		})
	}
}

func TestJudgeIgnores(t *testing.T) {
	t.Parallel()
	const good = "the caller has checked these ids"
	open := func() *site.Scan { return scanned(found(site.Decode, d, "00000001", site.Unguarded, 5)) }
	none := []string{}
	for _, tt := range []struct {
		name string
		rows []string
		scan *site.Scan
		want string
	}{
		{"gate", none, ignoring(open(), 5, 5, "TV101", good, ""), ""},
		{"needed in an inventory too", nil, ignoring(open(), 5, 5, "TV101", good, ""), ""},
		{"needed in a test", none, ignoring(scanned(func() site.Site {
			s := found(site.Decode, d, "00000001", site.Unguarded, 5)
			s.Test = true
			return s
		}()), 5, 5, "TV101", good, ""), ""},
		{"flow", none, ignoring(with(scanned(), complains("TV201", "a.go::f::if(err)", "00000001", 5)), 4, 6, "TV201", good, ""), ""},
		{"the gate for a guard that does not count", none, ignoring(with(open(), complains("TV105", d, "00000001", 5)), 5, 5, "TV101", good, ""), ""},
		{"another line", none, ignoring(open(), 6, 6, "TV101", good, ""), "TV101 error a.go:5; TV906 warning a.go:6"},
		{"unused, one of two", none, ignoring(open(), 5, 5, "TV101,TV201", good, ""), "TV906 warning a.go:5"},
		{"unused in a part", none, partial(ignoring(scanned(), 5, 5, "TV101", good, "")), ""},
		{"unused, rule off", none, ignoring(scanned(), 5, 5, "TV709", good, ""), ""},
		{"unknown code", none, ignoring(open(), 5, 5, "TV110", good, ""), "TV101 error a.go:5; TV907 error a.go:5"},
		{"no code", none, ignoring(open(), 5, 5, "", good, ""), "TV101 error a.go:5; TV907 error a.go:5"},
		{"what cannot be exempt", none, ignoring(scanned(), 5, 5, "TV903", good, ""), "TV907 error a.go:5"},
		{"no reason", none, ignoring(open(), 5, 5, "TV101", "", ""), "TV101 error a.go:5; TV903 error a.go:5"},
		{"placeholder", none, ignoring(open(), 5, 5, "TV101", "false positive", ""), "TV101 error a.go:5; TV903 error a.go:5"},
		{"expired", none, ignoring(open(), 5, 5, "TV101", good, "2026-11-01"), "TV101 error a.go:5; TV904 error a.go:5"},
		{"ends soon", none, ignoring(open(), 5, 5, "TV101", good, "2026-12-01"), "TV904 info a.go:5"},
		{"no day", none, ignoring(open(), 5, 5, "TV101", good, "soon"), "TV101 error a.go:5; TV907 error a.go:5"},
		{"new and guarded", none, ignoring(scanned(found(site.Decode, d, "00000001", site.Guarded, 5)), 5, 5, "TV901", good, ""), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var l *Ledger
			if tt.rows != nil {
				l = ledgerOf(t, tt.rows...)
			}
			require.Equal(t, tt.want, codes(Judge(l, tt.scan, Options{Now: today}).Findings))
		})
	}
	got := Judge(&Ledger{}, ignoring(open(), 5, 5, "TV101", good, ""), Options{Now: today})
	require.Equal(t, site.Exempt, got.Sites[0].State)
}

func TestDebt(t *testing.T) {
	t.Parallel()
	open := found(site.Decode, d, "00000001", site.Unguarded, 5)
	newer := found(site.Decode, "a.go::g::tok.Decode", "00000001", site.Unguarded, 25)
	handler := complains("TV201", "a.go::h::if(err)", "00000001", 12)
	flow := complains("TV201", "a.go::k::if(err)", "00000001", 14)
	flow.Related = []site.Related{{At: site.Position{File: "a.go", Line: 26}, Message: "raised here"}}
	since := func(s site.Site) bool { return s.At.Line > 20 }

	for _, l := range []*Ledger{nil, {}} {
		got := Judge(l, with(scanned(open, newer), handler, flow), Options{Now: today, New: since})
		require.Equal(t, "TV201 error a.go:14; TV101 error a.go:25", codes(got.Findings))
		require.Equal(t, []Debt{{Code: "TV201", At: handler.At, Site: handler.Site}, {Code: "TV101", At: open.At, Site: d}}, got.Debt)
	}

	got := Judge(ledgerOf(t, "decode "+d+" @00000001 guarded"), scanned(open), Options{Now: today, New: since})
	require.Equal(t, "TV101 error a.go:5", codes(got.Findings), "it was guarded once: that is no old debt")

	baseline := "decode " + d + ` @00000001 exempt reason="baseline: unguarded when the ledger began"`
	got = Judge(ledgerOf(t, baseline+" until=2027-01-30"), scanned(open), Options{Now: today})
	require.Empty(t, got.Findings)
	require.Equal(t, []Debt{{Code: "TV101", At: open.At, Site: d, Until: "2027-01-30"}}, got.Debt)
	got = Judge(ledgerOf(t, baseline+" until=2027-02-27"), scanned(open), Options{Now: today})
	require.Empty(t, got.Findings, "90 days")
	for _, bad := range []string{"", " until=2027-02-28", " until=2026-11-28"} {
		got = Judge(ledgerOf(t, baseline+bad), scanned(open), Options{Now: today})
		require.Equal(t, "TV904 error a.go:5", codes(got.Findings), bad)
		require.Empty(t, got.Debt)
	}
}

func TestStaleAndUnknown(t *testing.T) {
	t.Parallel()
	row := "decode " + d + " @00000001 guarded"
	broken := scanned()
	broken.Units = append(broken.Units, site.Unit{Name: "p", Files: []string{"b.go"}, Problem: "does not compile"})
	for _, tt := range []struct {
		scan  *site.Scan
		opt   Options
		stale bool
	}{
		{scanned(), Options{}, true},
		{partial(scanned()), Options{}, false},
		{broken, Options{}, false},
		{scanned(), Options{Langs: []string{"py"}}, false},
		{&site.Scan{}, Options{Langs: []string{"go"}}, true},
		{&site.Scan{}, Options{}, false},
	} {
		tt.opt.Now = today
		got := Judge(ledgerOf(t, row), tt.scan, tt.opt)
		require.Equal(t, [2]bool{tt.stale, !tt.stale}, [2]bool{len(got.Stale) == 1, len(got.Unknown) == 1})
	}
}

// TestHints: a new site points at the rows that may be its own.
func TestHints(t *testing.T) {
	t.Parallel()
	moved := Judge(ledgerOf(t, "decode z.go::f::tok.Decode @00000001 exempt "+why), partial(scanned(found(site.Decode, d, "00000001", site.Unguarded, 5))), Options{Now: today})
	require.Len(t, moved.Findings[0].Related, 1)
	require.Equal(t, 2, moved.Findings[0].Related[0].At.Line)
	torn := Judge(ledgerOf(t, "decode "+d+" @00000009 exempt "+why, "decode "+d+" @00000008 exempt "+why),
		scanned(found(site.Decode, d, "00000001", site.Unguarded, 5), found(site.Decode, d, "00000002", site.Unguarded, 6)), Options{Now: today})
	require.Equal(t, "TV101 error a.go:5; TV101 error a.go:6; TV902 error trainvet.ledger:2; TV902 error trainvet.ledger:3", codes(torn.Findings))
	require.Len(t, torn.Findings[0].Related, 2)
	require.Contains(t, torn.Findings[2].Message, "accept")
}

// TestExemptionsOnlyTakeAway: no ledger makes a finding of a front end appear
// that was not there, and without a row nothing is lost.
func TestExemptionsOnlyTakeAway(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		calls := drawCalls(t)
		var sites []site.Site
		for i, k := range keys(calls) {
			if k.Kind == site.Handler {
				continue
			}
			state := rapid.SampledFrom(site.States(k.Kind)).Draw(t, "state")
			if state == site.Exempt {
				state = site.Unguarded
			}
			if !state.Fits(k.Kind) {
				state = site.Uncounted
			}
			sites = append(sites, found(k.Kind, k.ID.String(), k.Shape, state, i+1))
		}
		fails := func(l *Ledger) map[string]bool {
			out := map[string]bool{}
			got := Judge(l, scanned(sites...), Options{Now: today})
			for _, s := range got.Sites {
				if s.State.Fails() {
					out[s.Site.ID.String()+string(s.Site.Shape)+string(s.Site.Kind)] = true
				}
			}
			n := 0
			for _, f := range got.Findings {
				if f.Severity != site.Info && f.At.File != FileName && f.Code != "TV901" {
					n++
				}
			}
			require.Equal(t, len(out), n, "each failing site is said once: %s", codes(got.Findings))
			return out
		}
		bare := fails(&Ledger{})
		for id := range fails(&Ledger{Rows: rowsFor(calls)}) {
			require.True(t, bare[id])
		}
	})
}
