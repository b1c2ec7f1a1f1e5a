package logscan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// What happens in a recorded run of two processes that print into one log. Each
// value is another, so that it is found again.
const (
	chat = iota
	printsFault
	tellsFault
	printsValue
	tellsValue
	kinds
)

type deed struct{ what, proc int }

func someDeeds(r *rand.Rand) []deed {
	out := make([]deed, 4+r.IntN(8))
	for i := range out {
		out[i] = deed{r.IntN(kinds), r.IntN(2)}
		if (out[i].what == printsFault || out[i].what == tellsFault) && r.IntN(3) > 0 {
			out[i].what = tellsValue
		}
	}
	return out
}

// recordDeeds writes the run directory of what was done, in that order.
func recordDeeds(t *testing.T, deeds []deed) string {
	t.Helper()
	var log []byte
	var text [2][]byte
	heads := [2]record.Head{}
	for p := range heads {
		heads[p] = record.Head{Pid: 7 + p, Rank: record.None, Seq: 1, Wall: 1_700_000_000e9, Sink: &record.Sink{Device: 1, Inode: 2}}
	}
	tell := func(p, at int, body record.Body) {
		heads[p].Sink.Offset, heads[p].Wall = int64(len(log)), 1_700_000_000e9+int64(at)*1e9
		text[p] = record.Append(text[p], heads[p], body)
		heads[p].Seq++
	}
	for p := range heads {
		tell(p, 0, &record.Boot{Lang: "go", Checks: []string{"finite"}, LocalRank: record.None})
	}
	for i, d := range deeds {
		switch d.what {
		case chat:
			log = fmt.Appendf(log, "loading shard %d\n", i)
		case printsFault:
			log = append(log, aFault+"\n"...)
		case tellsFault:
			tell(d.proc, i+1, guardFault().body)
		case printsValue:
			log = fmt.Appendf(log, "val_f1: 0.%03d\n", i+100)
		case tellsValue:
			tell(d.proc, i+1, &record.Metric{Name: "accuracy", Split: "val", Value: record.Float(float64(i+100) / 1000), N: 64, Good: record.None, Step: record.None, Epoch: record.Float(math.NaN()), From: "trainer"})
		}
	}
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.Create(dir))
	require.NoError(t, rundir.WriteManifest(dir, rundir.Manifest{ID: "r", Wall: 1, World: 1,
		Capture: rundir.Capture{Mode: "file", OneOrder: true, LineFlush: true, Sinks: []rundir.Sink{{File: rundir.LogFile, Streams: []string{"out", "err"}, Device: 1, Inode: 2}}},
	}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.LogFile), log, 0o600))
	for p := range heads {
		tell(p, len(deeds)+1, &record.Count{Check: "finite", Calls: 3, Values: 30})
		tell(p, len(deeds)+1, &record.End{Why: "exit"})
		require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.RecordsDir, fmt.Sprintf("%d-1.jsonl", 7+p)), text[p], 0o600))
	}
	side, err := rundir.CreateSidecar(dir)
	require.NoError(t, err)
	for _, e := range []rundir.Event{{Type: rundir.EventStart, Wall: 1, Pid: 7}, {Type: rundir.EventExit, Wall: 4, Code: new(int)}, {Type: rundir.EventEnd, Wall: 5}} {
		require.NoError(t, side.Write(e))
	}
	require.NoError(t, side.Close())
	require.NoError(t, rundir.WriteTrailer(dir, 6, 6))
	return dir
}

// verdictsOf are the verdicts of the values by the deed that each comes from.
func verdictsOf(t *testing.T, dir string) map[int]verdict.Verdict {
	t.Helper()
	out := map[int]verdict.Verdict{}
	for _, v := range audit(t, dir, logscan.Options{All: true}).Values {
		if v.Role == evidence.Eval {
			out[int(math.Round(float64(v.Value)*1000))-100] = v.Verdict
		}
	}
	return out
}

// TestRecordedOrderIsTheTrueOne: where all that happens is recorded, a value is
// poisoned exactly if a fault came before it. The oracle knows the deeds alone.
func TestRecordedOrderIsTheTrueOne(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	seen := map[verdict.Verdict]int{}
	for range 150 {
		deeds := someDeeds(r)
		got := verdictsOf(t, recordDeeds(t, deeds))
		want := verdict.Trusted
		for i, d := range deeds {
			switch d.what {
			case printsFault, tellsFault:
				want = verdict.Poisoned
			case printsValue, tellsValue:
				require.Equal(t, want, got[i], "deed %d of %+v", i, deeds)
				seen[want]++
			}
		}
	}
	require.Greater(t, min(seen[verdict.Trusted], seen[verdict.Poisoned]), 60, "%v", seen)
}

// TestAFaultMoreMakesNoCalledValueBetter: whoever tells of it, wherever.
func TestAFaultMoreMakesNoCalledValueBetter(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 14))
	for range 80 {
		deeds := someDeeds(r)
		before := verdictsOf(t, recordDeeds(t, deeds))
		at := r.IntN(len(deeds))
		if deeds[at].what != chat {
			continue
		}
		deeds[at].what = printsFault + r.IntN(2)
		for i, v := range verdictsOf(t, recordDeeds(t, deeds)) {
			require.GreaterOrEqual(t, v, before[i], "deed %d of %+v", i, deeds)
		}
	}
}

// TestCalledValuesOfPieces: shards merged in any grouping hold the same calls.
func TestCalledValuesOfPieces(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(15, 16))
	dir := recordDeeds(t, []deed{{printsValue, 0}, {tellsValue, 0}, {printsFault, 0}, {tellsValue, 1}, {tellsFault, 1}, {chat, 0}})
	plan, err := logscan.Open(t.Context(), []string{dir}, nil, logscan.Options{})
	require.NoError(t, err)
	whole, err := plan.Scan(t.Context())
	require.NoError(t, err)
	for range 3 {
		require.Equal(t, asJSON(t, whole), asJSON(t, mergeRandomly(t, r, plan)))
	}
}
