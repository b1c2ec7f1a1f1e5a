package python

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// interpreter is the Python of this machine: the oldest and the newest one that
// CI has come in by TRAINVET_TEST_PYTHON.
func interpreter(t *testing.T) string {
	t.Helper()
	name := os.Getenv("TRAINVET_TEST_PYTHON")
	if name == "" {
		name = "python3"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no Python: %v", err)
	}
	return path
}

// trainer is a run directory with a log, and a Python process that writes to it.
type trainer struct {
	t        *testing.T
	dir, log string
	env      []string
}

func newTrainer(t *testing.T) *trainer {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, record.Folder), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, File))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Write(f); err != nil {
		t.Fatal(err)
	}
	return &trainer{t: t, dir: dir, log: filepath.Join(dir, "run.log")}
}

// run runs a script with both streams in the log, which it returns.
func (tr *trainer) run(script string, args ...string) string {
	tr.t.Helper()
	log, err := os.OpenFile(tr.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		tr.t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(interpreter(tr.t), append(args, "-c", script)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PYTHONUNBUFFERED=") })
	cmd.Env = append(cmd.Env, "PYTHONPATH="+filepath.Join(tr.dir, File)+tr.path())
	cmd.Env = append(cmd.Env, tr.env...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		tr.t.Logf("the process ended: %v", err)
	}
	text, err := os.ReadFile(tr.log)
	if err != nil {
		tr.t.Fatal(err)
	}
	return string(text)
}

// path is what stands behind ours in PYTHONPATH: a sitecustomize of the user.
func (tr *trainer) path() string {
	dir := filepath.Join(tr.dir, "site")
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return string(os.PathListSeparator) + dir
}

func (tr *trainer) records() []*record.Record {
	tr.t.Helper()
	files, err := filepath.Glob(filepath.Join(tr.dir, record.Folder, "*.jsonl"))
	if err != nil {
		tr.t.Fatal(err)
	}
	var out []*record.Record
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			tr.t.Fatal(err)
		}
		r := record.NewReader(bytes.NewReader(text))
		for {
			e, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				tr.t.Fatal(err)
			}
			if e.Issue != nil {
				tr.t.Fatalf("%s: %s: %s\n%s", name, e.Issue.Kind, e.Issue.Text, text)
			}
			out = append(out, e.Record)
		}
	}
	return out
}

func TestTheBootRecordIsOneOfTheReader(t *testing.T) {
	tr := newTrainer(t)
	tr.env = []string{"RANK=3", "WORLD_SIZE=8", "LOCAL_RANK=1"}
	tr.run(`print("x" * 10)`)
	recs := tr.records()
	if len(recs) != 2 {
		t.Fatalf("%d records, want boot and end", len(recs))
	}
	boot, ok := recs[0].Body.(*record.Boot)
	if !ok {
		t.Fatalf("the first record is a %s", recs[0].Type)
	}
	if boot.Lang != "python" || boot.World != 8 || boot.LocalRank != 1 || recs[0].Rank != 3 || len(boot.Argv) != 3 || boot.Runtime == "" {
		t.Errorf("boot %+v, rank %d", boot, recs[0].Rank)
	}
	if boot.Run != filepath.Base(tr.dir) || len(boot.Checks) != 0 || len(boot.Off) == 0 {
		t.Errorf("boot %+v", boot)
	}
	if recs[0].Sink == nil || recs[0].Sink.Offset != 0 {
		t.Errorf("the boot stands at %+v, want offset 0", recs[0].Sink)
	}
	end, ok := recs[1].Body.(*record.End)
	if !ok || end.Why != "exit" || end.Lost != 0 || end.HookErrors != 0 {
		t.Errorf("end %+v", recs[1].Body)
	}
	if recs[1].Sink == nil || recs[1].Sink.Offset != 11 {
		t.Errorf("the end stands at %+v, want offset 11", recs[1].Sink)
	}
}

