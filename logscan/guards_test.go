//go:build unix

package logscan_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// envTrainer makes the test binary the trainer that it names.
const envTrainer = "LOGSCAN_TEST_TRAINER"

// guardedTrainers are what a guarded Go trainer does, well or badly. Each trains for
// 60 steps and evaluates at step 30 and 60.
var guardedTrainers = map[string]loop{
	"healthy":            {},
	"fault at the end":   {poisonAt: 60},
	"fault in the first": {poisonAt: 30},
	"left without Close": {leave: true},
	"2 of 60 skipped":    {skip: func(n int) bool { return n <= 2 }},
	"4 of 60 skipped":    {skip: func(n int) bool { return n <= 4 }},
	"the last 3 skipped": {skip: func(n int) bool { return n > 57 }},
	"57 of 64 at step 60": {samples: func(step int) int64 {
		if step == 60 {
			return 57
		}
		return 64
	}},
	"none of 64 at step 30": {samples: func(step int) int64 {
		if step == 30 {
			return 0
		}
		return 64
	}},
	"nothing checks the decode": {bare: true},
	"without a step counter":    {poisonAt: 60, noStep: true},
	"no room for the record":    {record: 6000},
	"killed":                    {killed: true},
	"killed after a fault":      {killed: true, poisonAt: 60},
	"300 steps, 20 in a row":    {steps: 300, skip: func(n int) bool { return n > 100 && n <= 120 }},
	"300 steps, 19 in a row":    {steps: 300, skip: func(n int) bool { return n > 100 && n <= 119 }},
}

// loop is a training loop as a person would write it around the guards.
type loop struct {
	steps    int
	poisonAt int
	skip     func(n int) bool
	samples  func(step int) int64
	leave    bool // os.Exit, and no Close
	bare     bool
	noStep   bool
	record   uint64 // bytes after which the kernel refuses more of a file
	killed   bool   // by SIGKILL, at the end
}

func (l loop) run() {
	guards.Default().SetPolicy(guards.Record) // as a handler that eats every error
	if l.steps == 0 {
		l.steps = 60
	}
	if l.record > 0 {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: l.record, Max: l.record}); err != nil {
			panic(err)
		}
	}
	vocab, err := guards.NewVocab(1000)
	if err != nil {
		panic(err)
	}
	site := guards.DecodeSite("evaluate", vocab)
	steps := guards.NewSteps("AdamW")
	wer := guards.NewMetric("eval_wer", "val").Expect(64)
	for n := 1; n <= l.steps; n++ {
		if !l.noStep {
			guards.SetStep(int64(n))
		}
		steps.Step(l.skip == nil || !l.skip(n), 16)
		if n%10 == 0 {
			fmt.Printf("step %d loss %.4f\n", n, 2-float64(n)/100)
		}
		if n%30 != 0 {
			continue
		}
		ids := make([]int32, 448)
		for i := range ids {
			ids[i] = int32((i*37 + n) % 1000)
		}
		if n == l.poisonAt {
			ids[7] = 16843009
		}
		if !l.bare {
			guards.CheckTokenIDs(site, ids)
		}
		value, samples := 0.5-float64(n)/1000, int64(64)
		if l.samples != nil {
			samples = l.samples(n)
		}
		wer.Report(value, samples)
		fmt.Printf("step %d eval_wer %.4f\n", n, value)
	}
	guards.Wrote(os.Args[0], guards.Checkpoint)
	if l.killed {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	if !l.leave {
		guards.Close()
	}
	os.Exit(0)
}

func TestGuardedTrainer(t *testing.T) {
	if name := os.Getenv(envTrainer); name != "" {
		guardedTrainers[name].run()
	}
	t.Skip("started by other tests as a process of its own")
}

// recordTrainer runs a trainer as `trainvet run` does, and seals its run directory.
func recordTrainer(t *testing.T, name string) string {
	t.Helper()
	dir, log, side := openRun(t, 1)
	closeRun(t, dir, side, startTrainer(t, dir, name, log, side))
	return dir
}

// recordRanks runs a healthy trainer in so many processes of a job of a given size.
func recordRanks(t *testing.T, world, ranks int) string {
	t.Helper()
	dir, log, side := openRun(t, world)
	var cmds []*exec.Cmd
	for rank := range ranks {
		cmds = append(cmds, startTrainer(t, dir, "healthy", log, side, fmt.Sprint("RANK=", rank), fmt.Sprint("WORLD_SIZE=", world)))
		log = nil // rank 0 prints
	}
	closeRun(t, dir, side, cmds...)
	return dir
}

