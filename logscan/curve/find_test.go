package curve

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

func textOf(ns []verdict.Note) string {
	var all []string
	for _, n := range ns {
		all = append(all, n.Code+": "+n.Text)
	}
	return strings.Join(all, "\n")
}

// Checks that could not run are named with their reason.
func TestSkippedAreNamed(t *testing.T) {
	t.Parallel()
	_, skipped := Find(healthy["three points"](1).evidence(), Thresholds{})
	got := textOf(skipped)
	require.Contains(t, got, "loss diverged, loss is flat: training loss: 3 values, 20 needed")
	require.Contains(t, got, "gradient norm is 0, gradient norm spike: no gradient norm")
	require.Contains(t, got, "steps became slower: no step time")
	require.Contains(t, got, "overfit: evaluation loss: 3 values, 5 needed")

	_, skipped = Find(&evidence.Evidence{}, Thresholds{})
	require.Contains(t, textOf(skipped), "no training loss")
	_, skipped = Find(healthy["grpo"](1).evidence(), Thresholds{})
	require.Contains(t, textOf(skipped), "reinforcement learning: its loss is no measure of progress")
	_, skipped = Find(healthy["parts of a loss without a total"](1).evidence(), Thresholds{})
	require.Contains(t, textOf(skipped), "none is named as their total")
	_, skipped = Find(healthy["fine-tuning from a good start"](1).evidence(), Thresholds{})
	require.Contains(t, textOf(skipped), "fine-tuning from a good start looks the same")
	ev := healthy["fraction"](1).evidence()
	ev.Sources[0].Sampled = true
	_, skipped = Find(ev, Thresholds{})
	require.Contains(t, textOf(skipped), "curve-sampled: ")
}

// Nothing is skipped silently: every check runs or is named.
func TestEveryCheckRunsOrIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range checks() {
		out, why := c.run(gather(&evidence.Evidence{}, Defaults()), Defaults())
		require.Empty(t, out)
		require.NotEmpty(t, why, c.code)
	}
}

func TestClassesFromTheConfiguration(t *testing.T) {
	t.Parallel()
	b := newRun(3, 128)
	ev := b.loss(b.noisy(0.02, falling(1.380, 1.368, 2))).evidence()
	found, skipped := Find(ev, Thresholds{})
	require.Empty(t, found)
	require.Contains(t, textOf(skipped), "number of classes or vocabulary size not known")
	th, err := Thresholds{}.With("classes", 4)
	require.NoError(t, err)
	found, _ = Find(ev, th)
	require.Equal(t, []string{"dead", "chance"}, codes(found))
	require.Contains(t, found[1].Text, "guessing among 4 classes costs ln(4) = 1.386")
}

func TestThresholds(t *testing.T) {
	t.Parallel()
	rows := strings.Count(strings.TrimSpace(thresholdsTSV), "\n")
	require.Len(t, List(), rows, "every row has three fields and a number")
	for _, x := range List() {
		require.NotEmpty(t, x.Reason, x.Name)
	}
	_, err := Thresholds{}.With("spike.ration", 2)
	var unknown *UnknownThresholdError
	require.True(t, errors.As(err, &unknown))

	base := Defaults()
	changed, err := base.With("spike.ratio", 1e6)
	require.NoError(t, err)
	ev := faulty["gradient-spike: as on record"](1).evidence()
	found, _ := Find(ev, changed)
	require.Empty(t, found)
	found, _ = Find(ev, base)
	require.Len(t, found, 1, "With leaves the original alone")
}

// Names used by the checks are rows of the data file, and the other way round.
func TestThresholdNamesAreUsed(t *testing.T) {
	t.Parallel()
	for _, c := range checks() {
		require.Contains(t, checksTSV, "\n"+c.code+"\t")
	}
	for _, row := range table(checksTSV, 3) {
		require.NotEmpty(t, row[2])
	}
	require.Equal(t, strings.Count(namesTSV, "\n")-1, len(table(namesTSV, 4)))
}

// The same metric from eight ranks or two file formats is one finding.
func TestRanksAreFolded(t *testing.T) {
	t.Parallel()
	ev := faulty["diverged: steadily upwards"](1).evidence()
	for range 7 {
		ev.Tracks = append(ev.Tracks, faulty["diverged: steadily upwards"](2).evidence().Tracks[0])
	}
	found, _ := Find(ev, Thresholds{})
	require.Len(t, found, 1)
}

// A run that was resumed is one curve; what was computed twice counts once.
func TestResumedRunIsOneCurve(t *testing.T) {
	t.Parallel()
	b := newRun(5, 100)
	ev := b.loss(b.noisy(0.05, falling(3, 0.5, 4))).evidence()
	tr := &ev.Tracks[0]
	again := append([]evidence.Row(nil), tr.Rows[40:]...)
	rows := append([]evidence.Row(nil), tr.Rows[:60]...)
	for _, r := range again {
		r.First.Segment, r.Last.Segment = 1, 1
		rows = append(rows, r)
	}
	tr.Rows = rows
	r := gather(ev, Defaults())
	require.Len(t, r.loss, 1)
	require.Len(t, r.loss[0].pts, 100)
	found, _ := Find(ev, Thresholds{})
	require.Empty(t, found)
}

