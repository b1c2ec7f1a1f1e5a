//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// bars reports whether the tests run at the size that the acceptance names.
func bars() bool { return os.Getenv("TRAINVET_BARS") != "" }

// trainer is this test binary in the role of a program under trainvet.
func trainer(role string, env ...string) (argv, environ []string) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return []string{self, "-test.run=^TestAsTrainer$"}, append(append(os.Environ(), "AS_TRAINER="+role), env...)
}

// TestAsTrainer is no test: it plays the trainers of the others.
func TestAsTrainer(t *testing.T) {
	lines, _ := strconv.Atoi(os.Getenv("AS_LINES"))
	switch role := os.Getenv("AS_TRAINER"); role {
	case "":
		t.Skip("for the other tests")
	case "four":
		var all []*exec.Cmd
		for i := range 4 {
			argv, env := trainer("one", "AS_ID="+strconv.Itoa(i))
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Env, cmd.Stdout, cmd.Stderr = env, os.Stdout, os.Stderr
			require.NoError(t, cmd.Start())
			all = append(all, cmd)
		}
		for _, c := range all {
			require.NoError(t, c.Wait())
		}
	case "one":
		writeLines(os.Getenv("AS_ID"), lines)
	case "steady":
		writeSteadily(lines)
	}
}

// writeLines alternates the streams, one write a line of up to 8 KiB.
func writeLines(id string, lines int) {
	most := 8 << 10
	if n, err := strconv.Atoi(os.Getenv("AS_LONGEST")); err == nil {
		most = n
	}
	pad := bytes.Repeat([]byte("x"), most)
	streams := []*os.File{os.Stdout, os.Stderr}
	var line []byte
	for i := range lines {
		line = fmt.Appendf(line[:0], "<%s %d ", id, i)
		n := rand.IntN(60)
		if i%100 == 0 {
			n = rand.IntN(most - 40)
		}
		line = append(append(line, pad[:n]...), ">\n"...)
		if _, err := streams[i%2].Write(line); err != nil {
			os.Exit(9)
		}
	}
}

// writeSteadily prints 20 MB a second in lines of 100 bytes, for so many tenths.
func writeSteadily(tenths int) {
	line := append(bytes.Repeat([]byte("x"), 99), '\n')
	next := time.Now()
	for range tenths * 10 {
		for range 2000 {
			if _, err := os.Stdout.Write(line); err != nil {
				os.Exit(9)
			}
		}
		next = next.Add(10 * time.Millisecond)
		time.Sleep(time.Until(next))
	}
}

// knowingNothing are the variables under which neither what this machine has
// seen nor what the tests run under (CI makes the verdict the exit code) reaches
// trainvet.
func knowingNothing(t testing.TB) []string {
	return []string{"TRAINVET_STATE=" + t.TempDir(), "TRAINVET=1", "CI="}
}

// underTrainvet runs a program under trainvet, and returns the run directory.
func underTrainvet(t testing.TB, argv, env []string, flags ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	args := append(append([]string{"run", "-q", "--dir", dir}, flags...), "--")
	cmd := exec.Command("trainvet", append(args, argv...)...)
	cmd.Env = append(env, knowingNothing(t)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	require.NoError(t, cmd.Run(), errs.String())
	return dir
}

// TestOrderOfProcesses: four processes alternate both streams. Of each all lines
// are there, whole, in the order in which they were written.
func TestOrderOfProcesses(t *testing.T) {
	lines := 5_000
	if bars() {
		lines = 250_000
	}
	for _, mode := range []string{"", "--pipe"} {
		argv, env := trainer("four", "AS_LINES="+strconv.Itoa(lines))
		var flags []string
		if mode != "" { // a pipe takes 4 KiB at a time as one
			flags, env = []string{mode}, append(env, "AS_LONGEST=4096")
		}
		dir := underTrainvet(t, argv, env, flags...)
		misordered, torn, total := checkLines(t, filepath.Join(dir, rundir.LogFile))
		t.Logf("mode %q: %d lines, %d misordered, %d torn, %d lost", mode, total, misordered, torn, 4*lines-total)
		require.Equal(t, 4*lines, total)
		require.Zero(t, misordered)
		require.Zero(t, torn)
	}
}

func checkLines(t *testing.T, log string) (misordered, torn, total int) {
	t.Helper()
	f, err := os.Open(log)
	require.NoError(t, err)
	defer f.Close()
	next := map[string]int{}
	in := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return misordered, torn, total
		}
		total += strings.Count(line, "<")
		if strings.Count(line, "<") != 1 || !strings.HasPrefix(line, "<") || !strings.HasSuffix(line, ">\n") {
			if strings.Contains(line, "<") {
				torn++
			}
			continue
		}
		words := strings.SplitN(line[1:], " ", 3)
		n, err := strconv.Atoi(words[1])
		require.NoError(t, err)
		if n != next[words[0]] {
			misordered++
		}
		next[words[0]] = n + 1
	}
}

// epochs prints values for a while; the last one is the claim.
const epochs = `i=0; while [ $i -lt 12 ]; do i=$((i+1)); echo "{'eval_loss': 0.$((20-i)), 'epoch': $i}"; sleep 0.02; done; exit 3`

