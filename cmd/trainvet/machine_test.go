package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

const chainGPU = "GPU-5b1c2d3e-0000-4444-8888-0123456789ab"

// chainRun records a run on the machine of a store, audits it, and writes down
// what its faults leave, as trainvet run does.
func chainRun(t *testing.T, store *machine.Store, id, boot, log string) *verdict.Result {
	t.Helper()
	dir := filepath.Join(t.TempDir(), id)
	require.NoError(t, rundir.Create(dir))
	require.NoError(t, rundir.WriteManifest(dir, rundir.Manifest{
		ID: id, BootID: boot, Wall: time.Now().UnixNano(), Host: rundir.Host{Name: "node-1"},
		Devices: []rundir.Device{{UUID: chainGPU, Name: "NVIDIA H100", Kind: "cuda"}},
		Machine: rundir.Machine(store.Snapshot(boot, []string{chainGPU})),
		Capture: rundir.Capture{Mode: "file", OneOrder: true, LineFlush: true, Sinks: []rundir.Sink{{File: rundir.LogFile, Streams: []string{"out", "err"}}}},
	}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.LogFile), []byte(log), 0o600))
	s, err := rundir.CreateSidecar(dir)
	require.NoError(t, err)
	zero, size := 0, int64(len(log))
	for _, e := range []rundir.Event{{Type: rundir.EventStart, Pid: 7}, {Type: rundir.EventExit, Code: &zero, Offset: &size}, {Type: rundir.EventEnding, Kind: "exit"}, {Type: rundir.EventEnd}} {
		require.NoError(t, s.Write(e))
	}
	require.NoError(t, s.Close())
	require.NoError(t, rundir.WriteTrailer(dir, 1, 1))
	res, ev, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Record(machine.TaintsOf(ev, machine.Where{
		Run: id, Machine: "node-1", BootID: boot, At: time.Now(), Devices: []machine.Target{{ID: chainGPU, Bus: "0000:3b:00.0"}},
	})))
	return res
}

// TestMachineChain: a fault on run A, run B UNPROVEN, a reboot alone is not
// enough, passing probes, run C TRUSTED, and its record proves that it was probed.
func TestMachineChain(t *testing.T) {
	t.Parallel()
	const healthy = "{'eval_loss': 0.4, 'epoch': 1.0}\n"
	const fault = healthy + "NVRM: Xid (PCI:0000:3b:00): 48, pid=12, name=python3, DBE (double bit error)\n" + "{'eval_loss': 0.3, 'epoch': 2.0}\n"
	store := machine.Open(t.TempDir())
	probe := func(passed bool, boot string) {
		require.NoError(t, store.Update(machine.Key{Kind: machine.KindDevice, ID: chainGPU}, func(st *machine.State) error {
			st.AddProbe(machine.Probe{Name: "all", Passed: passed, At: time.Now().UTC(), BootID: boot, Text: "gradient 2.96 times too large"})
			return nil
		}))
	}
	require.Equal(t, verdict.Trusted, chainRun(t, store, "before", "b1", healthy).Headline)
	require.Equal(t, verdict.Poisoned, chainRun(t, store, "A", "b1", fault).Headline)

	b := chainRun(t, store, "B", "b1", healthy)
	require.Equal(t, verdict.Unproven, b.Headline)
	require.Equal(t, "machine-taint", b.Claims[0].Why[0].Code)
	require.Equal(t, verdict.Unproven, b.Machine.Verdict)
	require.Equal(t, verdict.Unproven, chainRun(t, store, "B2", "b2", healthy).Headline, "a reboot does not mend memory")

	probe(true, "b2")
	require.Equal(t, verdict.Unproven, chainRun(t, store, "B3", "b2", healthy).Headline, "one pass may be luck")
	probe(true, "b2")
	c := chainRun(t, store, "C", "b2", healthy)
	require.Equal(t, verdict.Trusted, c.Headline)
	require.Equal(t, verdict.Trusted, c.Machine.Verdict)
	require.Equal(t, verdict.Captured, c.Machine.Level)

	probe(false, "b2")
	d := chainRun(t, store, "D", "b2", healthy)
	require.Equal(t, verdict.Unproven, d.Headline)
	require.Equal(t, "probe-failed", d.Claims[0].Why[0].Code)
}

// TestADriverFaultEndsWithTheBoot: what the driver did, a reboot clears.
func TestADriverFaultEndsWithTheBoot(t *testing.T) {
	t.Parallel()
	const healthy = "{'eval_loss': 0.4, 'epoch': 1.0}\n"
	store := machine.Open(t.TempDir())
	require.NoError(t, store.Record([]machine.Marked{{Key: machine.Key{Kind: machine.KindDevice, ID: chainGPU}, Taint: machine.Taint{
		Marker: "amdgpu-reset", Scope: string(evidence.Device), Clears: machine.ClearsReboot, Since: time.Now(), BootID: "b1",
	}}}))
	require.Equal(t, verdict.Unproven, chainRun(t, store, "A", "b1", healthy).Headline)
	require.Equal(t, verdict.Trusted, chainRun(t, store, "B", "b2", healthy).Headline)
}
