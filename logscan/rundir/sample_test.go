package rundir

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

const contracts = "../../testdata/contracts"

func sampleManifest() Manifest {
	rank := 0
	return Manifest{
		ID: "20260810-142233-7f3a", Trainvet: "0.1.0", Wall: 1_786_371_753_000_000_000, Mono: 86_400_000_000_000,
		Argv: []string{"python", "train.py", "--lr=1e-4"}, Cwd: "/home/ada/trainer",
		Commit: &Commit{ID: "4f6ffc1ad7b6c0e5b8a0d4f4ac5cbf9a6e1a9f60", Dirty: true, Diff: digest([]byte("diff"))},
		World:  2, Rank: &rank, Launcher: "slurm", Env: []Var{{"CUDA_VISIBLE_DEVICES", "0,1"}, {"SLURM_PROCID", "0"}},
		Host:   Host{Name: "node-1", OS: "linux", Arch: "amd64", Kernel: "6.12.9", CPUs: 64, Memory: 1 << 39, InitialPids: true},
		BootID: "9b2f1c1e-6d0c-4a3b-9f0e-2f5a7f0d8f11",
		Devices: []Device{
			{UUID: "GPU-5b1c2d3e", Index: 0, Name: "NVIDIA H100", Kind: "cuda", Driver: "580.12", Memory: 80 << 30},
		},
		Machine: Machine{
			Taints: []evidence.Taint{{Device: "GPU-5b1c2d3e", Scope: evidence.Device, Marker: "xid-48", Since: "2026-08-09T08:01:00Z", Text: "double-bit ECC error"}},
			Probes: []evidence.Probe{{Device: "GPU-5b1c2d3e", Name: "parity", Passed: true, Text: "before the fault"}},
		},
		Python:  true,
		Capture: Capture{Mode: "file", OneOrder: true, LineFlush: true, Sinks: []Sink{{File: LogFile, Streams: []string{"out", "err"}, Device: 2049, Inode: 77}}},
		Before:  []Seen{{Kind: "taint", Text: "GPU-5b1c2d3e carries xid-48"}},
		Intent:  "gpu",
		Unseen:  []Seen{{Kind: "kernel-line", Text: "dmesg is restricted"}},
	}
}

func at(n int64) *int64 { return &n }

func sampleEvents() []Event {
	zero := 0
	return []Event{
		{Type: EventStart, Wall: 1_786_371_754_000_000_000, Mono: 1, Pid: 4242, Parent: 4241, Group: 4242, Started: 1_786_371_753_990_000_000, Argv: []string{"python", "train.py"}, Offset: at(0)},
		{Type: EventProcess, Wall: 2, Mono: 2, Pid: 4242, Started: 1_786_371_753_990_000_000, Argv: []string{"python", "train.py"}, Library: "libtorch_cpu.so"},
		{Type: EventArtifact, Wall: 3, Mono: 3, Op: "wrote", Path: "out/model.safetensors", Size: 12, Digest: digest([]byte("model")), Kind: "checkpoint", Offset: at(20)},
		{Type: EventExit, Wall: 4, Mono: 4, Pid: 4242, Code: &zero, Offset: at(44)},
		{Type: EventEnding, Wall: 5, Mono: 5, Kind: "exit", Evidence: []string{"wait status 0"}},
		{Type: EventEnd, Wall: 6, Mono: 6, Offset: at(44)},
	}
}

