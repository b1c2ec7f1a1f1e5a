package probe

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/machine"
)

// torchPython is the Python that TRAINVET_TORCH names: these tests take minutes.
func torchPython(t *testing.T) string {
	t.Helper()
	python := os.Getenv("TRAINVET_TORCH")
	if python == "" {
		t.Skip("not run without torch: TRAINVET_TORCH names a Python that has it")
	}
	require.NoError(t, exec.Command(python, "-c", "import torch; torch.__version__").Run(), "%s has no torch", python)
	return python
}

func quiet(context.Context) machine.Before { return machine.Before{BootID: "b1"} }

func options(python string, only ...string) Options {
	return Options{
		Python: python, Devices: []machine.Device{{Kind: "cpu", ID: "cpu:test", Name: "test"}}, Only: only,
		Within: 8 * time.Minute, Check: 3 * time.Minute, Env: os.Getenv, Now: time.Now,
		Look: Look{Before: quiet, Folder: ".", Now: time.Now},
	}
}

func named(t *testing.T, r *Report, name string) Result {
	t.Helper()
	i := slices.IndexFunc(r.Results, func(x Result) bool { return x.Name == name })
	require.GreaterOrEqual(t, i, 0, "%s is not there: %+v", name, r.Results)
	return r.Results[i]
}

// TestTwins: operators that are wrong on purpose, and sound ones beside them.
func TestTwins(t *testing.T) {
	python := torchPython(t)
	ops, err := filepath.Abs("testdata/twins.py")
	require.NoError(t, err)
	opt := options(python, "user-sound*", "user-inflated", "user-aborts", "user-exits", "user-hangs", "user-raises", "user-narrow")
	opt.Ops, opt.Check = ops, 10*time.Second
	r, err := Run(t.Context(), opt)
	require.NoError(t, err)
	require.Empty(t, r.Broken)

	for _, name := range []string{"user-sound", "user-sound-last"} {
		require.Equal(t, Pass, named(t, r, name).Status, "%s stays sound behind the dead", name)
	}
	inflated := named(t, r, "user-inflated")
	require.Equal(t, Fail, inflated.Status)
	require.Contains(t, inflated.Text, "gradient of x at size 8: 2.96 times too large")
	require.Contains(t, inflated.Text, "gradient of x at size 512: 191 times too large")
	require.NotContains(t, inflated.Text, "output", "the forward is exact")
	require.NotContains(t, inflated.Text, "gradient of w")

	aborts := named(t, r, "user-aborts")
	require.Equal(t, Crash, aborts.Status)
	require.Contains(t, aborts.Text, "signal: aborted")
	require.Contains(t, aborts.Evidence, "Fatal Python error: Aborted at File")
	exits := named(t, r, "user-exits")
	require.Equal(t, Crash, exits.Status)
	require.Contains(t, exits.Text, "exit code 7")
	hangs := named(t, r, "user-hangs")
	require.Equal(t, Hang, hangs.Status)
	require.Contains(t, hangs.Evidence, "in hangs")
	raises := named(t, r, "user-raises")
	require.Equal(t, Fail, raises.Status)
	require.Contains(t, raises.Text, "illegal memory access")
	require.Equal(t, Fail, named(t, r, "user-narrow").Status, "bfloat16 inside is no float32")
	require.Len(t, r.Results, 8)
}

// TestDtypes: what is really slow is told from what is not; on a busy machine
// neither is told.
func TestDtypes(t *testing.T) {
	python := torchPython(t)
	ops, err := filepath.Abs("testdata/twins.py")
	require.NoError(t, err)
	opt := options(python, "user-dtype-*")
	opt.Ops = ops
	r, err := Run(t.Context(), opt)
	require.NoError(t, err)
	slow, fair := named(t, r, "user-dtype-slow"), named(t, r, "user-dtype-fair")
	require.NotEqual(t, "emulated", fair.Numbers["word"], fair.Text)
	if slow.Status == Skip {
		require.Contains(t, slow.Text, "too busy to tell")
		t.Skip(slow.Text)
	}
	require.Equal(t, "emulated", slow.Numbers["word"], slow.Text)
	require.Contains(t, slow.Text, "the framework's query: True")
}

