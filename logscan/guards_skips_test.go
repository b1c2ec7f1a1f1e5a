//go:build unix

package logscan_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// TestSkipsAgainstExactCounts holds the verdict on values that are only printed
// against the rule applied to exact counts: what the ledger writes of itself
// must be enough, between two of its records too.
func TestSkipsAgainstExactCounts(t *testing.T) {
	t.Parallel()
	cfg := verdict.DefaultConfig()
	rng := rand.New(rand.NewPCG(3, 4))
	checked, degraded := 0, 0
	for range 60 {
		skipped := skipPattern(rng)
		dir, steps := recordSkips(t, skipped)
		res := auditGuarded(t, dir)
		for _, n := range steps {
			want, near := judgeExactly(cfg, skipped[:n])
			if near {
				continue
			}
			checked++
			v := valueAt(t, res, "eval_wer", float64(n))
			got := false
			for _, r := range v.Why {
				got = got || r.Code == "steps-skipped" || r.Code == "skips-last"
			}
			if got {
				degraded++
			}
			require.Equal(t, want, got, "%d of %d skipped: %s", count(skipped[:n]), n, explain(v))
		}
	}
	require.Greater(t, checked, 200)
	require.Greater(t, degraded, 50)
}

// skipPattern draws which of a run's steps are skipped: lone ones and stretches.
func skipPattern(rng *rand.Rand) []bool {
	skipped := make([]bool, 20+rng.IntN(600))
	for range rng.IntN(8) {
		from, length := rng.IntN(len(skipped)), 1+rng.IntN(3)
		if rng.IntN(4) == 0 {
			length = 10 + rng.IntN(30)
		}
		for i := from; i < min(from+length, len(skipped)); i++ {
			skipped[i] = true
		}
	}
	return skipped
}

// recordSkips trains with the pattern and prints a value at some steps.
func recordSkips(t *testing.T, skipped []bool) (dir string, printed []int) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.Create(dir))
	run := guards.New(guards.Options{Dir: dir})
	steps := run.Steps("AdamW")
	var log strings.Builder
	for i, skip := range skipped {
		n := i + 1
		run.SetStep(int64(n))
		steps.Step(!skip, 1)
		fmt.Fprintf(&log, "step %d loss %.4f\n", n, 2-float64(n)/1000)
		if n%(len(skipped)/7+1) == 0 || n == len(skipped) {
			fmt.Fprintf(&log, "step %d eval_wer %.4f\n", n, 0.9-float64(n)/1000)
			printed = append(printed, n)
		}
	}
	require.NoError(t, run.Close())
	require.NoError(t, rundir.WriteManifest(dir, rundir.Manifest{ID: "skips", Capture: rundir.Capture{Mode: "file", OneOrder: true, LineFlush: true}}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.LogFile), []byte(log.String()), 0o600))
	return dir, printed
}

// judgeExactly is the rule of design.md. Near: the ledger's spacing, 1 in 16,
// may decide.
func judgeExactly(cfg *verdict.Config, skipped []bool) (counts, near bool) {
	n, k := float64(len(skipped)), float64(count(skipped))
	if k == 0 {
		return false, false
	}
	share, row, longest, last := k/n, int64(0), int64(0), 0
	for i, s := range skipped {
		if row++; !s {
			row = 0
		} else {
			last = i + 1
		}
		longest = max(longest, row)
	}
	limit := cfg.SkipShare
	tail := false
	if int64(len(skipped)) < cfg.SkipShortRun {
		limit = cfg.SkipShortShare
		tail = float64(last) > (1-cfg.SkipTailShare)*n
		near = near || !tail && float64(last) > (1-cfg.SkipTailShare)*n*15/16
	}
	counts = share >= limit || tail || longest >= cfg.SkipInARow || row >= cfg.SkipLast
	if !counts {
		near = near || share > limit*15/16
	}
	near = near || n > 0.9*float64(cfg.SkipShortRun) && n < 1.1*float64(cfg.SkipShortRun)
	return counts, near
}

func count(skipped []bool) (n int) {
	for _, s := range skipped {
		if s {
			n++
		}
	}
	return n
}
