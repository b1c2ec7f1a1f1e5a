package logscan_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// happened is one thing that a process did: it printed, or told its record.
type happened struct {
	print string
	body  record.Body
}

func printed(text string) happened { return happened{print: text + "\n"} }

func told(b record.Body) happened { return happened{body: b} }

// call is a value as the trainer's own code reports it.
func call(name, split string, value float64, n, step int64) happened {
	return told(&record.Metric{Name: name, Value: record.Float(value), Split: split, N: n, Good: record.None, Step: step, Epoch: record.Float(math.NaN()), From: "trainer"})
}

// by gives a call another caller.
func by(h happened, from string, epoch float64) happened {
	m := *h.body.(*record.Metric)
	m.From, m.Epoch = from, record.Float(epoch)
	return told(&m)
}

// writeCalls records a run in which one process did all that, in this order. Sink
// is the file that the process believes to print to.
func writeCalls(t *testing.T, sink uint64, list ...happened) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.Create(dir))
	require.NoError(t, rundir.WriteManifest(dir, rundir.Manifest{
		ID: "r", Wall: 1, World: 1,
		Capture: rundir.Capture{Mode: "file", OneOrder: true, LineFlush: true, Sinks: []rundir.Sink{{File: rundir.LogFile, Streams: []string{"out", "err"}, Device: 1, Inode: 2}}},
	}))
	log, text := recordOf(sink, list)
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.LogFile), []byte(log), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.RecordsDir, "7-1.jsonl"), text, 0o600))
	side, err := rundir.CreateSidecar(dir)
	require.NoError(t, err)
	for _, e := range []rundir.Event{
		{Type: rundir.EventStart, Wall: 1, Pid: 7},
		{Type: rundir.EventExit, Wall: 4, Code: new(int)},
		{Type: rundir.EventEnding, Wall: 4, Kind: "exit", Evidence: []string{"wait status 0"}},
		{Type: rundir.EventEnd, Wall: 5},
	} {
		require.NoError(t, side.Write(e))
	}
	require.NoError(t, side.Close())
	require.NoError(t, rundir.WriteTrailer(dir, 6, 6))
	return dir
}

func recordOf(sink uint64, list []happened) (log string, text []byte) {
	var b strings.Builder
	head := record.Head{Pid: 7, Rank: record.None, Seq: 1, Wall: 1_700_000_000e9, Sink: &record.Sink{Device: 1, Inode: sink}}
	write := func(body record.Body) {
		head.Sink.Offset = int64(b.Len())
		text = record.Append(text, head, body)
		head.Seq++
		head.Wall += 1e9
	}
	write(&record.Boot{Lang: "go", Checks: []string{"finite"}, LocalRank: record.None})
	for _, h := range list {
		b.WriteString(h.print)
		if h.body != nil {
			write(h.body)
		}
	}
	write(&record.Count{Check: "finite", Calls: 3, Values: 30})
	write(&record.End{Why: "exit"})
	return b.String(), text
}

const aFault = "Error: command buffer exited with error status. (00000002:kIOGPUCommandBufferCallbackErrorTimeout)"

func guardFault() happened {
	return told(&record.Fault{Code: "ids-signature", Effect: record.Poison, Scope: "process", Row: record.None, Column: record.None,
		Step: record.None, From: record.None, Until: record.None, Text: "16843009 is a fill of bytes"})
}

// claimWords are the claims, each as "name text verdict (reason) n".
func claimWords(res *verdict.Result) []string {
	var out []string
	for _, c := range res.Claims {
		words := []string{c.Name, c.Text, c.Verdict.String()}
		if len(c.Why) > 0 {
			words = append(words, c.Why[0].Code)
		}
		out = append(out, strings.Join(words, " "))
	}
	return out
}