// A sweep in one log is several trainings, not one loss that jumps up.
func TestSweepIsSeveralCurves(t *testing.T) {
	t.Parallel()
	var rows []evidence.Row
	var ev *evidence.Evidence
	for seg := range 3 {
		b := newRun(uint64(seg), 60)
		ev = b.loss(b.noisy(0.05, falling(3, 0.5, 4))).evidence()
		for _, r := range ev.Tracks[0].Rows {
			r.First.Segment, r.Last.Segment = seg, seg
			rows = append(rows, r)
		}
	}
	ev.Tracks[0].Rows = rows
	require.Len(t, gather(ev, Defaults()).loss, 3)
	found, _ := Find(ev, Thresholds{})
	require.Empty(t, found)
}

// Any table, however broken, and any threshold: no panic, no finding without evidence.
func TestAnyEvidence(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		ev := randomEvidence(r)
		th := Defaults()
		if seed%3 == 0 {
			for _, x := range List() {
				th, _ = th.With(x.Name, []float64{0, 1, 1e9}[r.IntN(3)])
			}
		}
		found, _ := Find(ev, th)
		more, _ := Compare(ev, randomEvidence(r), th)
		for _, n := range append(found, more...) {
			require.NotEmpty(t, n.Refs)
		}
	}
}

func randomEvidence(r *rand.Rand) *evidence.Evidence {
	kinds := []evidence.Kind{kLoss, kAcc, kErr, kNorm, kRate, kTime, kFast, evidence.KindCount}
	names := []string{"loss", "time", "data_time", "lr", "grad_norm", "accuracy", "wer", "num_classes", ""}
	odd := []float64{0, 1, -1, math.NaN(), math.Inf(1), 1e308, -1e308, 1e-320, 0.5}
	ev := &evidence.Evidence{}
	for range r.IntN(4) {
		t := evidence.Track{Source: "a"}
		for range r.IntN(5) {
			role := []evidence.Role{evidence.Series, evidence.Eval, evidence.Speed, evidence.Diagnostic}[r.IntN(4)]
			t.Columns = append(t.Columns, evidence.Column{Name: names[r.IntN(len(names))], Role: role, Kind: kinds[r.IntN(len(kinds))]})
		}
		for range r.IntN(60) {
			row := evidence.Row{N: 1 + r.Int64N(2), Step: evidence.Span{Has: r.IntN(2) == 0, First: evidence.Num(r.IntN(9)), Last: evidence.Num(r.IntN(9))}}
			row.First.Segment = r.IntN(2)
			for range r.IntN(len(t.Columns) + 2) {
				v := func() evidence.Num { return evidence.Num(odd[r.IntN(len(odd))] * r.Float64()) }
				n := r.Int64N(3)
				row.Cells = append(row.Cells, evidence.Cell{N: r.Int64N(3), First: v(), Last: v(), Min: v(), Max: v(), Samples: &n})
			}
			t.Rows = append(t.Rows, row)
		}
		ev.Tracks = append(ev.Tracks, t)
	}
	return ev
}

// TestRowsThatAreNoMoments: a table of models has an order, and no time.
func TestRowsThatAreNoMoments(t *testing.T) {
	t.Parallel()
	b := newRun(1, 400)
	ev := b.loss(b.noisy(0.05, falling(3, 0.5, 4))).evidence()
	table := evidence.Track{Source: "models.csv", Columns: []evidence.Column{{Name: "acc1", Printed: "acc1", Role: evidence.Eval, Kind: evidence.KindAccuracy, Split: "val"}}}
	for i := range 40 {
		v := evidence.Num([]float64{0.81, 0.35, 0.62, 0.2, 0.77}[i%5])
		at := evidence.Pos{Source: "models.csv", Offset: int64(i * 20), Line: int64(i + 2)}
		table.Rows = append(table.Rows, evidence.Row{First: at, Last: at, N: 1, Cells: []evidence.Cell{{N: 1, First: v, Last: v, Min: v, Max: v}}})
	}
	ev.Sources = append(ev.Sources, evidence.Source{ID: "models.csv", Kind: tableKind})
	ev.Tracks = append(ev.Tracks, table)
	found, _ := Find(ev, Thresholds{})
	require.Empty(t, found)
	for i := range table.Rows { // the same, counted
		table.Rows[i].Epoch = evidence.Span{Has: true, First: evidence.Num(i), Last: evidence.Num(i)}
	}
	found, _ = Find(ev, Thresholds{})
	require.Contains(t, codes(found), "oscillating")
}
