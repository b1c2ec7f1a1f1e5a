package logscan_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// healthyRun is a log in which nothing is wrong; scary lines are strewn in as data.
func healthyRun(r *rand.Rand, scary []string) string {
	var b strings.Builder
	loss := 2.5
	for step := 10; step <= 600; step += 10 {
		loss *= 0.97 + 0.02*r.Float64()
		fmt.Fprintf(&b, "{'loss': %.4f, 'grad_norm': %.6f, 'learning_rate': %.3e, 'epoch': %.2f}\n", loss, 1+r.Float64(), 1e-4*(1-float64(step)/700), float64(step)/200)
		if step%200 == 0 {
			fmt.Fprintf(&b, "{'eval_loss': %.4f, 'eval_accuracy': %.4f, 'eval_runtime': 3.2, 'epoch': %.1f}\n", loss+0.1, 0.5+float64(step)/2000+r.Float64()/100, float64(step)/200)
		}
		if len(scary) > 0 && r.IntN(3) == 0 {
			fmt.Fprintln(&b, scary[r.IntN(len(scary))])
		}
	}
	return b.String()
}

// scaryLines are healthy lines that name faults: quotations, zero counters,
// advice. Lines that are metrics themselves are left out.
func scaryLines(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("marker/testdata/healthy.txt")
	require.NoError(t, err)
	var out []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if strings.Contains(strings.ToLower(line), "loss") || strings.Contains(line, "eval") || strings.Contains(line, "acc") {
			continue
		}
		out = append(out, line)
	}
	require.Greater(t, len(out), 200)
	return out
}

func writeRun(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestHealthyLogStaysTrustedWhateverScaryWordsItHolds(t *testing.T) {
	t.Parallel()
	scary := scaryLines(t)
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		path := writeRun(t, t.TempDir(), "run.log", healthyRun(r, scary))
		res, _, err := logscan.Audit(t.Context(), []string{path}, nil, logscan.Options{})
		require.NoError(t, err)
		for _, c := range res.Claims {
			require.Equal(t, verdict.Trusted, c.Verdict, "seed %d: %s: %v", seed, c.Name, c.Why)
		}
		names := map[string]bool{}
		for _, c := range res.Claims {
			names[c.Name] = true
		}
		require.True(t, names["eval_loss"] && names["eval_accuracy"], "seed %d: claims %v", seed, names)
	}
}

// aFolder is a run of several sources: logs of ranks, their errors, a CSV.
func aFolder(t *testing.T, seed uint64) string {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(seed, 7))
	for rank := range 3 {
		text := healthyRun(r, nil)
		if rank == 1 {
			lines := strings.SplitAfter(text, "\n")
			at := r.IntN(len(lines))
			text = strings.Join(lines[:at], "") + "RuntimeError: CUDA error: an illegal memory access was encountered\n" + strings.Join(lines[at:], "")
		}
		writeRun(t, dir, fmt.Sprintf("rank_%d.log", rank), text)
	}
	writeRun(t, dir, "metrics.csv", "epoch,step,train_loss,val_loss\n0,100,0.9,\n0,200,,0.8\n1,300,0.7,\n1,400,,0.75\n")
	return dir
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

func TestPiecesAndWorkersGiveTheWhole(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		dir := aFolder(t, seed)
		var whole string
		for _, workers := range []int{1, 2, 8} {
			ev, err := logscan.Scan(t.Context(), []string{dir}, nil, logscan.Options{Workers: workers})
			require.NoError(t, err)
			if whole == "" {
				whole = asJSON(t, ev)
			}
			require.True(t, whole == asJSON(t, ev), "%d workers give other evidence", workers)
		}
		plan, err := logscan.Open(t.Context(), []string{dir}, nil, logscan.Options{})
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(seed, 9))
		for range 4 {
			merged := mergeRandomly(t, r, plan)
			require.True(t, whole == asJSON(t, merged), "shards merged give other evidence")
			_, err := verdict.Judge(merged, verdict.DefaultConfig())
			require.NoError(t, err)
		}
	}
}

// mergeRandomly scans the sources one by one and merges their evidence in a
// random grouping and order.
func mergeRandomly(t *testing.T, r *rand.Rand, plan *logscan.Plan) *evidence.Evidence {
	t.Helper()
	var parts []evidence.Evidence
	for _, id := range plan.Sources() {
		ev, err := plan.Shard(t.Context(), id)
		require.NoError(t, err)
		parts = append(parts, *ev)
	}
	for len(parts) > 1 {
		r.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
		parts = append(parts[2:], evidence.Merge(parts[0], parts[1]))
	}
	ev, err := plan.Complete(parts...)
	require.NoError(t, err)
	return ev
}

func TestStdinIsAudited(t *testing.T) {
	t.Parallel()
	in := bytes.NewBufferString("step 1 loss 2.0\nError: command buffer exited with error status.\nstep 2 loss 1.9\nstep 2 val_loss 1.8\n")
	res, _, err := logscan.Audit(t.Context(), []string{"-"}, in, logscan.Options{})
	require.NoError(t, err)
	require.Equal(t, verdict.Poisoned, res.Headline)
}

func TestOwnReportInALogIsAQuotation(t *testing.T) {
	t.Parallel()
	report := "TRUSTED (log)  2 claims\neval_loss 0.1111 (epoch 1), eval_accuracy 0.9999 (epoch 1)\nread 1 source; not checked: the device (no probe)\n" +
		"POISONED  1 claim\n\nclaims\nPOISONED  val_loss 0.5 (step 3)  run.log:9\n  computed after a fault: x: run.log:3 \"eval_loss 0.2222\"\nPOISONED  run, for the reasons above\n\nLast value before the fault: eval_loss 0.3333 (step 2)  run.log:4\n"
	text := "{'eval_loss': 1.5, 'epoch': 1.0}\n" + report
	res := audit(t, writeRun(t, t.TempDir(), "run.log", text), logscan.Options{})
	require.Len(t, res.Claims, 1)
	require.Equal(t, "1.5", res.Claims[0].Text)
	res = audit(t, writeRun(t, t.TempDir(), "run.log", text+"{'eval_loss': nan, 'epoch': 2.0}\n"), logscan.Options{})
	require.Equal(t, verdict.Poisoned, res.Headline, "what follows a report is read")
}
