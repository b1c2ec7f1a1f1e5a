package ledger

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trainvet/trainvet/analyzers/site"
)

var update = flag.Bool("update", false, "write the golden files anew")

const goldenFile = "../../testdata/contracts/trainvet.ledger"

func sample() Ledger {
	id := func(path, fn, callee string, n int) site.ID {
		return site.ID{Path: path, Func: fn, Callee: callee, Ordinal: n}
	}
	return Ledger{Comments: []string{"# owners: speech team"}, Rows: []Row{
		{Kind: site.Step, ID: id("train.py", "Trainer._run_batch", "scaler.step", 2), Shape: "0b77de12", State: site.Exempt, Reason: "warm-up discriminator, the skip is counted by GanLoop.tick"},
		{Kind: site.Decode, ID: id("trl/trainer/ppo.py", "PPOTrainer.evaluate", "batch_decode", 1), Shape: "9f3c11ab", State: site.Guarded},
		{Kind: site.Step, ID: id("train.py", "Trainer._run_batch", "scaler.step", 1), Shape: "0b77de12", State: site.Counted},
		{Kind: site.Step, ID: id("train.py", "Trainer._run_batch", "scaler.step", 1), Shape: "1b77de12", State: site.CountedWeak},
		{Kind: site.Decode, ID: id("examples/a show.py", "main", "decode", 1), Shape: "51aa0c7e", State: site.Exempt,
			Reason: "prints the \"prompt\" it just tokenized; ids never leave the CPU", By: "Ada L", Until: "2027-06-30", Tags: []string{"cuda", "linux"}},
		{Kind: site.Handler, ID: id("eval/asr.py", "label_shard", "except(Exception)", 1), Shape: "77c0f1d2", State: site.Exempt,
			Reason: "per-file table of decode errors; Fault is re-raised two lines above", Until: "2027-01-31", Rule: "TV201"},
		{Kind: site.Implicit, ID: id("app.py", "<module>", "pipeline", 1), Shape: "00aa11bb", State: site.Runtime},
	}}
}

func TestGolden(t *testing.T) {
	got := sample().Format()
	if *update {
		require.NoError(t, os.WriteFile(goldenFile, got, 0o644))
	}
	want, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	back, err := Parse("l", want)
	require.NoError(t, err)
	require.Equal(t, string(want), string(back.Format()))
	require.Len(t, back.Rows, 7)
	body := strings.Split(strings.TrimSpace(string(want)), "\n")[2:]
	require.True(t, slices.IsSorted(body))
}

const head = Header + "\n"

func TestParseForgives(t *testing.T) {
	want, err := Parse("l", []byte(head+"decode a.py::f::decode @00000000 guarded\nstep a.py::f::o.step @00000000 counted\n"))
	require.NoError(t, err)
	for name, in := range map[string]string{
		"crlf":            strings.ReplaceAll(head+"decode a.py::f::decode @00000000 guarded\nstep a.py::f::o.step @00000000 counted\n", "\n", "\r\n"),
		"order":           head + "step a.py::f::o.step @00000000 counted\ndecode a.py::f::decode @00000000 guarded\n",
		"padding":         head + "step   a.py::f::o.step\t@00000000   counted  \n\n  \ndecode a.py::f::decode @00000000 guarded",
		"union merge":     head + "decode a.py::f::decode @00000000 guarded\n" + head + "decode a.py::f::decode @00000000 guarded\nstep a.py::f::o.step @00000000 counted\n",
		"byte order mark": "\xef\xbb\xbf" + head + "decode a.py::f::decode @00000000 guarded\nstep a.py::f::o.step @00000000 counted\n",
		"other header":    "# trainvet ledger v1 — sorted by id\ndecode a.py::f::decode @00000000 guarded\nstep a.py::f::o.step @00000000 counted\n",
	} {
		got, err := Parse("l", []byte(in))
		require.NoError(t, err, name)
		require.Equal(t, string(want.Format()), string(got.Format()), name)
	}
	empty, err := Parse("l", nil)
	require.NoError(t, err)
	require.Equal(t, head, string(empty.Format()))
}

func TestSeveralRules(t *testing.T) {
	l, err := Parse("l", []byte(head+"catch a.go::f::if(err) @00000000 exempt reason=\"the table below counts them\" rule=TV202,TV201,TV202\n"))
	require.NoError(t, err)
	require.Equal(t, "TV201,TV202", l.Rows[0].Rule)
	require.True(t, l.Rows[0].Covers("TV202"))
	require.False(t, l.Rows[0].Covers("TV209"))
	_, err = Parse("l", []byte(head+"catch a.go::f::if(err) @00000000 exempt rule=TV201,\n"))
	require.ErrorContains(t, err, "is no code")
}

