//go:build unix

package supervise

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// fakeProcess is a process of a machine that is not here.
type fakeProcess struct {
	parent          int
	argv            string
	library, device string
}

func viewOf(all map[int]fakeProcess, asked *int) processView {
	return processView{
		pids: func() []int {
			var list []int
			for pid := range all {
				list = append(list, pid)
			}
			return list
		},
		read:   func(pid int) (process, bool) { p, ok := all[pid]; return process{pid: pid, parent: p.parent}, ok },
		argv:   func(pid int) []string { return strings.Fields(all[pid].argv) },
		loaded: func(pid int) string { *asked++; return all[pid].library },
		opened: func(pid int) string { return all[pid].device },
	}
}

func TestComputing(t *testing.T) {
	t.Parallel()
	all := map[int]fakeProcess{
		1:   {0, "init", "", ""},
		50:  {1, "other trainer", "torch", "/dev/nvidia-uvm"}, // of somebody else
		100: {1, "torchrun train.py", "torch", ""},
		101: {100, "python train.py", "torch", ""},
		102: {100, "python train.py", "torch", ""}, // a second rank: the same words, and no fork of the first
		103: {101, "python train.py", "torch", ""}, // a worker of a loader, forked
		104: {101, "sh -c du", "", ""},
		105: {101, "gpu_stats", "", ""}, // holds /dev/nvidiactl, which is no row
		106: {101, "python -I eval.py", "torch", ""},
		107: {104, "ld train.o", "", ""},
	}
	var asked int
	c := newComputing(viewOf(all, &asked))
	now := time.Unix(1000, 0)
	loaded := map[int]bool{}
	for _, e := range c.look(now, 100) {
		require.Equal(t, rundir.EventProcess, e.Type)
		loaded[e.Pid] = e.Library == "torch"
	}
	require.Equal(t, map[int]bool{100: true, 101: true, 102: true, 106: true}, loaded)
	before := asked
	require.Empty(t, c.look(now.Add(time.Second/2), 100), "once a second")
	require.Equal(t, before, asked)

	all[101] = fakeProcess{100, "python train.py", "torch", "/dev/nvidia-uvm"}
	events := c.look(now.Add(time.Second), 100)
	require.Len(t, events, 1)
	require.Equal(t, rundir.KindAccelerator, events[0].Kind)
	require.Equal(t, 101, events[0].Pid)
	require.Equal(t, 3, asked-before, "only those that have not loaded it are asked for it")
	require.Empty(t, c.idle(), "three looks are needed")
	for i := range 3 {
		require.Empty(t, c.look(now.Add(time.Duration(2+i)*time.Second), 100))
	}
	var idle []int
	for _, e := range c.idle() {
		require.Equal(t, rundir.KindNoAccelerator, e.Kind)
		idle = append(idle, e.Pid)
	}
	require.Equal(t, []int{100, 102, 106}, idle)

	before = asked
	for i := range 120 { // a process that never loads it is asked every ten seconds in the end
		c.look(now.Add(time.Duration(100+i)*time.Second), 100)
	}
	require.LessOrEqual(t, asked-before, 3*13)
}

func TestLoadedIn(t *testing.T) {
	t.Parallel()
	rows := frameworkRows("library")
	const run = "7f00-7f01 r-xp 00000000 08:01 12 /venv/lib python/torch/lib/libtorch_cpu.so\n"
	require.Equal(t, "torch", loadedIn(strings.NewReader("7e-7f r--p 0 08:01 1 /bin/x\n"+run), rows))
	require.Empty(t, loadedIn(strings.NewReader(strings.Replace(run, "r-xp", "r--p", 1)), rows), "a linker reads it")
	require.Empty(t, loadedIn(strings.NewReader("7f00-7f01 r-xp 0 08:01 12 /lib/libtorchtune.so\n7f-80 rwxp 0 00:00 0\n"), rows))
	require.Empty(t, openedIn([]string{"/dev/nvidiactl", "/dev/nvidia0", "pipe:[3]"}, frameworkRows("device")), "tools that watch")
	require.Equal(t, "/dev/nvidia-uvm", openedIn([]string{"/dev/null", "/dev/nvidia-uvm"}, frameworkRows("device")))
}
