package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trainvet/trainvet/analyzers/site"
)

// drawTree makes sites of every state and findings about handlers.
func drawTree(t *rapid.T) *site.Scan {
	calls := drawCalls(t)
	var sites []site.Site
	var findings []site.Finding
	tests := rapid.SampledFrom([]string{"", "b.go"}).Draw(t, "tests") // a file, as in life
	for i, k := range keys(calls) {
		if k.Kind == site.Handler {
			findings = append(findings, complains(rapid.SampledFrom([]string{"TV201", "TV202"}).Draw(t, "code"), k.ID.String(), k.Shape, i+1))
			continue
		}
		state := map[site.Kind][]site.State{site.Decode: {site.Guarded, site.Unguarded}, site.Step: {site.Counted, site.Uncounted}}[k.Kind]
		s := found(k.Kind, k.ID.String(), k.Shape, rapid.SampledFrom(state).Draw(t, "state"), i+1)
		s.Test = k.ID.Path == tests
		sites = append(sites, s)
	}
	return with(scanned(sites...), findings...)
}

// drawLedger makes rows of another tree, exempt, stated or debt.
func drawLedger(t *rapid.T) *Ledger {
	l := &Ledger{}
	for _, r := range rowsFor(drawCalls(t)) {
		switch rapid.IntRange(0, 3).Draw(t, "row") {
		case 0:
			if r.Kind != site.Handler {
				r.State, r.Reason = rapid.SampledFrom(site.States(r.Kind)).Draw(t, "state"), ""
				if r.State == site.Exempt {
					r.Reason = "the same reason for all of them"
				}
			}
		case 1:
			r.Reason = "the same reason for all of them"
		case 2:
			r.Reason, r.Until = baselineReason, "2027-01-01"
		}
		l.Rows = append(l.Rows, r)
	}
	l.Sort()
	return l
}

// red is what fails: sites and handlers by name, never rows.
func red(l *Ledger, scan *site.Scan) map[string]bool {
	out := map[string]bool{}
	for _, f := range Judge(l, scan, Options{Now: today}).Findings {
		if f.Severity != site.Info && f.At.File != FileName && f.Code != "TV901" {
			out[f.Site+"@"+string(f.Shape)] = true
		}
	}
	return out
}

func reparsed(t require.TestingT, l Ledger) *Ledger {
	back, err := Parse("l", l.Format())
	require.NoError(t, err, "what an edit writes is refused: %s", l.Format())
	return &back
}

func TestUpdateTurnsNothingGreen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scan, l := drawTree(t), drawLedger(t)
		if rapid.Bool().Draw(t, "part") {
			scan.Partial = "a part"
		}
		before := red(l, scan)
		once := reparsed(t, Update(l, scan, Options{Now: today}))
		require.Equal(t, before, red(once, scan), "%s\n%s", l.Format(), once.Format())
		twice := Update(once, scan, Options{Now: today})
		require.Equal(t, string(once.Format()), string(twice.Format()), "an update has nothing left to do")
		for _, f := range Judge(once, scan, Options{Now: today}).Findings {
			require.False(t, scan.Partial == "" && f.Code == "TV901" && strings.Contains(f.Message, "is a new") && !anyUnclear(once, scan), "%v", f)
		}
		if scan.Partial == "" {
			return
		}
		all := *scan
		all.Partial = ""
		require.Equal(t, red(l, &all), red(once, &all), "%s\n%s", l.Format(), once.Format())
		for _, r := range l.Rows {
			if r.State == site.Exempt && !r.IsBaseline() {
				require.Contains(t, string(once.Format()), r.Reason, "a part of the tree takes no exemption out")
			}
		}
	})
}

func anyUnclear(l *Ledger, scan *site.Scan) bool {
	got := Judge(l, scan, Options{Now: today})
	return unclear(got.named())
}

// followed are the sites whose row has moved with them: what a person says of
// one call may leave a single place that another row can mean.
func followed(l *Ledger, scan *site.Scan) map[string]bool {
	out := map[string]bool{}
	j := Judge(l, scan, Options{Now: today})
	for _, a := range j.named() {
		if a.How == Moved {
			out[a.Site.ID.String()+"@"+string(a.Site.Shape)] = true
		}
	}
	return out
}