// TestOrderOfStreams: prints of Python, of C and to standard error stand in the
// log in the order in which they were made.
func TestOrderOfStreams(t *testing.T) {
	const script = `
import ctypes, sys
libc = ctypes.CDLL(None)
for i in range(200):
    print("a", i)
    sys.stderr.write("b %d\n" % i)
    libc.printf(b"c %d\n", i)
`
	tr := newTrainer(t)
	var want strings.Builder
	for i := range 200 {
		for _, c := range "abc" {
			want.WriteString(string(c) + " " + itoa(i) + "\n")
		}
	}
	if got := tr.run(script); got != want.String() {
		t.Errorf("out of order: %.300q", got)
	}
	off := newTrainer(t)
	off.env = []string{"TRAINVET=0"}
	if got := off.run(script); got == want.String() {
		t.Error("TRAINVET=0 changes nothing")
	}
	if len(off.records()) != 0 {
		t.Error("TRAINVET=0 writes a record")
	}
}

func itoa(i int) string {
	var b []byte
	for ; i > 9; i /= 10 {
		b = append([]byte{byte('0' + i%10)}, b...)
	}
	return string(append([]byte{byte('0' + i)}, b...))
}

// TestUnbufferedRanksWriteWholeLines: without buffers a text and its line feed
// are two writes, and the lines of ranks tear.
func TestUnbufferedRanksWriteWholeLines(t *testing.T) {
	const script = "import sys; print(sys.stdout.line_buffering, sys.stdout.write_through)"
	for world, want := range map[string]string{"1": "True True\n", "2": "True False\n"} {
		tr := newTrainer(t)
		tr.env = []string{"PYTHONUNBUFFERED=1", "RANK=0", "WORLD_SIZE=" + world}
		if got := tr.run(script); got != want {
			t.Errorf("world %s: %q, want %q", world, got, want)
		}
	}
}

// TestStreamsThatGoElsewhereAreLeftAlone: a pipe between two programs keeps its
// blocks.
func TestStreamsThatGoElsewhereAreLeftAlone(t *testing.T) {
	tr := newTrainer(t)
	got := tr.run(`
import subprocess, sys
out = subprocess.run([sys.executable, "-c", "import sys; sys.stderr.write(str(sys.stdout.line_buffering))"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
print(sys.stdout.line_buffering, out.stderr.decode())
`)
	if got != "True False\n" {
		t.Errorf("line buffering here and in a pipe: %q", got)
	}
	if n := len(tr.records()); n != 4 {
		t.Errorf("%d records, want boot and end of two processes", n)
	}
}

// TestTheHiddenSitecustomizeRuns: one that works, one that fails and none.
func TestTheHiddenSitecustomizeRuns(t *testing.T) {
	site := func(text string) *trainer {
		tr := newTrainer(t)
		dir := filepath.Join(tr.dir, "site")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "sitecustomize.py"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tr.env = []string{"PYTHONDONTWRITEBYTECODE=1"}
		return tr
	}
	works := site("MARK = 'theirs'\n").run("import sitecustomize, sys; print(sitecustomize.MARK, sys.path[1].endswith('.zip'))")
	if works != "theirs True\n" {
		t.Errorf("the user's sitecustomize: %q", works)
	}
	broken := site("import no_such_module\n")
	got := broken.run("print('trainer')")
	if !strings.Contains(got, "no_such_module") || !strings.HasSuffix(got, "trainer\n") {
		t.Errorf("a broken sitecustomize: %q", got)
	}
	if len(broken.records()) != 2 {
		t.Error("a broken sitecustomize of the user takes the record away")
	}
	if got := newTrainer(t).run("print('trainer')"); got != "trainer\n" {
		t.Errorf("without another sitecustomize: %q", got)
	}
}

// TestACopyIsNoRun: the package on PYTHONPATH without a run directory around it
// starts nothing and writes nothing, until it is asked to.
func TestACopyIsNoRun(t *testing.T) {
	tr := newTrainer(t)
	if err := os.Remove(filepath.Join(tr.dir, record.Folder)); err != nil {
		t.Fatal(err)
	}
	tr.env = []string{"TRAINVET_RUN="}
	if got := tr.run("import argparse, sys; argparse.ArgumentParser().parse_args([]); print('trainvet.boot' in sys.modules)"); got != "False\n" {
		t.Errorf("it was started, or failed: %q", got)
	}
	left, err := os.ReadDir(tr.dir)
	if err != nil || len(left) != 2 {
		t.Errorf("beside the package and the log: %v %v", left, err)
	}
}