func TestParseErrors(t *testing.T) {
	const good = "decode a.py::f::decode @00000000 "
	for _, tt := range []struct {
		name, in     string
		line, column int
		text         string
	}{
		{"no header", good + "guarded", 1, 1, "a ledger starts with"},
		{"version", "# trainvet ledger v2\n", 1, 20, `version "2"`},
		{"kind", head + "dream a::b::c @00000000 guarded", 2, 1, "no kind of site"},
		{"id", head + "decode a::b @00000000 guarded", 2, 8, "no site id"},
		{"no shape", head + "decode a::b::c guarded", 2, 16, "no shape"},
		{"shape in capitals", head + "decode a::b::c @0000000A guarded", 2, 16, "no shape"},
		{"state of another kind", head + good + "counted", 2, 34, "cannot be \"counted\""},
		{"no state", head + "decode a::b::c @00000000", 2, 25, "cannot be \"\""},
		{"unknown attribute", head + good + "exempt because=x", 2, 41, "no attribute, they are reason, by"},
		{"no value", head + good + "exempt by= until=2027-01-01", 2, 41, "by is empty"},
		{"word", head + good + "guarded indeed", 2, 42, "no key=value"},
		{"open text", head + good + `exempt reason="abc`, 2, 41, "has no end"},
		{"glued text", head + good + `exempt reason="abc"by=x`, 2, 53, "a space is missing"},
		{"twice", head + good + "exempt by=a by=b", 2, 46, "by is given twice"},
		{"day", head + good + "exempt until=2027-02-30", 2, 41, "is no day"},
		{"rule", head + good + "exempt rule=201", 2, 41, "is no code"},
		{"merge", head + "<<<<<<< HEAD\n", 2, 1, "a merge was left unfinished"},
		{"conflict", head + good + "guarded\n" + good + "unguarded", 3, 1, "conflicts with line 2"},
		{"long", head + "decode " + strings.Repeat("x", maxLine), 2, 1, "bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("trainvet.ledger", []byte(tt.in))
			var e *Error
			require.True(t, errors.As(err, &e), "%v", err)
			require.Contains(t, e.Text, tt.text)
			require.Equal(t, [2]int{tt.line, tt.column}, [2]int{e.Line, e.Column}, e.Text)
			require.Equal(t, "trainvet.ledger", e.File)
		})
	}
}

func TestParseGoesOnBehindAnError(t *testing.T) {
	l, err := Parse("l", []byte(head+"dream a::b::c @00000000 guarded\ndecode a::b::c @00000000 guarded\nstep x\n"))
	require.Len(t, l.Rows, 1)
	require.Len(t, err, 2)
}

func TestReasons(t *testing.T) {
	for reason, ok := range map[string]bool{
		"": false, "short": false, "TODO TODO TODO": false, "fixme: explain later": false, "xxxxxxxxxxxxxxxx": false,
		"false positive, ignore": false, "............ ...": false, "not needed for now": false,
		"ids come from the tokenizer and never leave the CPU": true,
		"только подсказка, без устройства":                    true,
		"warm-up discriminator":                               true,
	} {
		require.Equal(t, ok, Row{State: site.Exempt, Reason: reason}.Problem() == "", reason)
	}
	require.Empty(t, Row{State: site.Guarded}.Problem())
}

func TestExpiry(t *testing.T) {
	r := Row{Until: "2027-06-30"}
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateTime, s)
		require.NoError(t, err)
		return d
	}
	require.False(t, r.Expired(day("2027-06-30 23:59:59")))
	require.True(t, r.Expired(day("2027-07-01 00:00:00")))
	left, ends := r.Left(day("2027-06-30 12:00:00"))
	require.True(t, ends)
	require.Equal(t, 1, left)
	left, _ = r.Left(day("2027-08-01 12:00:00"))
	require.Zero(t, left)
	_, ends = Row{}.Left(day("2027-08-01 12:00:00"))
	require.False(t, ends)
}

// TestUnionMerge: two branches that each add rows merge by taking all lines.
func TestUnionMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfNDistinct(rapid.Custom(drawRow), 0, 12, func(r Row) string { return r.ID.String() + string(r.Kind) + string(r.Shape) }).Draw(t, "rows")
		cut := rapid.IntRange(0, len(rows)).Draw(t, "cut")
		a, b := Ledger{Rows: rows[:cut]}.Format(), Ledger{Rows: rows[cut:]}.Format()
		merged, err := Parse("l", append(a, b...))
		require.NoError(t, err)
		require.Equal(t, string(Ledger{Rows: rows}.Format()), string(merged.Format()))
	})
}

func drawRow(t *rapid.T) Row {
	kind := rapid.SampledFrom([]site.Kind{site.Decode, site.Step, site.Implicit, site.Handler}).Draw(t, "kind")
	part := rapid.StringN(1, 8, -1)
	r := Row{
		Kind:  kind,
		ID:    site.ID{Path: part.Draw(t, "path"), Func: part.Draw(t, "func"), Callee: part.Draw(t, "callee"), Ordinal: rapid.IntRange(1, 3).Draw(t, "n")},
		Shape: site.Shape(rapid.StringMatching("[0-9a-f]{8}").Draw(t, "shape")),
		State: rapid.SampledFrom(site.States(kind)).Draw(t, "state"),
	}
	if r.State == site.Exempt {
		r.Reason = rapid.StringN(1, 30, -1).Draw(t, "reason")
		r.By = rapid.StringN(0, 6, -1).Draw(t, "by")
		r.Until = rapid.SampledFrom([]string{"", "2027-06-30"}).Draw(t, "until")
	}
	return r
}

func FuzzParse(f *testing.F) {
	f.Add(sample().Format())
	f.Add([]byte(head + "decode a::b::c @00000000 exempt reason=\"x\\u2028\" tags=b,a"))
	f.Add([]byte("<<<<<<< a\n# x\nstep"))
	f.Fuzz(func(t *testing.T, in []byte) {
		l, _ := Parse("l", in)
		text := l.Format()
		again, err := Parse("l", text)
		if err != nil {
			t.Fatalf("what Format writes is refused: %v\n%q", err, text)
		}
		if got := again.Format(); !bytes.Equal(got, text) {
			t.Fatalf("not stable:\n%q\n%q", text, got)
		}
		if len(again.Rows) != len(l.Rows) {
			t.Fatalf("%d rows became %d", len(l.Rows), len(again.Rows))
		}
	})
}
