package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// TestBudgetIsWeighedAgainstHowTheRunEnded: fewer epochs than were printed as the
// plan, or than a guard knows of, degrade the last value of a run that ended by
// itself, and of no other.
func TestBudgetIsWeighedAgainstHowTheRunEnded(t *testing.T) {
	t.Parallel()
	short := evidence.Finding{Code: "budget", Class: "quality", Effect: "degrade", Scope: evidence.Process, Text: "2 of 3 planned epochs", At: evidence.Pos{Source: "record", Line: 9}, Count: 1}
	ok, failed := 0, 1
	tests := map[string]struct {
		epochs  float64 // printed as the plan
		found   []evidence.Finding
		meant   string
		exit    *int
		ending  string
		told    []string
		stopped bool // the log says that it stopped early
		want    Verdict
	}{
		"as printed":                       {2, nil, "", &ok, "exit", nil, false, Trusted},
		"nothing was planned":              {0, nil, "", &ok, "exit", nil, false, Trusted},
		"fewer than printed":               {3, nil, "", &ok, "exit", nil, false, Degraded},
		"a loop that may be left":          {3, nil, "a loop that is left at train.py:7", &ok, "exit", nil, false, Trusted},
		"a guard counted fewer":            {0, []evidence.Finding{short}, "", &ok, "exit", nil, false, Degraded},
		"it says that it stopped early":    {3, []evidence.Finding{short}, "", &ok, "exit", nil, true, Trusted},
		"it failed":                        {3, []evidence.Finding{short}, "", &failed, "exit", nil, false, Trusted},
		"it was sent a signal":             {3, []evidence.Finding{short}, "", &ok, "exit", []string{"SIGTERM"}, false, Trusted},
		"it was preempted":                 {3, []evidence.Finding{short}, "", &ok, "preempted", nil, false, Trusted},
		"how it ended is not known":        {3, []evidence.Finding{short}, "", nil, "unknown", nil, false, Trusted},
		"data without a length, no number": {1e9, nil, "", &ok, "exit", nil, false, Trusted},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			track := evidence.Track{Source: "log", Format: "kv", Epochs: tt.epochs, Columns: []evidence.Column{{Name: "val_accuracy", Role: evidence.Eval, Kind: evidence.KindAccuracy}}}
			for i := range 2 {
				at, n := evidence.Pos{Source: "log", Offset: int64(100 * i), Line: int64(i + 1)}, evidence.Num(i+1)
				track.Rows = append(track.Rows, evidence.Row{First: at, Last: at, N: 1, Epoch: evidence.Span{Has: true, First: n, Last: n},
					Cells: []evidence.Cell{{N: 1, First: 0.8, Last: 0.8 + n/100, Min: 0.8, Max: 0.9, Text: "0.8"}}})
			}
			ev := &evidence.Evidence{
				Sources: []evidence.Source{{ID: "log", Group: "log", Capture: &evidence.Capture{Sealed: true, OneOrder: true, ExitKnown: true}}},
				Tracks:  []evidence.Track{track},
				Run: &evidence.Run{ID: "run", Manifest: true, Trailer: true, Sealed: true, Exit: tt.exit, Ending: tt.ending, Told: tt.told, Findings: tt.found,
					Held: []evidence.Held{{Code: "budget", Effect: "note", Group: "plan of 7", Member: "rank 0", Expect: "nothing",
						Items: []evidence.HeldItem{{Step: -1, Name: "passes", Value: "2"}, {Step: -1, Name: "meant", Value: tt.meant}}}}},
			}
			if tt.stopped {
				ev.Decisions = []evidence.Decision{{At: evidence.Pos{Source: "log", Offset: 50}, Topic: "early stop", Got: "early stopping"}}
			}
			res, err := Judge(ev, DefaultConfig())
			require.NoError(t, err)
			require.Len(t, res.Claims, 1)
			require.Equal(t, tt.want, res.Claims[0].Verdict, "%v", res.Claims[0].Why)
			for _, s := range res.Series {
				require.Equal(t, Trusted, s.Stretches[0].Verdict, "what was measured on the way stays")
			}
		})
	}
}
