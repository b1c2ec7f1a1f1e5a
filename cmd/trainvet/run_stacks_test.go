package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const stacks = `Timeout (0:05:00)!
Thread 0x00007f01 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 320 in wait
  File "/home/me/worker.py", line 9 in run

Thread 0x00007f02 (most recent call first):
  File "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py", line 83 in all_reduce
  File "/home/me/train.py", line 40 in evaluate
  File "/home/me/train.py", line 90 in <module>
`

func TestStoodAtTheTrainersLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "/home/me/train.py:40 in evaluate", stoodAt([]byte(stacks)))
	require.Equal(t, "/usr/lib/python3.11/queue.py:180 in get", stoodAt([]byte("Thread 0x1 (most recent call first):\n  File \"/usr/lib/python3.11/queue.py\", line 180 in get\n")))
	require.Empty(t, stoodAt(nil))
	require.Empty(t, stoodAt([]byte("  File \"cut off")))
}

func TestStoodNamesEachProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stacks-7.tvr"), []byte(stacks), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stacks-8.tvr"), nil, 0o600))
	var out bytes.Buffer
	stood(&out, dir)
	require.Contains(t, out.String(), "process 7 made no step for a long time, at /home/me/train.py:40 in evaluate")
	require.NotContains(t, out.String(), "process 8")
}

// A trainer that hangs is killed from outside: the end says where it stood.
func TestTorchAHangLeavesItsStacks(t *testing.T) {
	t.Parallel()
	python := torch(t)
	tool, err := exec.LookPath("trainvet")
	require.NoError(t, err)
	script := filepath.Join(t.TempDir(), "train.py")
	require.NoError(t, os.WriteFile(script, []byte(`
import os, signal, time, torch
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def waits():
    time.sleep(4)
    os.kill(os.getpid(), signal.SIGKILL)
for step in range(5):
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    optimizer.step()
    print("step", step + 1, "loss", loss.item(), flush=True)
waits()
`), 0o600))
	cmd := exec.Command(tool, "run", "--dir", filepath.Join(t.TempDir(), "run"), "--", python, script)
	cmd.Env = append(os.Environ(), "TRAINVET_STATE="+t.TempDir(), "TRAINVET_HANG_SECONDS=1", "OMP_NUM_THREADS=1", "CI=")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Regexp(t, `stood still  process \d+ made no step for a long time, at \S+train\.py:\d+ in (waits|<module>)`, string(out)) // a loaded machine stands earlier
}