// TestExemptTurnsOneGreen: and only the one that was named.
func TestExemptTurnsOneGreen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scan, l := drawTree(t), drawLedger(t)
		judged := Judge(l, scan, Options{Now: today})
		all := judged.named()
		if len(all) == 0 {
			return
		}
		a := all[rapid.IntRange(0, len(all)-1).Draw(t, "which")]
		edited, err := Exempt(l, scan, Options{Now: today}, keyOf(&a.Site), Exemption{Reason: "counted in the table below, faults go up"})
		before := red(l, scan)
		if err != nil {
			var wrong *EditError
			require.ErrorAs(t, err, &wrong)
			return
		}
		after, moved := red(reparsed(t, edited), scan), followed(&edited, scan)
		name := a.Site.ID.String() + "@" + string(a.Site.Shape)
		for id := range before {
			require.True(t, after[id] || id == name || moved[id], "%s turned green with %s (%s)\n%s\n%s", id, name, a.How, l.Format(), edited.Format())
		}
		for id := range after {
			require.True(t, before[id] || a.Site.Kind == site.Handler, "%s turned red", id)
		}
		if a.Site.Kind != site.Handler {
			require.False(t, after[name] && a.Site.State.Fails(), "%s stays red", name)
		}
	})
}

// TestAcceptStaysAtItsPlace: whatever is accepted, no other place changes.
func TestAcceptStaysAtItsPlace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scan, l := drawTree(t), drawLedger(t)
		judged := Judge(l, scan, Options{Now: today})
		for _, a := range judged.named() {
			edited, err := Accept(l, scan, Options{Now: today}, keyOf(&a.Site), "")
			if err != nil {
				continue
			}
			before, after, moved := red(l, scan), red(reparsed(t, edited), scan), followed(&edited, scan)
			at := a.Site.ID
			at.Ordinal = 1
			for id := range before {
				require.True(t, after[id] || moved[id] || strings.HasPrefix(id, at.String()), "%s turned green with %s", id, at)
			}
			if row := a.Row; a.How == Reshaped && row.State == site.Exempt && a.Site.Kind != site.Handler {
				require.False(t, after[a.Site.ID.String()+"@"+string(a.Site.Shape)], "accepted and red")
			}
			require.LessOrEqual(t, exemptions(edited), exemptions(*l), "an exemption was made for %s\n%s\n%s", a.Site.ID, l.Format(), edited.Format())
		}
	})
}

func exemptions(l Ledger) (n int) {
	for _, r := range l.Rows {
		if r.State == site.Exempt {
			n++
		}
	}
	return n
}

func TestBaselineIsDebt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scan := drawTree(t)
		l, err := Baseline(nil, scan, Options{Now: today}, "2027-02-27")
		require.NoError(t, err)
		own := reparsed(t, l)
		require.Empty(t, red(own, scan))
		got := Judge(own, scan, Options{Now: today})
		require.Empty(t, got.Findings)
		require.Len(t, got.Debt, len(red(&Ledger{}, scan)))
		_, err = Baseline(own, scan, Options{Now: today}, "2027-02-27")
		require.Equal(t, len(got.Debt) > 0, err != nil, "a second one would renew the debt")
		later := today.AddDate(0, 0, 91)
		require.Len(t, red(&Ledger{}, scan), countCode(Judge(own, scan, Options{Now: later}).Findings, "TV904"))
	})
}

