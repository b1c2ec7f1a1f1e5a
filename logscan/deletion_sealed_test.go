package logscan_test

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

const sealedLog = "step 10 loss 0.91\n{'loss': 0.5, 'epoch': 1.0}\n{'eval_loss': 0.4, 'epoch': 1.0}\nSaving model checkpoint to out/a.pt\n"

// writeSealed records a run with everything that a sidecar and a run record may
// hold, more events between start and exit, and seals it.
func writeSealed(t *testing.T, change func(*rundir.Manifest), more ...rundir.Event) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.Create(dir))
	m := rundir.Manifest{
		ID: "r", BootID: "b", Wall: 1, World: 1, Host: rundir.Host{Name: "node-1"},
		Capture: rundir.Capture{Mode: "file", OneOrder: true, LineFlush: true, Sinks: []rundir.Sink{{File: rundir.LogFile, Streams: []string{"out", "err"}, Device: 1, Inode: 2}}},
	}
	if change != nil {
		change(&m)
	}
	require.NoError(t, rundir.WriteManifest(dir, m))
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.LogFile), []byte(sealedLog), 0o600))
	zero, size, start := 0, int64(len(sealedLog)), int64(0)
	events := append([]rundir.Event{
		{Type: rundir.EventStart, Wall: 1, Pid: 7, Offset: &start},
		{Type: rundir.EventProcess, Wall: 2, Pid: 8, Text: "left by its parent"},
	}, more...)
	events = append(events,
		rundir.Event{Type: rundir.EventArtifact, Wall: 3, Op: "wrote", Path: "out/a.pt", Size: 1, Digest: "aa", Offset: &size},
		rundir.Event{Type: rundir.EventSignal, Wall: 3, Signal: "SIGCONT", From: "process 1"},
		rundir.Event{Type: rundir.EventExit, Wall: 4, Code: &zero, Offset: &size},
		rundir.Event{Type: rundir.EventEnding, Wall: 4, Kind: "exit", Evidence: []string{"wait status 0"}},
		rundir.Event{Type: rundir.EventEnd, Wall: 5, Offset: &size},
	)
	s, err := rundir.CreateSidecar(dir)
	require.NoError(t, err)
	for _, e := range events {
		require.NoError(t, s.Write(e))
	}
	require.NoError(t, s.Close())
	head := record.Head{Pid: 7, Rank: record.None, Seq: 1, Sink: &record.Sink{Device: 1, Inode: 2, Offset: 18}}
	text := record.Append(nil, head, &record.Boot{Lang: "go", Checks: []string{"finite"}, LocalRank: record.None})
	head.Seq++
	text = record.Append(text, head, &record.Count{Check: "finite", Calls: 3, Values: 30})
	for _, m := range []record.Metric{{Name: "accuracy", Split: "val", Value: 0.875, N: 64}, {Name: "accuracy", Split: "test", Value: 0.75, N: 64}} {
		head.Seq++
		m.Good, m.Step, m.Epoch, m.From = record.None, record.None, record.Float(math.NaN()), "trainer"
		text = record.Append(text, head, &m)
	}
	head.Seq++
	text = record.Append(text, head, &record.End{Why: "exit"})
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.RecordsDir, "7-1.jsonl"), text, 0o600))
	require.NoError(t, rundir.WriteTrailer(dir, 6, 6))
	return dir
}

// damagesOf are those of the law for one file: removed, each line, each aligned
// block of 64 bytes, and every few bytes one flipped and one cut off there.
func damagesOf(text []byte, every int) [][]byte {
	list := [][]byte{nil}
	for at := 0; at < len(text); {
		end := len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		list = append(list, slices.Delete(bytes.Clone(text), at, end))
		at = end
	}
	for i := 0; i < len(text); i += 64 {
		list = append(list, slices.Delete(bytes.Clone(text), i, min(i+64, len(text))))
	}
	for i := 0; i < len(text); i += every {
		flipped := bytes.Clone(text)
		flipped[i] ^= [...]byte{0x01, 0x20, 0x80}[i%3]
		list = append(list, flipped, bytes.Clone(text[:i]))
	}
	return list
}

