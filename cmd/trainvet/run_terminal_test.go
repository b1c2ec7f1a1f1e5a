//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// patienceOfTests is how long a program on a busy machine may take to answer.
const patienceOfTests = 60 * time.Second

// terminal is a session of its own at a terminal of its own, as a person has it
// who logs in.
type terminal struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	mu     sync.Mutex
	seen   bytes.Buffer
	shown  chan struct{} // something more was shown
}

// login starts a program as the leader of a session at a terminal.
func login(t *testing.T, argv ...string) *terminal {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(append(os.Environ(), knowingNothing(t)...), "PS1=$ ", "TERM=dumb", "ENV=")
	cmd.Dir = t.TempDir()
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 132})
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	x := &terminal{t: t, master: readable(t, master), cmd: cmd, shown: make(chan struct{}, 1)}
	go x.read()
	t.Cleanup(x.logout)
	return x
}

// readable is a file of which a read ends when it is closed: else the terminal
// would stay as long as somebody waits for what it shows.
func readable(t *testing.T, f *os.File) *os.File {
	t.Helper()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	require.NoError(t, err)
	require.NoError(t, unix.SetNonblock(fd, true))
	require.NoError(t, f.Close())
	return os.NewFile(uintptr(fd), f.Name())
}

func (x *terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := x.master.Read(buf)
		x.mu.Lock()
		x.seen.Write(buf[:n])
		x.mu.Unlock()
		select {
		case x.shown <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.seen.String()
}

// await returns when the terminal shows a text.
func (x *terminal) await(text string) {
	x.t.Helper()
	for deadline := time.After(patienceOfTests); !strings.Contains(x.text(), text); {
		select {
		case <-x.shown:
		case <-deadline:
			x.t.Fatalf("%q was not shown, but %q", text, x.text())
		}
	}
}

func (x *terminal) typed(keys string) {
	x.t.Helper()
	_, err := x.master.WriteString(keys)
	require.NoError(x.t, err)
}

// close takes the terminal away, as a closed window or a lost connection does.
func (x *terminal) close() { x.master.Close() }

func (x *terminal) logout() {
	x.close()
	_ = x.cmd.Process.Kill() // it may have ended
	_ = x.cmd.Wait()
}

func modeOf(t *testing.T, dir string) string {
	t.Helper()
	d, err := rundir.Read(dir)
	require.NoError(t, err)
	return d.Manifest.Capture.Mode
}

// closedRun waits until a run is closed, and reads it.
func closedRun(t *testing.T, dir string) *rundir.Dir {
	t.Helper()
	for deadline := time.Now().Add(patienceOfTests); ; time.Sleep(20 * time.Millisecond) {
		d, err := rundir.Read(dir)
		if err == nil && d.Trailer != nil && d.Receipt != nil {
			return d
		}
		require.True(t, time.Now().Before(deadline), "%s is not closed: %v", dir, err)
	}
}

func endingOf(d *rundir.Dir) (kind string) {
	for i := range d.Events {
		if d.Events[i].Type == rundir.EventEnding {
			kind = d.Events[i].Kind
		}
	}
	return kind
}

// counting prints each signal that reaches it, and ends a while after the first.
const counting = `import signal, time
got = []
signal.signal(signal.SIGINT, lambda n, f: (got.append(n), print("got", n)))
print("ready")
while not got: time.sleep(0.02)
time.sleep(0.5)
print({"eval_loss": 0.9, "epoch": 1})`

// TestCtrlCReachesTheTrainerOnce: in every mode, by a key and not by a signal
// that trainvet is sent.
func TestCtrlCReachesTheTrainerOnce(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no Python")
	}
	for _, mode := range []string{"--file", "--tty", "--pipe"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "run")
			x := login(t, "trainvet", "run", mode, "--dir", dir, "--", python, "-c", counting)
			x.await("ready")
			x.typed("\x03")
			x.await("trainvet: run ")
			log, err := os.ReadFile(filepath.Join(dir, rundir.LogFile))
			require.NoError(t, err)
			require.Equal(t, 1, bytes.Count(log, []byte("got 2")), "%s", log)
			require.Equal(t, strings.TrimPrefix(mode, "--"), modeOf(t, dir))
			d := closedRun(t, dir)
			require.Equal(t, supervise.EndExit, endingOf(d))
			require.Equal(t, verdict.Trusted, d.Receipt.Headline)
		})
	}
}