func countCode(list []site.Finding, code string) (n int) {
	for _, f := range list {
		if f.Code == code && f.Severity == site.Error {
			n++
		}
	}
	return n
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	exempt := "decode " + d + " @00000001 exempt " + why
	const two = "a.go::f::tok.Decode#2"
	for _, tt := range []struct {
		name string
		rows []string
		scan *site.Scan
		want []string
	}{
		{"adds what is guarded", nil, scanned(found(site.Decode, d, "00000001", site.Guarded, 5), found(site.Step, st, "00000002", site.CountedWeak, 6)),
			[]string{"decode " + d + " @00000001 guarded", "step " + st + " @00000002 counted-weak"}},
		{"adds nothing that is not", nil, scanned(found(site.Decode, d, "00000001", site.Unguarded, 5)), nil},
		{"says the state anew", []string{"decode " + d + " @00000001 guarded tags=cuda"}, scanned(found(site.Decode, d, "00000001", site.Unguarded, 5)),
			[]string{"decode " + d + " @00000001 unguarded tags=cuda"}},
		{"keeps an exemption", []string{exempt}, scanned(found(site.Decode, d, "00000001", site.Guarded, 5)), []string{exempt}},
		{"keeps a suspended one", []string{exempt}, scanned(found(site.Decode, d, "00000002", site.Unguarded, 5)), []string{exempt}},
		{"which is not needed any more", []string{exempt}, scanned(found(site.Decode, d, "00000002", site.Guarded, 5)), []string{"decode " + d + " @00000002 guarded"}},
		{"follows a move", []string{"decode z.go::f::tok.Decode @00000001 exempt " + why + " by=ab"}, scanned(found(site.Decode, d, "00000001", site.Unguarded, 5)),
			[]string{exempt + " by=ab"}},
		{"pays debt", []string{"decode " + d + ` @00000001 exempt reason="baseline: x" until=2027-01-01`}, scanned(found(site.Decode, d, "00000001", site.Guarded, 5)),
			[]string{"decode " + d + " @00000001 guarded"}},
		{"takes out what is stale", []string{exempt}, scanned(), nil},
		{"not in a part", []string{exempt}, partial(scanned()), []string{exempt}},
		{"waits for a person", []string{exempt}, scanned(found(site.Decode, d, "00000001", site.Guarded, 5), found(site.Decode, two, "00000001", site.Guarded, 6)), []string{exempt}},
		{"ignored inline", nil, ignoring(scanned(found(site.Decode, d, "00000001", site.Unguarded, 5)), 5, 5, "TV101", "the caller has checked these", ""), nil},
	} {
		got := Update(ledgerOf(t, tt.rows...), tt.scan, Options{Now: today})
		require.Equal(t, strings.TrimSuffix(head+strings.Join(tt.want, "\n"), "\n"), strings.TrimSuffix(string(got.Format()), "\n"), tt.name)
	}
}

func TestAcceptOneOfEqualCalls(t *testing.T) {
	t.Parallel()
	exempt := "decode " + d + " @00000001 exempt " + why
	const two, three = "a.go::f::tok.Decode#2", "a.go::f::tok.Decode#3"
	key := func(id string) Key {
		parsed, err := site.ParseID(id)
		require.NoError(t, err)
		return Key{site.Decode, parsed, "00000001"}
	}
	open := func(id string, line int) site.Site { return found(site.Decode, id, "00000001", site.Unguarded, line) }
	// A second call came. The person says that the first is the one.
	scan := scanned(open(d, 5), open(two, 6))
	got, err := Accept(ledgerOf(t, exempt), scan, Options{Now: today}, key(d), "")
	require.NoError(t, err)
	require.Equal(t, head+exempt+"\ndecode "+two+" @00000001 unguarded\n", string(got.Format()))
	require.Equal(t, map[string]bool{two + "@00000001": true}, red(&got, scan))
	// That the second is, and the first was guarded when it came.
	scan = scanned(found(site.Decode, d, "00000001", site.Guarded, 5), open(two, 6))
	got, err = Accept(ledgerOf(t, exempt), scan, Options{Now: today}, key(two), "ab")
	require.NoError(t, err)
	require.Equal(t, head+"decode "+d+" @00000001 guarded\ndecode "+two+" @00000001 exempt "+why+" by=ab\n", string(got.Format()))
	require.Empty(t, red(&got, scan))
	// Neither can be meant for the third.
	scan = scanned(open(d, 5), open(two, 6), open(three, 7))
	_, err = Accept(ledgerOf(t, exempt), scan, Options{Now: today}, key(three), "")
	var wrong *EditError
	require.ErrorAs(t, err, &wrong)
	_, err = Exempt(ledgerOf(t, exempt), scan, Options{Now: today}, key(three), Exemption{Reason: "prints what was just encoded"})
	require.ErrorAs(t, err, &wrong)
	require.Contains(t, wrong.Help[0], "accept")
}