// vouched names what is called TRUSTED at captured or above.
func vouched(r *verdict.Result) []string {
	all := slices.Concat(r.Claims, r.Values, r.Artifacts, []verdict.Subject{r.Run})
	if r.Machine != nil {
		all = append(all, *r.Machine)
	}
	var out []string
	for _, s := range all {
		if s.Verdict == verdict.Trusted && s.Level >= verdict.Captured {
			out = append(out, s.Kind+" "+s.Name)
		}
	}
	return out
}

// TestDeletionLawOfSealedRuns: whatever goes of a sealed run, nothing of it is
// TRUSTED at captured or above any more; and where something stood against the
// run, its removal never makes it so.
func TestDeletionLawOfSealedRuns(t *testing.T) {
	t.Parallel()
	half, zero := int64(20), int64(0)
	between := 256 // bytes between two that are flipped; package rundir flips each
	if os.Getenv("TRAINVET_BARS") != "" {
		between = 1
	}
	for _, tt := range []struct {
		name    string
		dir     func(t *testing.T) string
		trusted bool
	}{
		{"nothing against it", func(t *testing.T) string { return writeSealed(t, nil) }, true},
		{"a tainted machine", func(t *testing.T) string {
			return writeSealed(t, func(m *rundir.Manifest) {
				m.Machine.Taints = []evidence.Taint{{Device: "GPU-1", Scope: evidence.Device, Marker: "xid-48", Since: "2026-08-09T08:01:00Z"}}
			})
		}, false},
		{"a failed probe", func(t *testing.T) string {
			return writeSealed(t, func(m *rundir.Manifest) { m.Machine.Probes = []evidence.Probe{{Device: "GPU-1", Text: "wrong"}} })
		}, false},
		{"a tainted file was read", func(t *testing.T) string {
			return writeSealed(t, nil, rundir.Event{Type: rundir.EventArtifact, Wall: 2, Op: "read", Path: "base.pt", Taint: "run r0 (xid-48)"})
		}, false},
		{"a discontinuity", func(t *testing.T) string {
			return writeSealed(t, nil, rundir.Event{Type: rundir.EventDiscontinuity, Wall: 2, Offset: &half, Kind: "truncated", Lost: -1})
		}, false},
		{"a silent process", func(t *testing.T) string {
			return writeSealed(t, nil, rundir.Event{Type: rundir.EventProcess, Wall: 2, Pid: 9, Library: "libtorch.so", Offset: &zero})
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := tt.dir(t)
			whole, _, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{All: true})
			require.NoError(t, err)
			if tt.trusted {
				require.Contains(t, vouched(whole), "metric eval_loss")
				require.Contains(t, vouched(whole), "metric accuracy")
				require.Contains(t, vouched(whole), "artifact out/a.pt")
				require.Contains(t, vouched(whole), "run run")
			} else {
				require.NotContains(t, vouched(whole), "metric eval_loss")
				require.NotContains(t, vouched(whole), "run run")
			}
			tried := 0
			require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				// Where the whole run is not trusted, only what speaks against it matters.
				name := filepath.Base(path)
				if !tt.trusted && name != rundir.SidecarFile && name != rundir.ManifestFile {
					return nil
				}
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				for _, hurt := range damagesOf(text, between) {
					tried++
					if hurt == nil {
						require.NoError(t, os.Remove(path))
					} else {
						require.NoError(t, os.WriteFile(path, hurt, 0o600))
					}
					res, _, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{All: true})
					if err == nil {
						require.Empty(t, vouched(res), "%s: %q", name, hurt)
					}
				}
				return os.WriteFile(path, text, 0o600)
			}))
			t.Logf("%d damages", tried)
		})
	}
}