// TestCtrlCEndsATrainer that has no handler, and trainvet as a shell expects it.
func TestCtrlCEndsATrainer(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	x := login(t, "sh", "-c", `trainvet run --dir "$1" -- sh -c 'echo ready; exec sleep 60'; echo code $?`, "sh", dir)
	x.await("ready")
	x.typed("\x03")
	x.await("code 130")
	d := closedRun(t, dir)
	require.Equal(t, supervise.EndSignal, endingOf(d))
}

// TestCtrlZGivesTheTerminalBack: the shell has it, and fg goes on with both.
func TestCtrlZGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"--file", "--pipe"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "run")
			goOn := filepath.Join(t.TempDir(), "go")
			script := filepath.Join(t.TempDir(), "train.sh")
			require.NoError(t, os.WriteFile(script, []byte("echo ready\nuntil test -e $1; do sleep 0.05; done\necho \"{'eval_loss': 0.9, 'epoch': 1}\"\n"), 0o600))
			x := login(t, "sh", "-i")
			x.await("$ ")
			x.typed("trainvet run " + mode + " --dir " + dir + " -- sh " + script + " " + goOn + "\n")
			x.await("\nready")
			x.typed("\x1a")
			x.await("Stopped")
			x.typed("echo the shell $((40+2))\n")
			x.await("the shell 42")
			require.NoError(t, os.WriteFile(goOn, nil, 0o600))
			x.typed("fg\n")
			x.await("trainvet: run ")
			d := closedRun(t, dir)
			require.Equal(t, supervise.EndExit, endingOf(d))
			require.Equal(t, verdict.Trusted, d.Receipt.Headline)
			x.typed("echo and again $((40+3))\n")
			x.await("and again 43")
		})
	}
}

// TestATerminalOfItsOwnIsChosen where the caller has one and the bars need one;
// it has the caller's size.
func TestATerminalOfItsOwnIsChosen(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "train.sh")
	require.NoError(t, os.WriteFile(script, []byte(`: 'tqdm(steps, disable=None)'
test -t 0 && test -t 1 && test -t 2 && echo all three
stty size
echo "{'eval_loss': 0.9, 'epoch': 1}"
`), 0o600))
	dir := filepath.Join(t.TempDir(), "run")
	x := login(t, "trainvet", "run", "--dir", dir, "--", "sh", script)
	x.await("trainvet: run ")
	require.Equal(t, "tty", modeOf(t, dir))
	require.Contains(t, x.text(), "the trainer gets a terminal of its own: train.sh shows bars of tqdm on a terminal alone")
	require.Contains(t, x.text(), "all three")
	require.Contains(t, x.text(), "50 132")
	require.Equal(t, verdict.Trusted, closedRun(t, dir).Receipt.Headline)
}

// TestTheTerminalGoesAway: a detached run ends as an undisturbed one does; one in
// the foreground of a shell loses what it was started from, and the ending says
// so.
func TestTheTerminalGoesAway(t *testing.T) {
	t.Parallel()
	t.Run("detached", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "run")
		x := login(t, "sh", "-c", `trainvet run --detach --dir "$1" -- sh -c "$2" && echo begun && exec sleep 60`, "sh", dir, epochs)
		x.await("begun")
		x.close()
		d := closedRun(t, dir)
		require.Equal(t, supervise.EndExit, endingOf(d))
		require.Equal(t, verdict.Trusted, d.Receipt.Headline)
		log, err := os.ReadFile(filepath.Join(dir, rundir.LogFile))
		require.NoError(t, err)
		require.Equal(t, 12, bytes.Count(log, []byte("\n")))
	})
	t.Run("foreground", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "run")
		x := login(t, "sh", "-c", `trainvet run --dir "$1" -- sh -c 'echo ready; exec sleep 60'; true`, "sh", dir)
		x.await("ready")
		x.close()
		require.Equal(t, supervise.EndTeardown, endingOf(closedRun(t, dir)))
	})
	t.Run("and the trainer does not care", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "run")
		x := login(t, "sh", "-c", `trainvet run --dir "$1" -- sh -c 'trap "" HUP; echo ready; sleep 1; echo "{'\''eval_loss'\'': 0.9, '\''epoch'\'': 1}"'; true`, "sh", dir)
		x.await("ready")
		x.close()
		d := closedRun(t, dir)
		require.Equal(t, supervise.EndExit, endingOf(d))
		require.Equal(t, verdict.Trusted, d.Receipt.Headline)
	})
}