func TestAcceptOneOfSeveralChanged(t *testing.T) {
	t.Parallel()
	a, b := found(site.Decode, d, "00000003", site.Unguarded, 5), found(site.Decode, d, "00000004", site.Unguarded, 6)
	scan := scanned(a, b)
	l := ledgerOf(t, "decode "+d+" @00000001 exempt "+why)
	updated := Update(l, scan, Options{Now: today})
	require.Len(t, updated.Rows, 1, "a person has to place it")
	got, err := Accept(l, scan, Options{Now: today}, keyOf(&b), "")
	require.NoError(t, err)
	require.Equal(t, map[string]bool{d + "@00000003": true}, red(&got, scan))
	_, err = Accept(&got, scan, Options{Now: today}, keyOf(&a), "")
	require.ErrorContains(t, err, "no row can be its own")
	_, err = Accept(&got, scan, Options{Now: today}, keyOf(&b), "")
	require.ErrorContains(t, err, "nothing to accept")
}

func TestExempt(t *testing.T) {
	t.Parallel()
	open := found(site.Decode, d, "00000001", site.Unguarded, 5)
	x := Exemption{Reason: " prints what was just encoded ", By: "ab", Until: "2027-06-30"}
	got, err := Exempt(nil, scanned(open), Options{Now: today}, keyOf(&open), x)
	require.NoError(t, err)
	require.Equal(t, head+"decode "+d+` @00000001 exempt reason="prints what was just encoded" by=ab until=2027-06-30`+"\n", string(got.Format()))

	const h = "a.go::label::if(err)"
	scan := with(scanned(), complains("TV202", h, "00000001", 8), complains("TV201", h, "00000001", 8))
	id, _ := site.ParseID(h)
	got, err = Exempt(&Ledger{}, scan, Options{Now: today}, Key{site.Handler, id, "00000001"}, Exemption{Reason: "the table below counts them"})
	require.NoError(t, err)
	require.Equal(t, head+"catch "+h+` @00000001 exempt reason="the table below counts them" rule=TV201,TV202`+"\n", string(got.Format()))
	require.Empty(t, red(&got, scan))

	// One of two equal calls: the other is put on record as it is, so that the
	// exemption holds and a third would be seen.
	second := found(site.Decode, d+"#2", "00000001", site.Unguarded, 6)
	scan = scanned(open, second)
	got, err = Exempt(nil, scan, Options{Now: today}, keyOf(&second), Exemption{Reason: "prints what was just encoded"})
	require.NoError(t, err)
	require.Equal(t, map[string]bool{d + "@00000001": true}, red(&got, scan))

	guarded, test := found(site.Decode, d, "00000001", site.Guarded, 5), open
	test.Test = true
	for want, tt := range map[string]struct {
		s site.Site
		x Exemption
	}{
		"needs no exemption":     {guarded, x},
		"in a test file":         {test, x},
		"needs a reason":         {open, Exemption{}},
		"too short":              {open, Exemption{Reason: "no"}},
		"is a placeholder":       {open, Exemption{Reason: "TODO explain later"}},
		"trainvet ledger basel":  {open, Exemption{Reason: "baseline: prints what it encoded"}},
		"is no day":              {open, Exemption{Reason: "prints what was just encoded", Until: "tomorrow"}},
		"is over":                {open, Exemption{Reason: "prints what was just encoded", Until: "2026-11-28"}},
		"there is no rule TV100": {open, Exemption{Reason: "prints what was just encoded", Rules: []string{"TV100"}}},
		"cannot be exempt":       {open, Exemption{Reason: "prints what was just encoded", Rules: []string{"TV904"}}},
	} {
		_, err := Exempt(nil, scanned(tt.s), Options{Now: today}, keyOf(&tt.s), tt.x)
		require.ErrorContains(t, err, want)
	}
}

func TestBaselineRefusals(t *testing.T) {
	t.Parallel()
	for until, want := range map[string]string{"2027-02-28": "more than 90 days", "2026-11-28": "is over", "soon": "is no day", "": "is no day"} {
		_, err := Baseline(nil, scanned(), Options{Now: today}, until)
		var wrong *BaselineError
		require.ErrorAs(t, err, &wrong)
		require.Contains(t, wrong.Text, want)
	}
}

