//go:build linux

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What supervision may cost, in CPU time: the trainer at most so many times that
// of one that writes to a plain file; trainvet at most such a share of a core
// beside 20 MB/s.
const (
	mostOfTheTrainers = 1.1
	mostOfACore       = 0.05
)

// costs are what one measurement saw.
type costs struct {
	plain, under, own, begin []time.Duration // a round each
	span                     time.Duration   // of a round
}

// ofTrainer is how many times the CPU time of a plain one the trainer needs. The
// least of the rounds counts: what else the machine does only adds.
func (c *costs) ofTrainer() float64 {
	return float64(slices.Min(c.under)) / float64(slices.Min(c.plain))
}

// ofCore is trainvet's share of a core. What it takes to start and to judge,
// however short the run, is told apart.
func (c *costs) ofCore() float64 {
	return float64(slices.Min(c.own)-slices.Min(c.begin)) / float64(c.span)
}

// measureCosts has a trainer print 20 MB/s for some tenths of a second, in
// rounds, into a plain file and under trainvet.
func measureCosts(t testing.TB, rounds, tenths int) costs {
	t.Helper()
	c := costs{span: time.Duration(tenths) * 100 * time.Millisecond}
	for range rounds {
		argv, env := trainer("steady", "AS_LINES="+strconv.Itoa(tenths))
		log, err := os.OpenFile(filepath.Join(t.TempDir(), "log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		require.NoError(t, err)
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env, cmd.Stdout, cmd.Stderr = env, log, log
		require.NoError(t, cmd.Run())
		require.NoError(t, log.Close())
		require.NoError(t, os.Remove(log.Name()))
		c.plain = append(c.plain, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		own, under := costOf(t, underTrainvet(t, argv, env))
		c.under, c.own = append(c.under, under), append(c.own, own)
		argv, env = trainer("steady", "AS_LINES=0")
		own, _ = costOf(t, underTrainvet(t, argv, env))
		c.begin = append(c.begin, own)
	}
	return c
}

// costOf reads cost.json of a run directory, and removes the directory.
func costOf(t testing.TB, dir string) (own, child time.Duration) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "cost.json"))
	require.NoError(t, err)
	var c struct{ Own, Child time.Duration }
	require.NoError(t, json.Unmarshal(text, &c))
	require.NoError(t, os.RemoveAll(dir))
	return c.Own, c.Child
}

// BenchmarkSupervision fails where a bar does not hold.
func BenchmarkSupervision(b *testing.B) {
	for range b.N {
		c := measureCosts(b, 3, 30)
		b.ReportMetric(c.ofTrainer(), "x-trainer-cpu")
		b.ReportMetric(100*c.ofCore(), "%core")
		b.ReportMetric(float64(slices.Min(c.begin).Milliseconds()), "ms-start")
		require.LessOrEqual(b, c.ofTrainer(), mostOfTheTrainers, c)
		require.LessOrEqual(b, c.ofCore(), mostOfACore, c)
	}
}