// TestThisMachineComputesRight: the whole probe on the CPU, and what it leaves
// in the machine state.
func TestThisMachineComputesRight(t *testing.T) {
	python := torchPython(t)
	opt := options(python)
	r, err := Run(t.Context(), opt)
	require.NoError(t, err)
	require.Empty(t, r.Broken)
	require.False(t, r.Failed(), "%+v", r.Results)
	require.Empty(t, r.Missing)
	for _, c := range Checks() {
		named(t, r, c.Name)
	}

	store := machine.Open(t.TempDir())
	key := machine.Key{Kind: machine.KindDevice, ID: "cpu:test"}
	require.NoError(t, store.Update(key, func(st *machine.State) error {
		st.AddTaint(machine.Taint{Marker: "xid-48", Scope: "device", Clears: machine.ClearsProbe, Since: time.Now().Add(-time.Hour), BootID: "b1"})
		return nil
	}))
	require.NoError(t, r.Record(store, "host", "b1", opt.Devices, time.Now().UTC()))
	require.True(t, r.Devices[0].Passed)
	require.Equal(t, 1, r.Devices[0].Taints, "one pass is not enough")
	r.Devices = nil
	require.NoError(t, r.Record(store, "host", "b1", opt.Devices, time.Now().UTC()))
	require.Zero(t, r.Devices[0].Taints, "the second in a row clears")
	st := store.Load(key)
	require.True(t, st.Probed("b1", "", "torch "+r.Facts.Torch))

	require.NoError(t, r.Measurements(t.Context(), store, machine.Here(), "b1", opt.Devices))
	measured, err := store.MeasuredOf("cpu:test")
	require.NoError(t, err)
	if d := named(t, r, "dtype-bfloat16"); d.Status == Skip {
		require.Contains(t, d.Text, "too busy to tell")
		t.Skip(d.Text)
	}
	require.Len(t, measured, 1)
	require.NotEmpty(t, measured[0].Dtypes)
	ok, why := measured[0].Holds(machine.FingerprintOf(t.Context(), machine.Here(), opt.Devices[0]))
	require.True(t, ok, why)
}

// TestEveryCheckHasItsProgram: the list in Go and the programs in Python agree.
func TestEveryCheckHasItsProgram(t *testing.T) {
	python := torchPython(t)
	for _, group := range []string{"train", "parity", "transfer", "dtype"} {
		cmd := exec.Command(python, "-c", "import sys, json; sys.path.insert(0, 'workers'); import worker; m = __import__(worker.MODULES[sys.argv[1]]); print('\\n'.join(n for n, _ in m.checks({'device': 'cpu'}, None)))", group)
		out, err := cmd.Output()
		require.NoError(t, err)
		var want []string
		for _, c := range Checks() {
			if c.Group == group {
				want = append(want, c.Name)
			}
		}
		require.Equal(t, want, strings.Fields(string(out)), group)
	}
}

// TestALoaderThatSleeps is told from one that does not.
func TestALoaderThatSleeps(t *testing.T) {
	python := torchPython(t)
	workers, err := OpenWorkers(python, 5*time.Minute)
	require.NoError(t, err)
	defer workers.Close()
	wait := func(loader string) float64 {
		file, err := filepath.Abs(loader)
		require.NoError(t, err)
		var n struct {
			Split struct {
				Wait float64 `json:"data_wait"`
			} `json:"split"`
			Same string `json:"same"`
		}
		require.NoError(t, workers.Bench(t.Context(), "cpu", file, map[string]string{"dtype": "float32"}, &n))
		require.NotEmpty(t, n.Same)
		return n.Split.Wait
	}
	require.Greater(t, wait("testdata/slow_loader.py"), 0.2)
	require.Less(t, wait("testdata/ready_loader.py"), 0.2)
	err = workers.Bench(t.Context(), "cpu", "", map[string]string{"dtype": "float32", "model": "mlp"}, &struct{}{})
	require.NoError(t, err)
	facts, err := workers.Facts(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, facts.Torch)
}
