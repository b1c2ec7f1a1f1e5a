package logscan

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// point is a record with one metric.
func point(name string, role evidence.Role, step, total, epoch float64) *metric.Record {
	r := &metric.Record{Format: "kv", Fields: []metric.Field{{Name: name, Role: role}}}
	if step >= 0 {
		r.Step = metric.Counter{Has: true, Name: "step", Value: step, Total: total}
	}
	if epoch >= 0 {
		r.Epoch = metric.Counter{Has: true, Name: "epoch", Value: epoch}
	}
	return r
}

// TestCountersOfOneRunDoNotGoBack: what public logs print in one run.
func TestCountersOfOneRunDoNotGoBack(t *testing.T) {
	t.Parallel()
	tests := map[string]func(epoch float64) []*metric.Record{
		"batches under one tag and epochs under another": func(e float64) []*metric.Record {
			return []*metric.Record{point("batch_loss", evidence.Series, 8*e, 0, -1), point("epoch_loss", evidence.Series, e, 0, -1)}
		},
		"two engines, one counter inside the epoch and one through the run": func(e float64) []*metric.Record {
			return []*metric.Record{point("speed", evidence.Speed, 10*e, 0, 0), point("act_loss", evidence.Series, 10*e-1, 0, 0)}
		},
		"steps begin anew in each epoch that another line names": func(e float64) []*metric.Record {
			return []*metric.Record{point("loss", evidence.Series, 10, 0, e), point("time", evidence.Speed, 90, 0, -1), point("time", evidence.Speed, 99, 0, -1)}
		},
		"passes over an evaluation set": func(e float64) []*metric.Record {
			return []*metric.Record{point("acc", evidence.Eval, 10, 90, -1), point("acc", evidence.Eval, 70, 90, -1)}
		},
	}
	for name, records := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startWatch{lastCrash: -1}
			for e := 1.0; e < 6; e++ {
				for _, r := range records(e) {
					b, back := w.record(r, "log")
					require.False(t, back, fmt.Sprintf("epoch %g: %s", e, b.Text))
				}
			}
			first := records(1)[0]
			if first.Fields[0].Role == evidence.Eval {
				return // another pass
			}
			_, back := w.record(first, "log")
			require.True(t, back, "a second run is seen")
		})
	}
}

func TestFlushStretchIsTheConfigurations(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.log")
	require.NoError(t, os.WriteFile(path, []byte("step 1 loss 2.0\nError: command buffer exited with error status.\nstep 2 loss 1.9\n"), 0o600))
	for stretch, want := range map[int64]verdict.Verdict{4096: verdict.Poisoned, 4: verdict.Unproven} {
		cfg := verdict.DefaultConfig()
		cfg.FlushStretch = stretch
		res, _, err := Audit(t.Context(), []string{path}, nil, Options{Config: cfg})
		require.NoError(t, err)
		require.Equal(t, want, res.Headline, "a stretch of 16 bytes against %d", stretch)
	}
}