// TestCalledMetrics: what is reported by call is judged as what is printed.
func TestCalledMetrics(t *testing.T) {
	t.Parallel()
	none := int64(record.None)
	tests := map[string]struct {
		list []happened
		want []string
	}{
		"by call alone": {
			[]happened{printed("step 1 loss 0.9"), call("wer", "val", 0.2437, 37, 1), printed("done")},
			[]string{"wer 0.2437 TRUSTED"},
		},
		"and nothing printed at all": {
			[]happened{call("wer", "val", 0.2437, 37, none)},
			[]string{"wer 0.2437 TRUSTED"},
		},
		"behind a fault": {
			[]happened{printed("step 1 loss 0.9"), printed(aFault), call("wer", "val", 0.2437, 37, none)},
			[]string{"wer 0.2437 POISONED after-fault"},
		},
		"before a fault": {
			[]happened{printed("step 1 loss 0.9"), call("wer", "val", 0.2437, 37, none), printed(aFault)},
			[]string{"wer 0.2437 TRUSTED"},
		},
		"one before a fault and one behind": {
			[]happened{call("wer", "val", 0.5, 37, 1), printed(aFault), call("wer", "val", 0.25, 37, 2)},
			[]string{"wer 0.25 POISONED after-fault"},
		},
		"behind a fault that a guard saw, and nothing printed between": {
			[]happened{guardFault(), call("wer", "val", 0.2437, 37, none)},
			[]string{"wer 0.2437 POISONED guard-poison"},
		},
		"before a fault that a guard saw": {
			[]happened{call("wer", "val", 0.2437, 37, none), guardFault()},
			[]string{"wer 0.2437 TRUSTED"},
		},
		"not a number": {
			[]happened{call("wer", "val", math.NaN(), 37, none)},
			[]string{"wer NaN POISONED not-finite"},
		},
		"infinite": {
			[]happened{call("perplexity", "val", math.Inf(1), 37, none)},
			[]string{"perplexity +Inf POISONED not-finite"},
		},
		"of no samples": {
			[]happened{call("wer", "val", 0.2437, 0, none)},
			[]string{"wer 0.2437 POISONED zero-samples"},
		},
		"a name of the trainer's own": {
			[]happened{printed("step 1 loss 0.9"), call("closeness to the reference", "", 0.7, 37, none)},
			[]string{"closeness_to_the_reference 0.7 TRUSTED"},
		},
		"printed too, then called": {
			[]happened{printed("step 1 loss 0.9"), printed("step 1 eval_wer 0.244"), call("eval_wer", "val", 0.2437, 37, none)},
			[]string{"eval_wer 0.2437 TRUSTED"},
		},
		"called, then printed under its split and in percent": {
			[]happened{call("accuracy", "val", 0.81081, 37, none), printed("val_accuracy: 81.1%"), printed("done")},
			[]string{"val_accuracy 0.81081 TRUSTED"},
		},
		"printed without its split": {
			[]happened{printed("accuracy: 0.8108 (30/37)"), call("accuracy", "test", 0.81081, 37, none)},
			[]string{"accuracy 0.81081 TRUSTED"},
		},
		"called each epoch, printed at the end": {
			[]happened{call("wer", "val", 0.4, 37, none), printed("epoch 1"), call("wer", "val", 0.2437, 37, none), printed("val_wer 0.244")},
			[]string{"val_wer 0.2437 TRUSTED"},
		},
		"the log says another": {
			[]happened{printed("step 1 eval_wer 0.144"), call("eval_wer", "val", 0.2437, 37, none)},
			[]string{"eval_wer 0.2437 UNPROVEN witnesses-disagree"},
		},
		"the log says another at that step": {
			[]happened{printed("step 1 eval_wer 0.5"), call("eval_wer", "val", 0.5, 37, 1), printed("step 2 eval_wer 0.144"), call("eval_wer", "val", 0.2437, 37, 2)},
			[]string{"eval_wer 0.2437 UNPROVEN witnesses-disagree"},
		},
		"the log says a number where the call says none": {
			[]happened{printed("step 1 eval_wer 0.144"), call("eval_wer", "val", math.NaN(), 37, 1)},
			[]string{"eval_wer NaN POISONED not-finite", "eval_wer 0.144 UNPROVEN witnesses-disagree"},
		},
		"printed of another evaluation": {
			[]happened{printed("step 1 eval_wer 0.5"), call("eval_wer", "val", 0.2437, 37, 2)},
			[]string{"eval_wer 0.2437 TRUSTED"},
		},
		"a training loss is printed, that of the evaluation called": {
			[]happened{printed("epoch 1 loss 0.5"), call("loss", "val", 0.7, 37, none)},
			[]string{"loss 0.7 TRUSTED"},
		},
		"a training loss is printed and called": {
			[]happened{printed("step 1 loss 0.5"), call("loss", "train", 0.5, 8, 1), printed("step 2 loss 0.4"), call("loss", "train", 0.4, 8, 2)},
			[]string{"loss 0.4 TRUSTED"},
		},
		"a training loss is called alone": {
			[]happened{call("loss", "train", 0.5, 8, 1), call("loss", "train", 0.4, 8, 2)},
			[]string{"loss 0.4 TRUSTED"},
		},
		"the best is printed, the last called": {
			[]happened{call("wer", "val", 0.2, 37, 1), call("wer", "val", 0.3, 37, 2), printed("best val_wer 0.2")},
			[]string{"best_val_wer 0.2 TRUSTED", "wer 0.3 TRUSTED"},
		},
		"what a library logs": {
			[]happened{
				printed("{'loss': 0.5, 'grad_norm': 1.25, 'learning_rate': 1e-05, 'epoch': 1.0}"),
				by(call("loss", "", 0.5012, none, 10), "transformers", 1), by(call("grad_norm", "", 1.25, none, 10), "transformers", 1),
				by(call("eval_wer", "", 0.243712, 37, 10), "transformers", 1), printed("{'eval_wer': 0.2437, 'epoch': 1.0}"),
				printed("{'train_runtime': 3.0, 'train_loss': 0.5012, 'epoch': 1.0}"),
				by(call("train_loss", "", 0.5012, none, 10), "transformers", 1),
			},
			[]string{"eval_wer 0.243712 TRUSTED", "train_loss 0.5012 TRUSTED"},
		},
		"a setting that a logger is told": {
			[]happened{by(call("batch_size", "", 8, none, 0), "wandb", math.NaN()), by(call("val/wer", "", 0.25, none, 0), "wandb", math.NaN())},
			[]string{"val/wer 0.25 TRUSTED"},
		},
		"a logger's step is none of the training": {
			[]happened{printed("step 3 eval_wer 0.9"), printed("step 300 eval_wer 0.25"), by(call("eval_wer", "", 0.25, none, 3), "tensorboard", math.NaN())},
			[]string{"eval_wer 0.25 TRUSTED"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, _, err := logscan.Audit(t.Context(), []string{writeCalls(t, 2, tt.list...)}, nil, logscan.Options{})
			require.NoError(t, err)
			require.Equal(t, tt.want, claimWords(res), "%+v", res.Claims)
		})
	}
}

