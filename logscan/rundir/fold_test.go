package rundir

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

func TestThinKeepsFirstLastAndEvenSpacing(t *testing.T) {
	for _, n := range []int{1, 2, maxPoints, maxPoints + 1, 5000, 100_000} {
		var list []int
		var th thinner
		for i := range n {
			list = thin(&th, list, i)
			require.Equal(t, i, list[len(list)-1])
		}
		require.LessOrEqual(t, len(list), maxPoints)
		require.Equal(t, 0, list[0])
		require.True(t, slices.IsSorted(list))
		require.Len(t, slices.Compact(slices.Clone(list)), len(list))
		for _, v := range list[:len(list)-1] {
			require.Zero(t, v%(1<<th.shift))
		}
	}
}

func TestManyFindingsAreFoldedNeverNarrowed(t *testing.T) {
	p := newProcess(evidence.Boot{Pid: 1})
	for step := range int64(3 * maxFindings) {
		p.addFinding(&record.Finding{Code: "nonfinite-gradient", Effect: record.Degrade, Scope: "process", From: step + 5, Until: step + 5}, evidence.Pos{Offset: step}, nil)
	}
	p.addFinding(&record.Finding{Code: "nonfinite-gradient", Effect: record.Degrade, Scope: "process", From: 1, Until: record.None}, evidence.Pos{Offset: 9}, nil)
	p.addFinding(&record.Finding{Code: "other", Effect: record.Note, Scope: "process", From: 1, Until: 1}, evidence.Pos{}, nil)
	require.Len(t, p.findings, maxFindings+1)
	first := p.findings[0]
	require.EqualValues(t, 2*maxFindings+2, first.Count)
	require.EqualValues(t, 1, *first.From)
	require.Nil(t, first.Until)
	require.Equal(t, "other", p.findings[maxFindings].Code)
}

func TestManySkipsKeepTheirSumAndLongestRow(t *testing.T) {
	l := &ledger{}
	var sum int64
	for i := range int64(5000) {
		n := int64(1)
		if i == 777 {
			n = 25
		}
		sum += n
		l.addSkip(&record.Skip{Count: n, Total: sum, From: 100 * i, Until: 100*i + n - 1}, evidence.Pos{Offset: i}, nil)
	}
	var got, row int64
	for _, s := range l.out.Skips {
		got += s.N
		row = max(row, s.InRow)
	}
	require.Equal(t, sum, got)
	require.Equal(t, sum, l.out.Skipped)
	require.EqualValues(t, 25, row)
	require.True(t, l.out.Folded)
	require.LessOrEqual(t, len(l.out.Skips), maxSkips)
}

// TestStretchInPiecesStaysOne: folded or not, pieces that touch are one stretch.
func TestStretchInPiecesStaysOne(t *testing.T) {
	l := &ledger{}
	for i := range int64(4000) {
		from := i + i/40*10 // 40 skips one by one, then 10 steps that were applied
		l.addSkip(&record.Skip{Count: 1, Total: i + 1, From: from, Until: from}, evidence.Pos{Offset: i}, nil)
	}
	var row, most int64
	for i := range l.out.Skips {
		s := &l.out.Skips[i]
		if i > 0 && l.out.Skips[i-1].GoesOnIn(s) {
			row += s.InRow
		} else {
			row = s.InRow
		}
		most = max(most, row)
	}
	require.True(t, l.out.Folded)
	require.LessOrEqual(t, most, int64(40))
	require.GreaterOrEqual(t, most, int64(32))
}

func TestMetricsKeepExtremesAndNaN(t *testing.T) {
	p := newProcess(evidence.Boot{Pid: 1})
	for i := range int64(3000) {
		v := float64(i % 7)
		if i == 1501 {
			v = math.NaN()
		}
		p.metricOf(&record.Metric{Name: "loss"}).add(&record.Metric{Value: record.Float(v), Epoch: record.Float(math.NaN()), N: record.None, Good: record.None, Step: i}, evidence.Pos{}, nil)
	}
	r := p.metrics[0].result()
	require.EqualValues(t, 3000, r.N)
	require.EqualValues(t, 1, r.NonFinite)
	require.EqualValues(t, 0, r.Min)
	require.EqualValues(t, 6, r.Max)
	require.Nil(t, r.Points[0].Epoch)
	require.EqualValues(t, 2999, *r.Points[len(r.Points)-1].Step)
}

// TestDamagedRecordsLeaveAGap: every kind of damage ends in a boot that says so.
func TestDamagedRecordsLeaveAGap(t *testing.T) {
	whole := sampleRecords()
	for _, tt := range []struct {
		name string
		recs []record.Record
		tail string
	}{
		{"torn", whole, `{"v":1`},
		{"first record gone", whole[1:], ""},
		{"middle record gone", slices.Delete(slices.Clone(whole), 4, 5), ""},
		{"text", nil, "hello\n"},
		{"empty", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var text []byte
			for _, r := range tt.recs {
				text = record.Append(text, r.Head, r.Body)
			}
			d := writeRecords(t, append(text, tt.tail...))
			boots := d.Evidence().Boots
			require.Len(t, boots, 1)
			require.True(t, boots[0].Gap)
			require.NotEmpty(t, boots[0].Issues)
		})
	}
}

// TestForkedChildrenAreNotSilent: they carry the hooks of their parent.
func TestForkedChildrenAreNotSilent(t *testing.T) {
	head := func(seq uint64) record.Head { return record.Head{Pid: 10, Seq: seq, Rank: record.None} }
	text := record.Append(nil, head(1), &record.Boot{Checks: []string{"decode"}, Start: 1000, LocalRank: record.None})
	text = record.Append(text, head(2), &record.Child{Pid: 11, How: "fork"})
	d := writeRecords(t, text)
	d.Events = []Event{
		{Type: EventProcess, Pid: 10, Started: 1000 + startSlack, Library: "libtorch"},
		{Type: EventProcess, Pid: 11, Started: 2000, Library: "libtorch"},
		{Type: EventProcess, Pid: 12, Argv: []string{"python", "-I", "eval.py"}, Library: "libtorch"},
		{Type: EventProcess, Pid: 10, Started: 5 * startSlack, Argv: []string{"reused"}, Library: "libtorch"},
		{Type: EventProcess, Pid: 13, Argv: []string{"bash"}},
	}
	require.Equal(t, []string{
		"process 10 (reused), which loaded libtorch",
		"process 12 (python -I eval.py), which loaded libtorch",
	}, d.Evidence().Silent)
}

// TestUnheardAreNotSilent: where nobody promised guards, processes without them
// are named for what was not checked, and no claim falls for it.
func TestUnheardAreNotSilent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, Create(dir))
	m := sampleManifest()
	m.Python = false
	require.NoError(t, WriteManifest(dir, m))
	d, err := Read(dir)
	require.NoError(t, err)
	d.Events = []Event{{Type: EventProcess, Pid: 12, Argv: []string{"python", "train.py"}, Library: "libtorch"}}
	require.Equal(t, []string{"process 12 (python train.py), which loaded libtorch"}, d.Evidence().Unheard)
	require.Empty(t, d.Evidence().Silent)
}
