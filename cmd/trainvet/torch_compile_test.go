package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// compiling trains a compiled model, evaluates it, and prints what dynamo counted.
const compiling = `
import sys
import torch
import torch._dynamo
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.BatchNorm1d(16), torch.nn.Dropout(0.1), torch.nn.Linear(16, 4))
compiled = torch.compile(model, backend="aot_eager")
optimizer = torch.optim.AdamW(compiled.parameters(), lr=1e-3)
@torch.compile(backend="aot_eager")
def loss_of(x, y):
    return torch.nn.functional.cross_entropy(compiled(x), y)
for step in range(8):
    x, y = torch.randn(6 if step < 5 else 7, 8), torch.randint(0, 4, (6 if step < 5 else 7,))
    optimizer.zero_grad()
    loss = loss_of(x, y)
    loss.backward()
    optimizer.step()
    if step % 4 == 3:
        compiled.eval()
        with torch.no_grad():
            compiled(x)
        compiled.train()
c = torch._dynamo.utils.counters
print("COUNTED", {k: dict(v) for k, v in sorted(c.items()) if k in ("frames", "graph_break", "stats", "recompiles", "aot_autograd")})
`

// TestTorchCompileSeesNoDifference: what is compiled is compiled as often, and
// breaks as often, with the guards as without them.
func TestTorchCompileSeesNoDifference(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "train.py")
	require.NoError(t, os.WriteFile(script, []byte(compiling), 0o600))
	line := regexp.MustCompile(`COUNTED .*`)
	with, code := runTorch(t, nil, script)
	require.Zero(t, code, with)
	without, _ := runTorch(t, nil, "-I", script) // an isolated interpreter reads no PYTHONPATH
	require.NotEmpty(t, line.FindString(with), with)
	require.Equal(t, line.FindString(without), line.FindString(with))
}
