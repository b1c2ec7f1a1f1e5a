//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// harmed runs a shell script, which names trainvet as $0 and may need rights
// that a test does not have.
func harmed(t *testing.T, script string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath("trainvet")
	require.NoError(t, err)
	cmd := exec.Command("sh", append([]string{"-c", script, path}, args...)...)
	cmd.Env = append(os.Environ(), knowingNothing(t)...)
	out, err := cmd.CombinedOutput()
	if bytes.Contains(out, []byte("CANNOT")) {
		t.Skipf("not possible here: %s", out)
	}
	require.NoError(t, err, string(out))
	return string(out)
}

// TestFullDisk: a log that the disk does not hold ends no trainer. The reserve
// goes, then the middle of the log, and both are said.
func TestFullDisk(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no Python")
	}
	out := harmed(t, `unshare -rm true 2>/dev/null || { echo CANNOT; exit 0; }
exec unshare -rm sh -c 'mount -t tmpfs -o size=24m none "$1" || { echo CANNOT; exit 0; }
cd "$1" && printf "[run]\nreserve = \"4MiB\"\nkeep = \"0\"\n" >trainvet.toml
"$0" run -- python3 -c "
import time
for i in range(40):
    print((99 * \"y\" + chr(10)) * 8000, end=str()); time.sleep(0.25)
print({\"eval_loss\": 1.5, \"epoch\": 1})" >/dev/null' "$0" "$1"`, t.TempDir())
	require.Contains(t, out, "is full: the reserve of 4 MiB is released")
	require.Contains(t, out, "the disk is full: what stands behind its first 1 MiB is given up")
	require.Contains(t, out, "UNPROVEN eval_loss 1.5")
	require.Contains(t, out, "ending       exit, code 0")
}

// TestOutOfMemory needs a memory cgroup that the test may make.
func TestOutOfMemory(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no Python")
	}
	group := filepath.Join("/sys/fs/cgroup/memory", "trainvet-"+strconv.Itoa(os.Getpid()))
	limit := "memory.limit_in_bytes"
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		group, limit = filepath.Join("/sys/fs/cgroup", filepath.Base(group)), "memory.max"
	}
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skipf("no cgroup: %v", err)
	}
	defer os.Remove(group)
	if err := os.WriteFile(filepath.Join(group, limit), []byte("128M"), 0o644); err != nil {
		t.Skipf("no limit: %v", err)
	}
	os.WriteFile(filepath.Join(group, "memory.swap.max"), []byte("0"), 0o644) // as far as there is one
	out := harmed(t, `echo $$ >"$1"/cgroup.procs || { echo CANNOT; exit 0; }
"$0" run --dir "$2" -- python3 -c "
x = []
while len(x) < 2000: x.append(b\"x\" * 10**7)"
test $? = 137`, group, filepath.Join(t.TempDir(), "run"))
	require.Contains(t, out, "ending       oom, by SIGKILL")
	require.Contains(t, out, "the cgroup counts 1 out-of-memory kills during the run")
}

// TestDeletionLawOfARun: of a run that was recorded nothing can be changed or
// removed and leave it sealed, or its values TRUSTED. The run has everything that
// one without PyTorch leaves: sites of its sources, records of a Python process,
// files that it wrote.
func TestDeletionLawOfARun(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no Python")
	}
	from := t.TempDir()
	write(t, filepath.Join(from, "train.py"), []byte(`import sys
def words(tokenizer, ids):
    return tokenizer.batch_decode(ids)
open("model.bin", "w").write("weights")
print("Saving model checkpoint to model.bin")
print({"eval_loss": 0.9, "epoch": 1})
`))
	t.Chdir(from)
	dir := underTrainvet(t, []string{"sh", "-c", `python3 "$0"; exit $?`, "train.py"}, os.Environ(), "--outputs", ".")
	require.FileExists(t, filepath.Join(dir, supervise.SitesFile))
	holdsTheLaw(t, dir, verdict.Captured)
	d, err := rundir.Read(dir)
	require.NoError(t, err)
	require.NotEmpty(t, d.Evidence().Boots, "a Python process left a record")
	require.Contains(t, eventTypes(d), rundir.EventArtifact)
}