// TestBaselineLeavesWhatWaits: a regression and a suspended exemption are no
// old debt.
func TestBaselineLeavesWhatWaits(t *testing.T) {
	t.Parallel()
	open := found(site.Decode, d, "00000002", site.Unguarded, 5)
	for _, row := range []string{"decode " + d + " @00000002 guarded", "decode " + d + " @00000001 exempt " + why} {
		l := ledgerOf(t, row)
		got, err := Baseline(l, scanned(open), Options{Now: today}, "2027-01-01")
		require.NoError(t, err)
		if strings.Contains(row, "exempt") {
			require.Equal(t, red(l, scanned(open)), red(&got, scanned(open)))
		}
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	before := ledgerOf(t, "decode a.go::f::d @00000001 guarded", "decode a.go::g::d @00000001 guarded", "decode a.go::h::d @00000001 guarded",
		"decode a.go::i::d @00000001 guarded", "step a.go::k::s @00000001 counted")
	after := ledgerOf(t, "decode a.go::f::d @00000001 guarded", "decode a.go::g::d @00000002 guarded", "decode b.go::h::d @00000001 guarded",
		"decode a.go::i::d @00000001 unguarded", "step a.go::l::s @00000001 counted")
	var got []string
	for _, c := range Diff(*before, *after) {
		text := string(c.How) + ":"
		if c.Before != nil {
			text += " -" + c.Before.ID.String()
		}
		if c.After != nil {
			text += " +" + c.After.ID.String()
		}
		got = append(got, text)
	}
	require.Equal(t, []string{
		"reshaped: -a.go::g::d +a.go::g::d", "same: -a.go::i::d +a.go::i::d", ": -a.go::k::s",
		"new: +a.go::l::s", "moved: -a.go::h::d +b.go::h::d",
	}, got)
	require.Empty(t, Diff(*after, *after))
}

func TestFind(t *testing.T) {
	t.Parallel()
	long := found(site.Decode, "b.go::g::tok.Decode", "00000001", site.Unguarded, 20)
	long.End.Line = 24
	scan := scanned(
		found(site.Decode, d, "00000001", site.Unguarded, 5), found(site.Decode, d, "00000002", site.Unguarded, 9),
		found(site.Step, st, "00000001", site.Uncounted, 9), long)
	j := Judge(ledgerOf(t, "decode z.go::g::tok.Decode @00000001 exempt "+why), with(scan, complains("TV201", "a.go::h::if(err)", "00000001", 30)), Options{Now: today})
	for word, line := range map[string]int{
		d + "@00000002": 9, "a.go:5": 5, "a.go:5:3": 5, "b.go:22": 20, "a.go::h::if(err)": 30, "a.go:30": 30, st: 9,
		"z.go::g::tok.Decode": 20,
	} {
		a, err := j.Find(word)
		require.NoError(t, err, word)
		require.Equal(t, line, a.Site.At.Line, word)
	}
	for word, near := range map[string][]string{
		d:                     {d + "@00000001", d + "@00000002"},
		"a.go:9":              {d, st},
		"a.go:7":              {d + "@00000001", d + "@00000002", st, "a.go::h::if(err)"},
		"OPT":                 {st},
		"a.go::f::tok.Decod":  {d + "@00000001", d + "@00000002"},
		"b.go::g::tok.Docode": {"b.go::g::tok.Decode"},
		"nothing like it":     nil,
	} {
		_, err := j.Find(word)
		var wrong *TargetError
		require.ErrorAs(t, err, &wrong, word)
		require.Equal(t, near, wrong.Near, word)
		require.Equal(t, word == d || word == "a.go:9", wrong.Several, word)
	}
}

func TestStats(t *testing.T) {
	t.Parallel()
	a := found(site.Decode, d, "00000001", site.Guarded, 5)
	a.Origin, a.ByName, a.By = "generated", true, "catalogue m.Tokenizer.Decode"
	b := found(site.Decode, "a.go::g::f", "00000001", site.Unguarded, 9)
	b.By, b.Escapes = "signature", true
	c := found(site.Step, st, "00000001", site.Uncounted, 12)
	c.Test = true
	l := ledgerOf(t, "decode a.go::g::f @00000001 exempt "+why)
	j := Judge(l, scanned(a, b, c), Options{Now: today})
	s := j.Stats(l)
	require.Equal(t, KindStats{
		Kind: site.Decode, Sites: 2, States: map[site.State]int{site.Guarded: 1, site.Exempt: 1},
		Origins: map[string]int{"generated": 1, "unknown": 1}, ByName: 1, By: map[string]int{"catalogue": 1, "signature": 1}, Escapes: 1,
	}, s.Kinds[0])
	require.Equal(t, [3]int{0, 1, 1}, [3]int{s.Kinds[1].Sites, s.Tests, s.Rows})
}
