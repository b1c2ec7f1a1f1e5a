//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan/rundir"
)

// TestFirstProcessOfAContainer: as process 1 trainvet reaps what is left to it,
// passes a signal on that would not end a process 1 by itself, and gives the
// trainer's signal as an exit code, since none can end it.
func TestFirstProcessOfAContainer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := harmed(t, `unshare -rpf --mount-proc true 2>/dev/null || { echo CANNOT; exit 0; }
cd "$1" || exit 1
unshare -rpf --mount-proc "$0" run --dir orphan -- sh -c 'test $PPID = 1 && echo below process 1
sh -c "(sleep 0.3; exit 7) & exit 0"; exit 3'
echo "code $?"
unshare -rpf --mount-proc "$0" run -q --dir killed -- sh -c 'kill -KILL $$'
echo "code $?"
unshare -rpf --mount-proc "$0" run -q --dir asked -- sh -c 'trap "echo asked; exit 5" TERM; echo ready; while :; do sleep 0.05; done' &
until grep -qs ready asked/run.log; do sleep 0.05; done
kill -TERM $(cat /proc/$!/task/$!/children)
wait $!
echo "code $?"`, dir)
	require.Contains(t, out, "below process 1")
	require.Contains(t, out, "code 3")
	require.Contains(t, out, "code 137")
	require.Contains(t, out, "asked\ncode 5")
	sidecar, err := os.ReadFile(filepath.Join(dir, "orphan", rundir.SidecarFile))
	require.NoError(t, err)
	require.Contains(t, string(sidecar), "left by its parent; ended with code 7")
}

// TestReboot: the machine has another boot id when the run is taken up again.
func TestReboot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := harmed(t, `unshare -rm true 2>/dev/null || { echo CANNOT; exit 0; }
cd "$1" || exit 1
"$0" run -q --dir run -- sh -c "echo \"{'eval_loss': 0.9, 'epoch': 1}\"; exec sleep 60" >/dev/null &
until grep -qs eval_loss run/run.log && grep -qs '"start"' run/sidecar.jsonl && test -s run/child.json; do sleep 0.05; done
kill -KILL $!
kill -KILL $(sed 's/.*"pid":\([0-9]*\).*/\1/' run/child.json)
echo 01234567-89ab-cdef-0123-456789abcdef >boot
unshare -rm sh -c 'mount --bind boot /proc/sys/kernel/random/boot_id || { echo CANNOT; exit 0; }
"$0" attach ./run; echo "code $?"' "$0"`, dir)
	require.Contains(t, out, "ending       reboot")
	require.Contains(t, out, "01234567-89ab-cdef-0123-456789abcdef now")
	require.Contains(t, out, "UNPROVEN eval_loss 0.9")
	require.Contains(t, out, "code 125")
	d, err := rundir.Read(filepath.Join(dir, "run"))
	require.NoError(t, err)
	require.Equal(t, supervise.EndReboot, endingOf(d))
}