// TestTorchDeletionLaw: the same of a run whose training guards looked at.
func TestTorchDeletionLaw(t *testing.T) {
	python := torch(t)
	run := &scenarioRun{t: t, tool: "trainvet", dir: filepath.Join(t.TempDir(), "run")}
	script, err := filepath.Abs("../../testdata/scenarios/O01/train.py")
	require.NoError(t, err)
	run.start(nil, python, script, "twin", "0")
	require.FileExists(t, filepath.Join(run.dir, supervise.SitesFile))
	holdsTheLaw(t, run.dir, verdict.Guarded)
}

func eventTypes(d *rundir.Dir) (types []rundir.EventType) {
	for i := range d.Events {
		types = append(types, d.Events[i].Type)
	}
	return types
}

// holdsTheLaw harms each file of a run directory in every way, and holds what an
// audit then says against what it said of the whole: TRUSTED at the level.
func holdsTheLaw(t *testing.T, dir string, level verdict.Level) {
	t.Helper()
	require.NoError(t, os.RemoveAll(filepath.Join(dir, rundir.ReceiptFile))) // it came later, and no verdict needs it
	judged := func() *verdict.Result {
		res, _, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{})
		require.NoError(t, err)
		return res
	}
	whole := judged()
	require.Equal(t, verdict.Trusted, whole.Headline)
	require.Equal(t, level, whole.Claims[0].Level)
	sealed, audited := 0, 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		before := sealed
		for h := range harms(text, !strings.HasSuffix(path, ".zip") || bars()) {
			sealed++
			write(t, path, h.text)
			run, err := rundir.Read(dir)
			if err == nil && run.Sealed() {
				t.Fatalf("%s: still sealed, %s", e.Name(), h.what)
			}
			if strings.HasPrefix(h.what, "a b") && sealed%23 != 0 {
				continue // the seal was looked at, and an audit takes its time
			}
			audited++
			if got := judged(); got.Headline == verdict.Trusted {
				t.Fatalf("%s: still TRUSTED (%s), %s", e.Name(), got.Claims[0].Level, h.what)
			}
		}
		write(t, path, text)
		t.Logf("%6d harms of %s", sealed-before, e.Name())
		return nil
	}))
	require.Equal(t, whole.Headline, judged().Headline)
	t.Logf("%d harms, %d of them audited", sealed, audited)
}

// harm is a file as it is afterwards; nil: it is gone.
type harm struct {
	what string
	text []byte
}

// harms are what can happen to a file: gone (nil), each line and each aligned
// block of 64 bytes removed, a byte more, and bytes flipped: at full size each.
// They are made one by one: all of an archive's at once would fill the memory.
func harms(whole []byte, each bool) iter.Seq[harm] {
	stride := 4 << 10
	if each {
		stride = 64
	}
	flip := stride
	if each {
		flip = 5
	}
	if bars() {
		flip = 1
	}
	return func(yield func(harm) bool) {
		cut := func(what string, from, to int) bool {
			return yield(harm{what, append(bytes.Clone(whole[:from]), whole[to:]...)})
		}
		if !yield(harm{"gone", nil}) || !yield(harm{"a byte more", append(bytes.Clone(whole), '\n')}) {
			return
		}
		for at := 0; at < len(whole); at += stride {
			if !cut("a block of 64 bytes gone", at, min(at+64, len(whole))) {
				return
			}
		}
		for at := 0; each && at < len(whole); {
			end := len(whole)
			if n := bytes.IndexByte(whole[at:], '\n'); n >= 0 {
				end = at + n + 1
			}
			if !cut("a line gone", at, end) {
				return
			}
			at = end
		}
		for at := 0; at < len(whole); at += flip {
			b := bytes.Clone(whole)
			b[at] ^= 0x20
			if !yield(harm{"a byte flipped", b}) {
				return
			}
		}
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if text == nil {
		require.NoError(t, os.Remove(path))
		return
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	require.NoError(t, err)
	_, err = f.WriteAt(text, 0)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(int64(len(text))))
	require.NoError(t, f.Close(), fmt.Sprint(path))
}