// TestKillLoop kills parts of a detached run at moments of no choosing. When the
// trainer lived to its end, the run ends as an undisturbed one does; when it did
// not, its log is whole up to there and the ending says so.
func TestKillLoop(t *testing.T) {
	kills := 9
	if bars() {
		kills = 200
	}
	parts := []string{"supervisor", "keeper", "trainer", "supervisor HUP", "supervisor TERM", "session HUP", "session TERM", "session", "terminal"}
	runs := t.TempDir()
	env := append(os.Environ(), knowingNothing(t)...)
	for i := range kills {
		part := parts[i%len(parts)]
		dir := filepath.Join(runs, strconv.Itoa(i))
		harm := startToBeKilled(t, env, dir, part)
		time.Sleep(time.Duration(rand.IntN(250)) * time.Millisecond)
		hit := harm()
		attach := exec.Command("trainvet", "attach", dir)
		attach.Env = env
		said, _ := attach.CombinedOutput() // its exit code is the trainer's
		checkKilled(t, dir, part, hit, string(said))
		require.NoError(t, os.RemoveAll(dir))
	}
	t.Logf("%d kills", kills)
}

// startToBeKilled starts a detached run, from a session at a terminal where that
// is what goes away, and returns what does the harm. It reports whether there was
// still something to harm.
func startToBeKilled(t *testing.T, env []string, dir, part string) func() bool {
	t.Helper()
	name, sig, _ := strings.Cut(part, " ")
	if name != "session" && name != "terminal" {
		start := exec.Command("trainvet", "run", "-q", "--detach", "--dir", dir, "--", "sh", "-c", epochs)
		start.Env = env
		out, err := start.CombinedOutput()
		require.NoError(t, err, string(out))
		return func() bool { return killPart(t, dir, part) }
	}
	x := login(t, "sh", "-c", `trainvet run -q --detach --dir "$1" -- sh -c "$2"; echo begun; sleep 60; true`, "sh", dir, epochs)
	x.await("begun")
	if name == "terminal" {
		return func() bool { x.logout(); return true }
	}
	return func() bool {
		hit := killSession(t, x.cmd.Process.Pid, signalOf(sig))
		x.logout()
		return hit
	}
}

func signalOf(name string) syscall.Signal {
	return map[string]syscall.Signal{"": syscall.SIGKILL, "HUP": syscall.SIGHUP, "TERM": syscall.SIGTERM}[name]
}

// killSession signals every process of a session.
func killSession(t *testing.T, sid int, sig syscall.Signal) bool {
	t.Helper()
	hit := false
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if of, err := unix.Getsid(pid); err == nil && of == sid {
			hit = syscall.Kill(pid, sig) == nil || hit
		}
	}
	return hit
}

// killPart reports whether there was still something to kill.
func killPart(t *testing.T, dir, part string) bool {
	t.Helper()
	name, sig, _ := strings.Cut(part, " ")
	signal := signalOf(sig)
	if name == "trainer" {
		var child struct{ Pid int }
		text, err := os.ReadFile(filepath.Join(dir, "child.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &child))
		return syscall.Kill(child.Pid, signal) == nil
	}
	hit := false
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	for _, e := range entries {
		line, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if err == nil && bytes.Contains(line, []byte("\x00-"+name+"\x00"+dir+"\x00")) {
			pid, err := strconv.Atoi(e.Name())
			require.NoError(t, err)
			hit = syscall.Kill(pid, signal) == nil || hit
		}
	}
	return hit
}

func checkKilled(t *testing.T, dir, part string, hit bool, said string) {
	t.Helper()
	d, err := rundir.Read(dir)
	require.NoError(t, err)
	require.Empty(t, d.Verify(), "%s: %s", part, said)
	ending := ""
	for i := range d.Events {
		if d.Events[i].Type == rundir.EventEnding {
			ending = d.Events[i].Kind
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, rundir.LogFile))
	require.NoError(t, err)
	if part == "trainer" && hit && ending == "signal" {
		require.True(t, len(text) == 0 || bytes.HasSuffix(text, []byte("}\n")), "%q", text)
		return
	}
	require.Equal(t, "exit", ending, "%s: %s", part, said)
	require.Equal(t, 12, bytes.Count(text, []byte("\n")), part)
	require.NotNil(t, d.Receipt, "%s: %s", part, said)
	require.Equal(t, verdict.Trusted, d.Receipt.Headline, "%s: %s", part, said)
}

// TestWithoutNetwork: nothing of it needs one.
func TestWithoutNetwork(t *testing.T) {
	path, err := exec.LookPath("trainvet")
	require.NoError(t, err)
	cmd := exec.Command("unshare", "-rn", path, "run", "-q", "--dir", filepath.Join(t.TempDir(), "run"), "--", "echo", "hello")
	cmd.Env = append(os.Environ(), knowingNothing(t)...)
	out, err := cmd.CombinedOutput()
	if err != nil && bytes.Contains(out, []byte("unshare")) {
		t.Skipf("no namespaces here: %s", out)
	}
	require.NoError(t, err, string(out))
	require.Equal(t, "hello\n", string(out))
}
