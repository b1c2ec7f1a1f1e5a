package guards

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// trainOnFullDisk is a trainer whose every write fails. Its exit code is all
// that it can say.
func trainOnFullDisk() {
	steps, loss := NewSteps("SGD"), NewMetric("loss", "train")
	w := 1.0
	for n := int64(1); n <= 100; n++ {
		SetStep(n)
		steps.Apply(1)
		w *= 0.99
		if err := loss.Report(w, 1); err != nil {
			os.Exit(10)
		}
	}
	switch {
	case Close() != nil:
		os.Exit(11)
	case Default().Loss() == nil:
		os.Exit(12)
	case steps.Applied() != 100:
		os.Exit(13)
	}
	if lost := Default().Loss().(*record.LossError); lost.Lost < 150 {
		os.Exit(14)
	}
}

// TestTrainerOutlivesItsDisk makes the kernel fail every write of a trainer.
func TestTrainerOutlivesItsDisk(t *testing.T) {
	strace := needStrace(t)
	for _, fail := range []string{"ENOSPC", "EIO", "EDQUOT", "EBADF"} {
		t.Run(fail, func(t *testing.T) {
			dir := t.TempDir()
			cmd := trainer("full", dir)
			cmd.Args = append([]string{strace, "-f", "-o", os.DevNull, "-e", "trace=write", "-e", "inject=write:error=" + fail}, cmd.Args...)
			cmd.Path = strace
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		})
	}
	t.Run("the record's folder cannot be opened", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, record.Folder), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := trainer("full", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	})
}

// needStrace skips where the kernel cannot be watched.
func needStrace(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("strace is Linux's")
	}
	path, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace on PATH")
	}
	if out, err := exec.Command(path, "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %v: %s", err, out)
	}
	return path
}

// Marks that the quiet trainer writes around the stretch that is watched.
const begin, end = "quiet begins", "quiet ends"

// checkQuietly counts checks and steps between two powers of two.
func checkQuietly() {
	runtime.LockOSThread()
	r := Default()
	c, steps := r.check("decode", 0, "fill"), NewSteps("SGD")
	tick := func() {
		c.ran(448)
		c.tally(0, 3)
		steps.Apply(16)
	}
	for range 1 << 16 {
		tick()
	}
	os.Stdout.WriteString(begin)
	for range 1000 { // totals are written at 65536 and 69632
		tick()
	}
	os.Stdout.WriteString(end)
}

// TestNothingNewNoSystemCall watches the thread that checks.
func TestNothingNewNoSystemCall(t *testing.T) {
	strace := needStrace(t)
	for _, dir := range []string{t.TempDir(), ""} { // with a record, and without
		trace := filepath.Join(t.TempDir(), "trace")
		cmd := trainer("quiet", dir)
		cmd.Args = append([]string{strace, "-f", "-o", trace}, cmd.Args...)
		cmd.Path = strace
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		text, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		if calls := between(string(text)); len(calls) > 0 {
			t.Errorf("run directory %q: 1000 checks and steps made %d system calls: %s", dir, len(calls), strings.Join(calls, "\n"))
		}
		if recs, _ := readRecord(t, dir); dir != "" && len(bodies[*record.Count](recs)) < 17 {
			t.Errorf("the checks before were not recorded: %d counts", len(bodies[*record.Count](recs)))
		}
	}
}

// scheduling is what the thread does for the Go scheduler, which wakes other
// threads and interrupts those that run for long: a few times in the stretch,
// where a check that made a system call would make a thousand.
var scheduling = []string{"futex(", "rt_sigreturn(", "sched_yield(", "tgkill(", "nanosleep("}

// between lists the system calls of the thread that wrote both marks.
func between(trace string) (calls []string) {
	lines := strings.Split(trace, "\n")
	from := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, begin) })
	to := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, end) })
	if from < 0 || to < from {
		return []string{fmt.Sprintf("no marks: %d, %d", from, to)}
	}
	thread, _, _ := strings.Cut(lines[from], " ")
	scheduled := 0
	for _, l := range lines[from+1 : to] {
		id, call, _ := strings.Cut(l, " ")
		call = strings.TrimSpace(call)
		switch {
		case id != thread, strings.HasPrefix(call, "---"), strings.HasPrefix(call, "<..."):
		case scheduled < 20 && slices.ContainsFunc(scheduling, func(s string) bool { return strings.HasPrefix(call, s) }):
			scheduled++
		default:
			calls = append(calls, l)
		}
	}
	return calls
}

// TestEachRecordIsOneWrite: what lies between two writes can be torn apart.
func TestEachRecordIsOneWrite(t *testing.T) {
	strace := needStrace(t)
	dir, trace := t.TempDir(), filepath.Join(t.TempDir(), "trace")
	cmd := trainer("full", dir)
	cmd.Args = append([]string{strace, "-f", "-y", "-o", trace, "-e", "trace=write,pwrite64,writev"}, cmd.Args...)
	cmd.Path = strace
	cmd.Run() // it finds its disk sound and says so by its exit code
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	writes := 0
	for _, l := range strings.Split(string(text), "\n") {
		if strings.Contains(l, ".jsonl>") && !strings.Contains(l, "resumed") {
			writes++
		}
	}
	recs, issues := readRecord(t, dir)
	if len(recs) < 150 || writes != len(recs) || len(issues) > 0 {
		t.Errorf("%d records by %d writes, %v", len(recs), writes, issues)
	}
}

// TestIdleProcessLeavesNoFile: a process that only links the guards has nothing to say.
func TestIdleProcessLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	if out, err := trainer("idle", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("%d files", len(entries))
	}
}
