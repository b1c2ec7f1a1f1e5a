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

// backwardInside calls backward within what is compiled: the compiler stops there,
// and looks at each function that is called until it goes on.
const backwardInside = `
import torch
import torch._dynamo
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.LayerNorm(16), torch.nn.Dropout(0.1), torch.nn.Linear(16, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
@torch.compile(backend="aot_eager")
def whole(x, y):
    loss = torch.nn.functional.cross_entropy(model(x), y)
    scaler.scale(loss).backward()
    return loss
for step in range(6):
    optimizer.zero_grad()
    loss = whole(torch.randn(6, 8), torch.randint(0, 4, (6,)))
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1e6)
    scaler.step(optimizer)
    scaler.update()
print("loss %.6f" % loss.item())
c = torch._dynamo.utils.counters
counted = {k: dict(v) for k, v in sorted(c.items()) if k in ("frames", "stats", "recompiles", "aot_autograd")}
print("COUNTED", counted, "breaks", sum(c["graph_break"].values()))
`

// TestTorchCompileSeesNoDifference: what is compiled is compiled as often, and
// breaks as often, with the guards as without them.
func TestTorchCompileSeesNoDifference(t *testing.T) {
	t.Parallel()
	for name, program := range map[string]string{"model and loss": compiling, "backward inside": backwardInside} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := filepath.Join(t.TempDir(), "train.py")
			require.NoError(t, os.WriteFile(script, []byte(program), 0o600))
			line := regexp.MustCompile(`COUNTED .*`)
			with, code := runTorch(t, nil, script)
			require.Zero(t, code, with)
			without, _ := runTorch(t, nil, "-I", script) // an isolated interpreter reads no PYTHONPATH
			require.NotEmpty(t, line.FindString(with), with)
			require.Equal(t, line.FindString(without), line.FindString(with))
		})
	}
}