func sampleRecords() []record.Record {
	head := func(seq uint64) record.Head {
		return record.Head{Wall: 1_786_371_755_000_000_000, Mono: int64(seq), Pid: 4242, Rank: 0, Seq: seq, Sink: &record.Sink{Device: 2049, Inode: 77, Offset: 20}}
	}
	bodies := []record.Body{
		&record.Boot{Run: "20260810-142233-7f3a", Start: 1_786_371_753_980_000_000, Lang: "python", Checks: []string{"decode", "steps"}, LocalRank: record.None,
			Off: []record.NotLive{{Check: "replicas", Why: "one process"}}},
		&record.Child{Pid: 4300, How: "spawn", Argv: []string{"python", "-c", "spawn_main"}, Expect: true},
		&record.Site{Site: 1, Kind: "decode", Name: "batch_decode", ID: "train.py::evaluate::batch_decode", State: "runtime", Live: true},
		&record.Site{Site: 2, Kind: "decode", Name: "decode", File: "show.py", Line: 9, State: "runtime", Why: "unknown tokenizer"},
		&record.Count{Check: "decode", Site: 1, Calls: 4, Values: 64},
		&record.Step{Optimizer: "AdamW", Step: 10, Attempted: 10, Applied: 8, Skipped: 2, How: "found-inf"},
		&record.Skip{Optimizer: "AdamW", From: 1, Until: 2, Count: 2, Step: 2, Reason: "found-inf", Scale: 65536, Scaled: true, Total: 2},
		&record.Metric{Name: "wer", Value: 12.5, Split: "val", N: 37, Good: record.None, Step: 10, Epoch: 1, From: "trainer"},
		&record.Fault{Code: "ids-signature", Effect: record.Poison, Scope: "process", Site: 1, Value: "72340172838076673", Row: 0, Column: 1, Step: 12, From: record.None, Until: record.None, Text: "0x01 fill"},
		&record.Artifact{Op: "read", Path: "base.safetensors", Size: 12, Step: record.None},
		&record.End{Why: "exit"},
	}
	out := make([]record.Record, len(bodies))
	for i, b := range bodies {
		out[i] = record.Record{Head: head(uint64(i + 1)), Body: b}
	}
	return out
}

const sampleLog = "{'loss': 2.5}\nwer 12.5\n{'loss': 2.25}\nend\n"

// writeSample makes a whole, sealed run directory and returns it.
func writeSample(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, Create(dir))
	require.NoError(t, WriteManifest(dir, sampleManifest()))
	require.NoError(t, os.WriteFile(filepath.Join(dir, LogFile), []byte(sampleLog), 0o600))
	side, err := CreateSidecar(dir)
	require.NoError(t, err)
	for _, e := range sampleEvents() {
		require.NoError(t, side.Write(e))
	}
	require.NoError(t, side.Close())
	var lines []byte
	for _, r := range sampleRecords() {
		lines = record.Append(lines, r.Head, r.Body)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, RecordsDir, "4242-1.jsonl"), lines, 0o600))
	require.NoError(t, WriteTrailer(dir, 1_786_371_760_000_000_000, 7))
	trailer, err := os.ReadFile(filepath.Join(dir, TrailerFile))
	require.NoError(t, err)
	receipt := sampleReceipt(t)
	receipt.Trailer = digest(trailer)
	require.NoError(t, WriteReceipt(dir, receipt))
	return dir
}

func sampleReceipt(t testing.TB) Receipt {
	t.Helper()
	samples := int64(37)
	r, err := NewReceipt(verdict.Result{
		Headline: verdict.Poisoned, Level: verdict.Captured,
		Claims: []verdict.Subject{{Kind: "metric", Name: "wer", Value: 12.5, Text: "12.5", Verdict: verdict.Trusted, Level: verdict.Guarded, Samples: &samples,
			At: evidence.Pos{Source: "run.log", Offset: 14, Line: 2}}},
		Run: verdict.Subject{Kind: "run", Name: "20260810-142233-7f3a", Verdict: verdict.Poisoned, Level: verdict.Captured, Why: []verdict.Reason{{Code: "guard-poison"}}},
	}, []File{{Name: LogFile, Size: int64(len(sampleLog)), SHA256: digest([]byte(sampleLog))}})
	require.NoError(t, err)
	r.Run, r.Trainvet, r.Wall, r.Config = "20260810-142233-7f3a", "0.1.0", 1_786_371_770_000_000_000, digest(nil)
	return r
}

// writeRecords makes a run that was never closed, with one record file.
func writeRecords(t testing.TB, text []byte) *Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, Create(dir))
	require.NoError(t, WriteManifest(dir, sampleManifest()))
	require.NoError(t, os.WriteFile(filepath.Join(dir, RecordsDir, "1.jsonl"), text, 0o600))
	d, err := Read(dir)
	require.NoError(t, err)
	return d
}
