package supervise

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamesOfProcessesMayHoldAnything: brackets and spaces too.
func TestNamesOfProcessesMayHoldAnything(t *testing.T) {
	t.Parallel()
	p, ok := parseStat(7, []byte("7 (a) R 1) D 3 4 5 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0"))
	require.True(t, ok)
	require.Equal(t, []any{"a) R 1", "D", 3, 4, 5, uint64(4711)}, []any{p.name, p.state, p.parent, p.group, p.session, p.tick})
	for _, bad := range []string{"", "7 (a", "7 )a( R", "7 (a) R 1"} {
		_, ok := parseStat(7, []byte(bad))
		require.False(t, ok, bad)
	}
}

func TestOutOfMemoryKills(t *testing.T) {
	t.Parallel()
	write := func(root string, files ...string) {
		for i := 0; i < len(files); i += 2 {
			name := filepath.Join(root, files[i])
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
			require.NoError(t, os.WriteFile(name, []byte(files[i+1]), 0o644))
		}
	}
	two, one, none := t.TempDir(), t.TempDir(), t.TempDir()
	write(two, "proc/7/cgroup", "0::/job\n", "sys/fs/cgroup/job/memory.events", "low 0\noom 3\noom_kill 2\noom_group_kill 0\n")
	write(one, "proc/7/cgroup", "9:name=systemd:/\n4:cpu,memory:/job\n0::/\n", "sys/fs/cgroup/memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n")
	write(none, "proc/7/cgroup", "0::/\n")
	n, unseen := oomKills(two, 7)
	require.Equal(t, []any{int64(2), ""}, []any{n, unseen})
	n, unseen = oomKills(one, 7)
	require.Equal(t, []any{int64(5), ""}, []any{n, unseen})
	_, unseen = oomKills(none, 7)
	require.NotEmpty(t, unseen)
	_, unseen = oomKills(none, 8)
	require.NotEmpty(t, unseen)
}

func TestKernelLinesAboutAProcess(t *testing.T) {
	t.Parallel()
	for rec, want := range map[string]bool{
		"3,1,5000,-;Out of memory: Killed process 42 (python) total-vm:1kB\n SUBSYSTEM=x": true,
		"3,1,5000,-;Memory cgroup out of memory: Killed process 42 (python)":              true,
		"6,1,5000,-;oom-kill:constraint=CONSTRAINT_MEMCG,task=python,pid=42,uid=0":        true,
		"3,1,500,-;Out of memory: Killed process 42 (python)":                             false, // before the run
		"3,1,5000,-;Out of memory: Killed process 421 (python)":                           false,
		"3,1,5000,-;usb 1-1: new device, pid=42, found":                                   false,
		"garbage": false,
	} {
		text, ok := lineOf(rec, 1000)
		require.Equal(t, want, ok && ofMemory(text, 42), rec)
	}
	for text, want := range map[string]bool{
		"python3[42]: segfault at 8 ip 00007f3 sp 00007f4 error 4 in libcuda.so.1[7f3+1000] likely on CPU 1": true,
		"traps: python3[42] trap invalid opcode ip:7f3 sp:7f4 error:0 in libtorch_cpu.so[7f3+1000]":          true,
		"traps: python3[42] general protection fault ip:7f3 sp:7f4 error:0 in libc.so.6[7f3+1000]":           true,
		"python3[421]: segfault at 8 ip 00007f3":                                                             false,
		"Out of memory: Killed process 42 (python)":                                                          false,
	} {
		require.Equal(t, want, ofCrash(text, 42), text)
	}
}
