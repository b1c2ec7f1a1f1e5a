package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// aborts in the backward pass of step 3, in an operation whose forward stands in
// the line of return x * 2.
const aborting = `
import os, sys
import torch
class Bad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        if step >= 3:
            os.write(2, b"CUDA error: an illegal memory access was encountered\n")
            os.abort()
        return g * 2
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(8, 8), torch.nn.Linear(8, 1)
    def forward(self, x):
        return self.b(Bad.apply(torch.relu(self.a(x))))
model = Net()
if "RANK" in os.environ:
    torch.distributed.init_process_group("gloo")
    model = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1, 6):
    loss = model(torch.randn(4, 8)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("step", step, "loss", loss.item(), flush=True)
`

// runTorch gives trainvet's own lines and its exit code.
func runTorch(t *testing.T, args []string, argv ...string) (string, int) {
	t.Helper()
	python := torch(t)
	tool, err := exec.LookPath("trainvet")
	require.NoError(t, err)
	args = append(append([]string{"run", "--dir", filepath.Join(t.TempDir(), "run")}, args...), "--", python)
	cmd := exec.Command(tool, append(args, argv...)...)
	cmd.Env = append(os.Environ(), "TRAINVET_STATE="+t.TempDir(), "CUDA_VISIBLE_DEVICES=", "OMP_NUM_THREADS=1", "CI=")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		require.NoError(t, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// TestTorchBackwardTrace: the last operation to begin is named, in one process and in
// two that average their gradients.
func TestTorchBackwardTrace(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "train.py")
	require.NoError(t, os.WriteFile(script, []byte(aborting), 0o600))
	out, _ := runTorch(t, []string{"--trace-backward", "--from-step", "2"}, script)
	require.Regexp(t, `backward +process \d+, step 3: BadBackward was the last to begin; forward: .*train.py:19 in forward; its gradient: 4x8 float32 on cpu`, out)
	require.Contains(t, out, "said         line 3: CUDA error: an illegal memory access")
	out, _ = runTorch(t, []string{"--trace-backward"}, "-m", "torch.distributed.run", "--nproc_per_node", "2", "--master_port", "29571", script)
	for _, rank := range []string{"rank0", "rank1"} {
		require.Regexp(t, `process \d+-`+rank+`, step 3: BadBackward was the last to begin`, out)
	}
	healthy, code := runTorch(t, []string{"--trace-backward"}, "-c", `
import torch
w = torch.nn.Linear(2, 1)
w(torch.ones(3, 2)).sum().backward()
`)
	require.Zero(t, code)
	require.NotContains(t, healthy, "was the last to begin")
}

// TestTorchDrill: a fault that is made on purpose reaches the top, or who eats it is named.
func TestTorchDrill(t *testing.T) {
	t.Parallel()
	scenarios := "../../testdata/scenarios"
	out, code := runTorch(t, []string{"--drill", "decode@3"}, filepath.Join(scenarios, "O01/train.py"), "twin", "0")
	require.Zero(t, code, out)
	require.Contains(t, out, "drill decode@3: passed")
	out, code = runTorch(t, []string{"--drill", "decode@3"}, filepath.Join(scenarios, "O03/train.py"), "twin", "0")
	require.Equal(t, 1, code, out)
	require.Regexp(t, `drill decode@3: FAILED: except Exception ate it at .*O03/train.py:48 in <module>`, out)
	out, code = runTorch(t, []string{"--drill", "decode@100000"}, filepath.Join(scenarios, "O01/train.py"), "twin", "0")
	require.Equal(t, 3, code, out)
	require.Contains(t, out, "it was not reached")
}
