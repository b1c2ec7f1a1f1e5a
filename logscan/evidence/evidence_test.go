package evidence

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// shards draws evidence of every shape, NaN and equal places included.
func shards(t *rapid.T) []Evidence {
	number := rapid.OneOf(
		rapid.Float64(),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)}),
	)
	num := rapid.Map(number, func(f float64) Num { return Num(f) })
	pos := rapid.Custom(func(t *rapid.T) Pos {
		return Pos{Source: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "source"), Offset: int64(rapid.IntRange(0, 2).Draw(t, "offset"))}
	})
	small := rapid.IntRange(0, 2)
	marker := rapid.Custom(func(t *rapid.T) Marker {
		return Marker{ID: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "id"), First: pos.Draw(t, "first"), Text: rapid.String().Draw(t, "text"),
			Attrs: map[string]string{"pid": rapid.SampledFrom([]string{"1", "2"}).Draw(t, "pid")}, Count: int64(small.Draw(t, "count"))}
	})
	row := rapid.Custom(func(t *rapid.T) Row {
		return Row{First: pos.Draw(t, "first"), N: 1, Cells: []Cell{{N: 1, First: num.Draw(t, "value"), Last: num.Draw(t, "last")}}}
	})
	track := rapid.Custom(func(t *rapid.T) Track {
		return Track{Source: "a", Format: rapid.SampledFrom([]string{"hf", "tqdm"}).Draw(t, "format"), Rows: rapid.SliceOfN(row, 0, 2).Draw(t, "rows")}
	})
	finding := rapid.Custom(func(t *rapid.T) Finding {
		return Finding{Code: "c", Effect: "poison", At: pos.Draw(t, "at"), Text: rapid.String().Draw(t, "text")}
	})
	exits := []*int{nil, ptr(0), ptr(1), ptr(137)}
	run := rapid.Custom(func(t *rapid.T) *Run {
		return &Run{
			ID: rapid.SampledFrom([]string{"", "r1", "r2"}).Draw(t, "id"), Manifest: rapid.Bool().Draw(t, "manifest"),
			Exit: rapid.SampledFrom(exits).Draw(t, "exit"), Ending: rapid.SampledFrom([]string{"", "exit", "signal"}).Draw(t, "ending"),
			Sealed: rapid.Bool().Draw(t, "sealed"), World: small.Draw(t, "world"),
			Damage:   rapid.SliceOfN(rapid.SampledFrom([]string{"p", "q"}), 0, 2).Draw(t, "damage"),
			Findings: rapid.SliceOfN(finding, 0, 2).Draw(t, "findings"),
			Metrics:  []Reported{{Name: "loss", Points: []ReportedPoint{{Value: num.Draw(t, "reported")}}}},
		}
	})
	one := rapid.Custom(func(t *rapid.T) Evidence {
		e := Evidence{
			Version:    Version,
			Sources:    []Source{{ID: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "id"), Bytes: int64(small.Draw(t, "bytes"))}},
			Boundaries: rapid.SliceOfN(rapid.Map(pos, func(p Pos) Boundary { return Boundary{At: p, Kind: "restart"} }), 0, 2).Draw(t, "boundaries"),
			Markers:    rapid.SliceOfN(marker, 0, 3).Draw(t, "markers"),
			Tracks:     rapid.SliceOfN(track, 0, 2).Draw(t, "tracks"),
			Decisions:  rapid.SliceOfN(rapid.Map(pos, func(p Pos) Decision { return Decision{At: p} }), 0, 2).Draw(t, "decisions"),
			Artifacts:  rapid.SliceOfN(rapid.Map(pos, func(p Pos) Artifact { return Artifact{At: p} }), 0, 2).Draw(t, "artifacts"),
			Unread:     rapid.SliceOfN(rapid.Just(Unread{Path: "p", Why: "w"}), 0, 1).Draw(t, "unread"),
		}
		if rapid.Bool().Draw(t, "has run") {
			e.Run = run.Draw(t, "run")
		}
		return e
	})
	return rapid.SliceOfN(one, 0, 5).Draw(t, "shards")
}

func ptr(n int) *int { return &n }

func text(t require.TestingT, e Evidence) string {
	b, err := json.MarshalIndent(e, "", " ")
	require.NoError(t, err)
	return string(b)
}

// TestMergeDoesNotDependOnOrderOrGrouping: shards merged in any grouping give
// the same evidence, hence the same verdicts.
func TestMergeDoesNotDependOnOrderOrGrouping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := shards(t)
		before := make([]string, len(parts))
		for i := range parts {
			before[i] = text(t, parts[i])
		}
		want := text(t, Merge(parts...))

		shuffled := rapid.Permutation(parts).Draw(t, "order")
		require.Equal(t, want, text(t, Merge(shuffled...)), "another order")

		cut := rapid.IntRange(0, len(shuffled)).Draw(t, "cut")
		require.Equal(t, want, text(t, Merge(Merge(shuffled[:cut]...), Merge(shuffled[cut:]...))), "another grouping")

		one := Merge()
		for _, p := range shuffled {
			one = Merge(one, p)
		}
		require.Equal(t, want, text(t, one), "one by one")
		for i := range parts {
			require.Equal(t, before[i], text(t, parts[i]), "a part was changed by merging")
		}
	})
}

func TestEvidenceSurvivesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Merge(shards(t)...)
		var got Evidence
		require.NoError(t, json.Unmarshal([]byte(text(t, want)), &got))
		require.Equal(t, text(t, want), text(t, got))
	})
}

func TestNumKeepsEveryFloat(t *testing.T) {
	for _, f := range []float64{0, math.Copysign(0, -1), 0.1, 1e22, 1e-300, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1)} {
		b, err := json.Marshal(Num(f))
		require.NoError(t, err)
		var got Num
		require.NoError(t, json.Unmarshal(b, &got))
		require.Equal(t, math.Float64bits(f), math.Float64bits(float64(got)), "%s", b)
	}
	b, err := json.Marshal([]Num{Num(math.NaN())})
	require.NoError(t, err)
	require.Equal(t, `["nan"]`, string(b))
	var got []Num
	require.NoError(t, json.Unmarshal(b, &got))
	require.True(t, math.IsNaN(float64(got[0])))
	for _, bad := range []string{`"fast"`, `1e999`, `true`, `[1]`, `{}`} {
		require.Error(t, json.Unmarshal([]byte("["+bad+"]"), &got), bad)
	}
}

// TestJoinedRunsKnowOnlyWhatBothKnow: a directory without an exit cannot be
// hidden behind one that has it.
func TestJoinedRunsKnowOnlyWhatBothKnow(t *testing.T) {
	good := &Run{ID: "n0", Manifest: true, Trailer: true, Sealed: true, Exit: ptr(0), Ending: "exit"}
	lost := &Run{ID: "n1", Manifest: true}
	got := Merge(Evidence{Run: good}, Evidence{Run: lost}).Run
	require.Equal(t, &Run{ID: "n0+n1", Manifest: true, Ending: "exit"}, got)
	failed := &Run{ID: "n1", Manifest: true, Trailer: true, Sealed: true, Exit: ptr(3), Ending: "exit"}
	got = Merge(Evidence{Run: failed}, Evidence{Run: good}).Run
	require.Equal(t, ptr(3), got.Exit)
	require.True(t, got.Sealed)
}
