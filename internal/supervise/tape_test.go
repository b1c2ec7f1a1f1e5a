//go:build unix

package supervise

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/rundir"
)

// growing is a run directory whose log a test writes, and what follows it.
type growing struct {
	t     *testing.T
	dir   string
	log   *os.File
	tape  *tape
	live  *live
	watch *lineWatch
}

func newGrowing(t *testing.T, keep int64, f Faults) *growing {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.Create(dir))
	log, err := os.OpenFile(filepath.Join(dir, rundir.LogFile), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	require.NoError(t, err)
	side, err := rundir.CreateSidecar(dir)
	require.NoError(t, err)
	g := &growing{t: t, dir: dir, log: log}
	g.tape, err = newTape(dir, log, keep)
	require.NoError(t, err)
	g.watch, err = newLineWatch(f)
	require.NoError(t, err)
	g.live, err = openLive(log.Name(), g.tape, &journal{out: side}, g.watch, nil)
	require.NoError(t, err)
	t.Cleanup(func() { g.live.follow.Close(); side.Close(); log.Close(); g.tape.close() })
	return g
}

func (g *growing) print(text string) {
	g.t.Helper()
	_, err := g.log.WriteString(text)
	require.NoError(g.t, err)
	_, err = g.live.pump()
	require.NoError(g.t, err)
}

// shown is all that a viewer sees.
func (g *growing) shown() string {
	g.tape.end()
	var b bytes.Buffer
	g.tape.show(&b, 0, nil)
	return b.String()
}

// TestTapeIsTheOutput: whatever is kept and however it is read, the tape is the
// bytes in their order.
func TestTapeIsTheOutput(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		keep := rapid.Int64Range(0, 4000).Draw(rt, "keep")
		parts := rapid.SliceOfN(rapid.StringN(1, 400, 600), 1, 20).Draw(rt, "parts")
		g := newGrowing(t, keep, nil)
		for _, p := range parts {
			g.print(p)
		}
		if got := g.shown(); got != strings.Join(parts, "") {
			rt.Fatalf("%d bytes shown of %d", len(got), len(strings.Join(parts, "")))
		}
	})
}

// TestWhatIsCutIsKept: what was read before a cut stands in the log at the end,
// and the gap is declared where it is.
func TestWhatIsCutIsKept(t *testing.T) {
	t.Parallel()
	g := newGrowing(t, 1<<20, nil)
	g.print("before\n")
	require.NoError(t, os.Truncate(g.log.Name(), 0))
	g.print("after\n")
	require.Equal(t, 1, g.live.gaps)
	require.NoError(t, g.live.settle(g.dir))
	text, err := os.ReadFile(g.log.Name())
	require.NoError(t, err)
	require.Equal(t, "before\nafter\n", string(text))
	d, err := rundir.Read(g.dir)
	require.ErrorIs(t, err, nil)
	require.Len(t, d.Events, 1)
	require.Equal(t, rundir.EventDiscontinuity, d.Events[0].Type)
	require.EqualValues(t, 7, *d.Events[0].Offset)
}

// TestNothingIsKeptOfAWholeLog: the second copy goes with the run.
func TestNothingIsKeptOfAWholeLog(t *testing.T) {
	t.Parallel()
	g := newGrowing(t, 1<<20, nil)
	g.print("a\n")
	require.FileExists(t, filepath.Join(g.dir, keptFile))
	require.NoError(t, g.live.settle(g.dir))
	require.NoFileExists(t, filepath.Join(g.dir, keptFile))
}

// TestTakingOverGoesOn where the one before stopped, unless the log is another.
func TestTakingOverGoesOn(t *testing.T) {
	t.Parallel()
	for _, cut := range []bool{false, true} {
		g := newGrowing(t, 1<<20, nil)
		g.print("before\n")
		if cut {
			require.NoError(t, os.Truncate(g.log.Name(), 0))
		}
		_, err := g.log.WriteString("meanwhile\n")
		require.NoError(t, err)
		tape, err := newTape(g.dir, g.log, 1<<20)
		require.NoError(t, err)
		next, err := openLive(g.log.Name(), tape, g.live.journal, g.watch, nil)
		require.NoError(t, err)
		_, err = next.pump()
		require.NoError(t, err)
		require.Equal(t, cut, next.gaps == 1)
		g.tape = tape
		require.Equal(t, "before\nmeanwhile\n", g.shown())
		require.NoError(t, next.follow.Close())
	}
}

// TestSlowViewer: one that does not read holds up nobody, and misses nothing.
func TestSlowViewer(t *testing.T) {
	t.Parallel()
	g := newGrowing(t, 100, nil)
	r, w, err := os.Pipe()
	require.NoError(t, err)
	done := make(chan int64)
	go func() { n := g.tape.show(w, 0, nil); w.Close(); done <- n }()
	text := strings.Repeat("x", 1<<20) // more than a pipe holds
	g.print(text)
	g.tape.end()
	got := new(bytes.Buffer)
	_, err = got.ReadFrom(r)
	require.NoError(t, err)
	require.Equal(t, text, got.String())
	require.EqualValues(t, len(text), <-done)
}

