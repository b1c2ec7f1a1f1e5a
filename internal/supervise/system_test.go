//go:build unix

package supervise

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSignalTable holds the table of docs/run.md.
func TestSignalTable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		sig                 syscall.Signal
		plain, slurm, apart target
	}{
		{syscall.SIGINT, toGroup, toGroup, toNobody},
		{syscall.SIGTERM, toGroup, toGroup, toNobody},
		{syscall.SIGQUIT, toGroup, toGroup, toNobody},
		{syscall.SIGHUP, toNobody, toNobody, toNobody},
		{syscall.SIGUSR1, toProgram, toNobody, toNobody},
		{syscall.SIGUSR2, toProgram, toNobody, toNobody},
	} {
		require.Equal(t, tt.plain, passOn(tt.sig, false, false), tt.sig)
		require.Equal(t, tt.slurm, passOn(tt.sig, false, true), tt.sig)
		require.Equal(t, tt.apart, passOn(tt.sig, true, false), tt.sig)
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	value := func(env []string, name string) string {
		found, times := "", 0
		for _, v := range env {
			if rest, ok := strings.CutPrefix(v, name+"="); ok {
				found = rest
				times++
			}
		}
		require.LessOrEqual(t, times, 1, "of two values getenv reads the first")
		return found
	}
	got := environment([]string{"PYTHONPATH=/mine", "PYTHONUNBUFFERED=1", "TRAINVET_RUN=/outer"}, "/run", "7:9", "")
	require.Equal(t, "/run/python.zip:/mine", value(got, "PYTHONPATH"))
	require.Equal(t, "/run", value(got, "TRAINVET_RUN"))
	require.Equal(t, "7:9", value(got, "TRAINVET_SINK"))
	require.Equal(t, "1", value(got, "PYTHONFAULTHANDLER"))
	require.Equal(t, "1", value(got, "PYTHONUNBUFFERED"), "what the user set stays")
	require.Empty(t, value(got, "TRAINVET_ON_FAULT"))
	require.Equal(t, "stop", value(environment(nil, "/run", "", Stop), "TRAINVET_ON_FAULT"))
	require.Equal(t, "0", value(environment([]string{"PYTHONFAULTHANDLER=0"}, "/run", "", Stop), "PYTHONFAULTHANDLER"))
	off := environment([]string{"TRAINVET=0", "PYTHONPATH=/mine"}, "/run", "7:9", "")
	require.Equal(t, "/mine", value(off, "PYTHONPATH"))
	require.Empty(t, value(off, "PYTHONFAULTHANDLER"))
}

// TestSecretsStayOut: the manifest holds what chooses devices and ranks alone.
func TestSecretsStayOut(t *testing.T) {
	t.Parallel()
	vars := tellingVars([]string{"AWS_SECRET_ACCESS_KEY=x", "HF_TOKEN=y", "CUDA_VISIBLE_DEVICES=0", "RANK=1", "RANKING=z", "PYTORCH_CUDA_ALLOC_CONF=a", "WANDB_API_KEY=b"})
	var names []string
	for _, v := range vars {
		names = append(names, v.Name)
	}
	require.Equal(t, []string{"CUDA_VISIBLE_DEVICES", "PYTORCH_CUDA_ALLOC_CONF", "RANK"}, names)
}

func TestProcessesAreKnownByPidAndStart(t *testing.T) {
	t.Parallel()
	self, ok := readProcess(os.Getpid())
	require.True(t, ok)
	require.False(t, gone(self.pid, self.tick))
	require.True(t, gone(self.pid, self.tick+1), "another one had the pid before")
	c := childState{Pid: self.pid, Tick: self.tick, BootID: "a"}
	require.True(t, c.alive("a"))
	require.True(t, c.alive(""))
	require.False(t, c.alive("b"), "a reboot in between")
}

// TestTheMiddleIsGivenUp: beginning and end stay, and the bound holds.
func TestTheMiddleIsGivenUp(t *testing.T) {
	t.Parallel()
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer f.Close()
	const most = 16 << 20
	var h hole
	text := []byte(strings.Repeat(strings.Repeat("x", 1023)+"\n", 1024))
	for range 40 {
		_, err := f.Write(text)
		require.NoError(t, err)
		next, err := shrink(f, h, most)
		if err != nil {
			t.Skipf("this file system frees nothing: %v", err)
		}
		h = next
	}
	require.EqualValues(t, 4<<20, h.from)
	require.LessOrEqual(t, 40<<20-(h.to-h.from), int64(most))
	b := make([]byte, 1)
	for at, want := range map[int64]byte{0: 'x', h.from - 2: 'x', h.from: 0, h.to - 1: 0, h.to: 'x', 40<<20 - 1: '\n'} {
		_, err := f.ReadAt(b, at)
		require.NoError(t, err)
		require.Equal(t, want, b[0], at)
	}
}

func TestReserveIsLetGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newSpare(dir, 4<<20)
	require.FileExists(t, filepath.Join(dir, spareFile))
	require.False(t, s.tight(4, time.Now()))
	require.True(t, s.tight(1<<62, time.Now().Add(time.Hour)), "next to nothing left")
	require.NoError(t, s.release())
	require.NoFileExists(t, filepath.Join(dir, spareFile))
	require.NoError(t, s.release())
	require.Zero(t, newSpare(dir, 1<<60).size, "a disk that could not hold it")
}