// TestCalledClaim: one value of two witnesses has the line of the log, the digits
// and the number of samples of the record.
func TestCalledClaim(t *testing.T) {
	t.Parallel()
	dir := writeCalls(t, 2, printed("starting"), printed("step 1 eval_accuracy 0.244"), call("eval_accuracy", "val", 0.2437, 37, 1))
	c := audit(t, dir, logscan.Options{}).Claims[0]
	require.Equal(t, filepath.Join(dir, rundir.LogFile), c.At.Source)
	require.Equal(t, int64(2), c.At.Line)
	require.Equal(t, "0.2437", c.Text)
	require.Equal(t, int64(37), *c.Samples)
	require.Equal(t, verdict.Guarded, c.Level)

	dir = writeCalls(t, 2, printed("starting"), call("eval_accuracy", "val", 0.2437, 37, 1))
	c = audit(t, dir, logscan.Options{}).Claims[0]
	require.Equal(t, filepath.Join(dir, rundir.RecordsDir, "7-1.jsonl"), c.At.Source)
	require.Equal(t, int64(2), c.At.Line)
	require.Equal(t, verdict.Guarded, c.Level)
}

// TestCalledWithoutASink: a process that prints elsewhere has only its clock to be
// ordered by, and the records of its own.
func TestCalledWithoutASink(t *testing.T) {
	t.Parallel()
	wer := call("wer", "val", 0.2437, 37, record.None)
	for name, tt := range map[string]struct {
		list []happened
		want string
	}{
		"nothing against it":          {[]happened{printed("a line"), wer}, "wer 0.2437 TRUSTED"},
		"a fault, and no order":       {[]happened{printed(aFault), wer}, "wer 0.2437 UNPROVEN order-unproven"},
		"a fault with a later stamp":  {[]happened{wer, printed("2023-11-14T23:13:20Z " + aFault)}, "wer 0.2437 TRUSTED"},
		"a fault that a guard saw":    {[]happened{guardFault(), wer}, "wer 0.2437 POISONED guard-poison"},
		"one that a guard saw behind": {[]happened{wer, guardFault()}, "wer 0.2437 TRUSTED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, []string{tt.want}, claimWords(audit(t, writeCalls(t, 99, tt.list...), logscan.Options{})))
		})
	}
}

// TestStepsBehindACalledValue: the record says which steps were skipped before a
// value and which behind it, though nothing was printed between.
func TestStepsBehindACalledValue(t *testing.T) {
	t.Parallel()
	step := func(attempted, skipped int64) happened {
		return told(&record.Step{Optimizer: "AdamW", Step: record.None, Attempted: attempted, Applied: attempted - skipped, Skipped: skipped, How: "trainer"})
	}
	skip := told(&record.Skip{Optimizer: "AdamW", From: 51, Until: 60, Count: 10, Step: record.None, Reason: "found-inf", Total: 10})
	acc := call("accuracy", "val", 0.75, 64, record.None)
	for name, tt := range map[string]struct {
		list []happened
		want string
	}{
		"skipped before":    {[]happened{step(50, 0), skip, step(60, 10), acc}, "accuracy 0.75 DEGRADED steps-skipped"},
		"skipped behind it": {[]happened{step(50, 0), acc, skip, step(60, 10)}, "accuracy 0.75 TRUSTED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, []string{tt.want}, claimWords(audit(t, writeCalls(t, 2, tt.list...), logscan.Options{})))
		})
	}
}

// TestCalledInALooseRun: records of guards that nothing recorded around, beside a log.
func TestCalledInALooseRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, text := recordOf(2, []happened{call("wer", "val", 0.2437, 37, record.None)})
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "run", rundir.RecordsDir), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run", rundir.RecordsDir, "7-1.jsonl"), text, 0o600))
	alone := audit(t, filepath.Join(dir, "run"), logscan.Options{})
	require.Equal(t, []string{"wer 0.2437 TRUSTED"}, claimWords(alone))
	require.Equal(t, verdict.Log, alone.Claims[0].Level)

	log := writeRun(t, dir, "train.log", "epoch 1 loss 0.5\nval_wer 0.244\n")
	res, _, err := logscan.Audit(t.Context(), []string{filepath.Join(dir, "run"), log}, nil, logscan.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"val_wer 0.2437 TRUSTED"}, claimWords(res))
}