// TestNobodyLooks: at the null device, and nowhere else.
func TestNobodyLooks(t *testing.T) {
	t.Parallel()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer null.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer file.Close()
	require.True(t, isNull(null))
	require.False(t, isNull(file))
	require.False(t, isNull(new(bytes.Buffer)))
}

type fakeFaults struct {
	asked int
	fault *Fault
}

func (f *fakeFaults) Literals() []string           { return []string{"command buffer", "NVRM: Xid"} }
func (f *fakeFaults) First(string) (*Fault, error) { f.asked++; return f.fault, nil }

// TestFaultIsFoundHoweverItIsCut: a literal may come in two stretches.
func TestFaultIsFoundHoweverItIsCut(t *testing.T) {
	t.Parallel()
	const line = "loss 1.5\nNVRM: XID (PCI:0000:3b:00): 79\nloss 1.4\n"
	for cut := range len(line) {
		w, err := newLineWatch(&fakeFaults{})
		require.NoError(t, err)
		w.feed([]byte(line[:cut]))
		w.feed([]byte(line[cut:]))
		require.True(t, w.hit, cut)
	}
	w, err := newLineWatch(&fakeFaults{})
	require.NoError(t, err)
	for _, b := range []byte(line) {
		w.feed([]byte{b})
	}
	require.True(t, w.hit)
	w, err = newLineWatch(&fakeFaults{})
	require.NoError(t, err)
	w.feed([]byte("loss 1.5\nnothing here\n"))
	require.False(t, w.hit)
}

// TestFilesAreNotedHoweverTheyAreCut: the words of a line that names a file may
// come in two stretches. What was not seen from here is not vouched for.
func TestFilesAreNotedHoweverTheyAreCut(t *testing.T) {
	t.Parallel()
	const line = "loss 1.5\nSaving model checkpoint to out/checkpoint-5\nloss 1.4\n"
	for cut := range len(line) {
		w, err := newLineWatch(nil)
		require.NoError(t, err)
		l := &live{watch: w}
		w.feed([]byte(line[:cut]))
		w.feed([]byte(line[cut:]))
		places := l.mentioned(int64(len(line)))
		require.Len(t, places, 1, cut)
		require.LessOrEqual(t, places[0].From, int64(strings.Index(line, "out/")), cut)
		require.GreaterOrEqual(t, places[0].From, int64(strings.Index(line, "Saving")), cut)
		require.Nil(t, l.mentioned(int64(len(line))+1), "not read to its end")
		l.gaps = 1
		require.Nil(t, l.mentioned(int64(len(line))))
	}
	w, err := newLineWatch(nil)
	require.NoError(t, err)
	w.feed([]byte("loss 1.5\n"))
	require.Equal(t, []logscan.Stretch{}, (&live{watch: w}).mentioned(9), "it names none")
	require.Nil(t, (*live)(nil).mentioned(9))
}

// TestAskingIsPacedByItsCost: words of a fault may be data, line for line.
func TestAskingIsPacedByItsCost(t *testing.T) {
	t.Parallel()
	w, err := newLineWatch(&fakeFaults{})
	require.NoError(t, err)
	w.feed([]byte("command buffer\n"))
	require.True(t, w.ready(time.Now()))
	w.asked()
	w.answered(2 * time.Second)
	w.feed([]byte("command buffer\n"))
	require.False(t, w.ready(time.Now()))
	require.False(t, w.ready(time.Now().Add(90*time.Second)))
	require.True(t, w.ready(time.Now().Add(101*time.Second)))
	w.stop()
	require.False(t, w.ready(time.Now().Add(time.Hour)))
}

// TestCutBeforeItWasRead: nothing that was read stands against it, and the room
// behind the end of the log tells.
func TestCutBeforeItWasRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		happens func(*growing)
		gaps    int
	}{
		"printed":             {func(g *growing) { g.log.WriteString("a\n") }, 0},
		"a long print":        {func(g *growing) { g.log.Write(bytes.Repeat([]byte("a\n"), firstRoom)) }, 0},
		"nothing":             {func(*growing) {}, 0},
		"appended by name":    {func(g *growing) { g.log.WriteString("a\n"); g.reopen(os.O_APPEND) }, 0},
		"cut":                 {func(g *growing) { g.log.WriteString("a\n"); g.reopen(os.O_TRUNC) }, 1},
		"cut, nothing behind": {func(g *growing) { g.log.WriteString("a\n"); require.NoError(t, g.log.Truncate(0)) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGrowing(t, 1<<20, nil)
			if !setFirstRoom(g.log) {
				t.Skip("this file system sets nothing aside")
			}
			g.live.room = g.log
			tt.happens(g)
			_, err := g.live.pump()
			require.NoError(t, err)
			require.NoError(t, g.live.settle(g.dir))
			require.Equal(t, tt.gaps, g.live.gaps)
		})
	}
}

// reopen opens the log by its name, as /dev/stderr is opened, and prints a line.
func (g *growing) reopen(flag int) {
	g.t.Helper()
	f, err := os.OpenFile(g.log.Name(), os.O_WRONLY|flag, 0)
	require.NoError(g.t, err)
	_, err = f.WriteString("b\n")
	require.NoError(g.t, err)
	require.NoError(g.t, f.Close())
}