// TestAnErrorOfOursEndsNobody: a run directory that is gone, streams that are
// closed, a record that cannot be written.
func TestAnErrorOfOursEndsNobody(t *testing.T) {
	tr := newTrainer(t)
	if err := os.Remove(filepath.Join(tr.dir, record.Folder)); err != nil {
		t.Fatal(err)
	}
	if got := tr.run("print('goes on')"); got != "goes on\n" {
		t.Errorf("without records: %q", got)
	}
	tr = newTrainer(t)
	tr.env = []string{"TRAINVET_RUN=/no/such/folder"}
	if got := tr.run("print('goes on')"); got != "goes on\n" {
		t.Errorf("without a run directory: %q", got)
	}
}

// TestForkedAndKilledProcesses: a fork has no end of its own, and what aborts
// leaves a boot and the stacks.
func TestForkedAndKilledProcesses(t *testing.T) {
	tr := newTrainer(t)
	got := tr.run(`
import os, sys
pid = os.fork()
if pid == 0:
    sys.exit(0)
os.waitpid(pid, 0)
os.abort()
`)
	if !strings.Contains(got, "Fatal Python error: Aborted") || !strings.Contains(got, "Current thread") {
		t.Errorf("no stacks of the abort: %q", got)
	}
	recs := tr.records()
	if len(recs) != 1 || recs[0].Type != record.TypeBoot {
		t.Errorf("%d records, want one boot", len(recs))
	}
}

func TestZipIsStoredAndTheSameEachTime(t *testing.T) {
	var a, b bytes.Buffer
	if err := Write(&a); err != nil {
		t.Fatal(err)
	}
	if err := Write(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two zips differ")
	}
	z, err := zip.NewReader(bytes.NewReader(a.Bytes()), int64(a.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		if f.Method != zip.Store || filepath.Ext(f.Name) != ".py" {
			t.Errorf("%s: method %d", f.Name, f.Method)
		}
	}
}

// TestThreadsWriteInOrder: numbers and lines go together, whoever writes, and a
// child that is forked meanwhile waits for no thread of its parent.
func TestThreadsWriteInOrder(t *testing.T) {
	tr := newTrainer(t)
	tr.run(`
import os, sys, threading
from trainvet import boot
sys.setswitchinterval(1e-6)
live = boot._run.guards.live
def work(k):
    for i in range(300):
        live.site((k % 4, i), lambda: {"kind": "decode", "name": "x"})
        live.finding("note-%d" % k, "note", "text")
threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
for t in threads: t.start()
for _ in range(5):
    if os.fork() == 0:
        live.finding("child", "note", "text")
        os._exit(0)
for t in threads: t.join()
for _ in range(5): os.wait()
`)
	last := map[int64]int64{}
	sites := map[int64]bool{}
	for _, r := range tr.records() {
		pid, seq := int64(r.Pid), int64(r.Seq)
		if seq != last[pid]+1 {
			t.Fatalf("process %d: record %d after %d", pid, seq, last[pid])
		}
		last[pid] = seq
		if s, ok := r.Body.(*record.Site); ok {
			if sites[int64(s.Site)] {
				t.Fatalf("site %d twice", s.Site)
			}
			sites[int64(s.Site)] = true
		}
	}
	if len(last) != 6 || len(sites) != 1200 {
		t.Errorf("%d processes with %d sites, want 6 with 1200", len(last), len(sites))
	}
}

// TestForkedChildrenHaveABootAndAnEnd: one that writes begins with a boot, and
// ends where multiprocessing leaves by os._exit; one that writes nothing has no
// record.
func TestForkedChildrenHaveABootAndAnEnd(t *testing.T) {
	tr := newTrainer(t)
	tr.run(`
import multiprocessing as mp
def work(writes):
    from trainvet import boot
    if writes:
        boot._run.guards.live.finding("child", "note", "text")
if __name__ == "__main__":
    children = [mp.get_context("fork").Process(target=work, args=(w,)) for w in (True, False)]
    for c in children: c.start()
    for c in children: c.join()
`)
	types := map[int][]record.Type{}
	for _, r := range tr.records() {
		types[r.Pid] = append(types[r.Pid], r.Type)
	}
	if len(types) != 2 {
		t.Fatalf("records of %d processes, want the parent's and one child's: %v", len(types), types)
	}
	for _, list := range types {
		if list[0] != record.TypeBoot || list[len(list)-1] != record.TypeEnd {
			t.Errorf("%v, want a boot first and an end last", list)
		}
	}
}
