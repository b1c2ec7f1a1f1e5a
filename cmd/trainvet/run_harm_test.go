//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/rundir"
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
    print((99 * \"y\" + chr(10)) * 8000, end=str()); time.sleep(0.1)
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
// removed and leave it sealed.
func TestDeletionLawOfARun(t *testing.T) {
	dir := underTrainvet(t, []string{"sh", "-c", `echo "{'eval_loss': 0.9, 'epoch': 1}"; python3 -c 'print("guards")' || true`}, os.Environ())
	require.NoError(t, os.RemoveAll(filepath.Join(dir, rundir.ReceiptFile))) // it came later, and no verdict needs it
	tried := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, h := range harms(whole, !strings.HasSuffix(path, ".zip") || bars()) {
			tried++
			write(t, path, h)
			run, err := rundir.Read(dir)
			if err == nil && run.Sealed() {
				t.Fatalf("%s: still sealed with %d of %d bytes", d.Name(), len(h), len(whole))
			}
		}
		write(t, path, whole)
		return nil
	}))
	run, err := rundir.Read(dir)
	require.NoError(t, err)
	require.True(t, run.Sealed())
	t.Logf("%d harms", tried)
}

// harms are what can happen to a file: gone (nil), each line and each aligned
// block of 64 bytes removed, a byte more, and bytes flipped: at full size each.
func harms(whole []byte, each bool) [][]byte {
	list := [][]byte{nil, append(bytes.Clone(whole), '\n')}
	cut := func(from, to int) {
		list = append(list, append(bytes.Clone(whole[:from]), whole[to:]...))
	}
	stride := 4 << 10
	if each {
		stride = 64
	}
	for at := 0; at < len(whole); at += stride {
		cut(at, min(at+64, len(whole)))
	}
	for at := 0; each && at < len(whole); {
		end := len(whole)
		if n := bytes.IndexByte(whole[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		cut(at, end)
		at = end
	}
	flip := stride
	if each {
		flip = 5
	}
	if bars() {
		flip = 1
	}
	for at := 0; at < len(whole); at++ {
		if at%flip == 0 {
			b := bytes.Clone(whole)
			b[at] ^= 0x20
			list = append(list, b)
		}
	}
	return list
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