// openRun makes a run directory whose capture a trainer can write to.
func openRun(t *testing.T, world int) (dir string, log *os.File, side *rundir.Sidecar) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.Create(dir))
	log, err := os.OpenFile(filepath.Join(dir, rundir.LogFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	require.NoError(t, err)
	t.Cleanup(func() { log.Close() })
	info, err := log.Stat()
	require.NoError(t, err)
	st := info.Sys().(*syscall.Stat_t)
	require.NoError(t, rundir.WriteManifest(dir, rundir.Manifest{
		ID: "guarded", Trainvet: "test", Wall: time.Now().UnixNano(), Mono: 1, World: world, Argv: []string{"./trainer"},
		Capture: rundir.Capture{Mode: "file", OneOrder: true, LineFlush: true,
			Sinks: []rundir.Sink{{File: rundir.LogFile, Streams: []string{"out", "err"}, Device: uint64(st.Dev), Inode: st.Ino}}},
	}))
	side, err = rundir.CreateSidecar(dir)
	require.NoError(t, err)
	return dir, log, side
}

func startTrainer(t *testing.T, dir, name string, log *os.File, side *rundir.Sidecar, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestGuardedTrainer$")
	cmd.Env = append(append(os.Environ(), envTrainer+"="+name, guards.EnvRun+"="+dir), env...)
	if log != nil {
		cmd.Stdout, cmd.Stderr = log, log
	}
	require.NoError(t, cmd.Start())
	now := time.Now().UnixNano()
	for _, e := range []rundir.Event{
		{Type: rundir.EventStart, Wall: now, Mono: 1, Pid: cmd.Process.Pid},
		// The library makes the audit expect a boot record of this process.
		{Type: rundir.EventProcess, Wall: now, Mono: 1, Pid: cmd.Process.Pid, Started: now, Library: "engine.so"},
	} {
		require.NoError(t, side.Write(e))
	}
	return cmd
}

// closeRun waits for the trainers and seals the run directory.
func closeRun(t *testing.T, dir string, side *rundir.Sidecar, cmds ...*exec.Cmd) {
	t.Helper()
	ending := "exit"
	for _, cmd := range cmds {
		exit := rundir.Event{Type: rundir.EventExit, Wall: time.Now().UnixNano(), Mono: 2, Pid: cmd.Process.Pid}
		var failed *exec.ExitError
		switch err := cmd.Wait(); {
		case err == nil:
			exit.Code = new(int)
		case errors.As(err, &failed) && failed.ProcessState.Sys().(syscall.WaitStatus).Signaled():
			exit.Signal, ending = "SIGKILL", "signal"
		default:
			require.NoError(t, err)
		}
		require.NoError(t, side.Write(exit))
	}
	for _, e := range []rundir.Event{{Type: rundir.EventEnding, Kind: ending, Evidence: []string{"wait status"}}, {Type: rundir.EventEnd}} {
		e.Wall, e.Mono = time.Now().UnixNano(), 2
		require.NoError(t, side.Write(e))
	}
	require.NoError(t, side.Close())
	require.NoError(t, rundir.WriteTrailer(dir, time.Now().UnixNano(), 3))
}

// TestAuditReadsWhatTheLiveWriterWrote is the contract of both ends: a process
// that links the guards, its record, and the verdict on what it printed.
func TestAuditReadsWhatTheLiveWriterWrote(t *testing.T) {
	t.Parallel()
	type want struct {
		at30, at60 verdict.Verdict
		level      verdict.Level
		why        string // reason of the first that is not trusted
	}
	tests := map[string]want{
		"healthy":                   {verdict.Trusted, verdict.Trusted, verdict.Guarded, ""},
		"fault at the end":          {verdict.Trusted, verdict.Poisoned, verdict.Guarded, "guard-poison"},
		"fault in the first":        {verdict.Poisoned, verdict.Poisoned, verdict.Guarded, "guard-poison"},
		"without a step counter":    {verdict.Trusted, verdict.Poisoned, verdict.Guarded, "guard-poison"},
		"left without Close":        {verdict.Trusted, verdict.Trusted, verdict.Captured, ""},
		"nothing checks the decode": {verdict.Trusted, verdict.Trusted, verdict.Captured, ""},
		"no room for the record":    {verdict.Trusted, verdict.Trusted, verdict.Captured, ""},
		"killed":                    {verdict.Trusted, verdict.Trusted, verdict.Captured, ""},
		"killed after a fault":      {verdict.Trusted, verdict.Poisoned, verdict.Captured, "guard-poison"},
		"2 of 60 skipped":           {verdict.Degraded, verdict.Trusted, verdict.Guarded, "steps-skipped"},
		"4 of 60 skipped":           {verdict.Degraded, verdict.Degraded, verdict.Guarded, "steps-skipped"},
		"the last 3 skipped":        {verdict.Trusted, verdict.Degraded, verdict.Guarded, "steps-skipped"},
		"57 of 64 at step 60":       {verdict.Trusted, verdict.Degraded, verdict.Guarded, "guard-degrade"},
		"none of 64 at step 30":     {verdict.Poisoned, verdict.Trusted, verdict.Guarded, "guard-poison"},
	}
	for name, w := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := recordTrainer(t, name)
			res := auditGuarded(t, dir)
			first, last := valueAt(t, res, "eval_wer", 30), valueAt(t, res, "eval_wer", 60)
			text := explain(first, last)
			require.Equal(t, w.at30, first.Verdict, text)
			require.Equal(t, w.at60, last.Verdict, text)
			for _, v := range []verdict.Subject{first, last} {
				require.Equal(t, w.level, v.Level, text)
				if v.Verdict != verdict.Trusted {
					require.Equal(t, w.why, v.Why[0].Code, text)
				}
			}
		})
	}
}

func auditGuarded(t *testing.T, dir string) *verdict.Result {
	t.Helper()
	res, _, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{All: true})
	require.NoError(t, err)
	return res
}

func valueAt(t *testing.T, res *verdict.Result, name string, step float64) verdict.Subject {
	t.Helper()
	for _, v := range res.Values {
		if v.Name == name && v.Step.Has && float64(v.Step.Last) == step {
			return v
		}
	}
	t.Fatalf("no %s at step %v among %d values", name, step, len(res.Values))
	return verdict.Subject{}
}

func explain(values ...verdict.Subject) string {
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "%s %s: %v (%v)", v.Name, v.Text, v.Verdict, v.Level)
		for _, r := range v.Why {
			fmt.Fprintf(&b, "; %s: %s", r.Code, r.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestSkipsInARowOfTheLiveWriter: stretches that the record cuts in pieces are
// judged as one.
func TestSkipsInARowOfTheLiveWriter(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]verdict.Verdict{
		"300 steps, 20 in a row": verdict.Degraded,
		"300 steps, 19 in a row": verdict.Trusted,
	} {
		res := auditGuarded(t, recordTrainer(t, name))
		v := valueAt(t, res, "eval_wer", 300)
		require.Equal(t, want, v.Verdict, "%s: %s", name, explain(v))
	}
}

// TestDamageToALiveRecordIsNeverTrusted: the law of deletion, on what the live
// writer wrote.
func TestDamageToALiveRecordIsNeverTrusted(t *testing.T) {
	t.Parallel()
	dir := recordTrainer(t, "healthy")
	names, err := filepath.Glob(filepath.Join(dir, rundir.RecordsDir, "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, names, 1)
	whole, err := os.ReadFile(names[0])
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 40 {
		changed := damage(r, whole)
		if n == 0 {
			require.NoError(t, os.Remove(names[0]))
		} else if bytes.Equal(changed, whole) {
			continue
		} else {
			require.NoError(t, os.WriteFile(names[0], changed, 0o600))
		}
		for _, v := range auditGuarded(t, dir).Values {
			require.False(t, v.Verdict == verdict.Trusted && v.Level >= verdict.Captured, "damage %d: %s", n, explain(v))
		}
	}
}

// TestTwoRanksOfTheLiveWriter: the record of each rank vouches for the other's
// values only together.
func TestTwoRanksOfTheLiveWriter(t *testing.T) {
	t.Parallel()
	both := recordRanks(t, 2, 2)
	v := valueAt(t, auditGuarded(t, both), "eval_wer", 60)
	require.Equal(t, verdict.Guarded, v.Level, explain(v))
	alone := recordRanks(t, 2, 1)
	v = valueAt(t, auditGuarded(t, alone), "eval_wer", 60)
	require.Equal(t, verdict.Captured, v.Level, explain(v))
}
