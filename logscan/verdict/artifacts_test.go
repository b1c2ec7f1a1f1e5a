package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
)

const capturedLog = "r/run.log"

func inLog(offset int64) *evidence.Pos { return &evidence.Pos{Source: capturedLog, Offset: offset} }

// artifactsOf judges recorded files beside a fault at byte 100 of the capture.
func artifactsOf(t *testing.T, faulty bool, files ...evidence.Artifact) []Subject {
	t.Helper()
	ev := &evidence.Evidence{
		Sources: []evidence.Source{{ID: capturedLog, Kind: "console", Stream: "both", Capture: &evidence.Capture{Sealed: true, OneOrder: true, LineFlush: true, ExitKnown: true}}},
		Run:     &evidence.Run{Manifest: true, Trailer: true, Sealed: true, Artifacts: files},
	}
	if faulty {
		ev.Markers = []evidence.Marker{{ID: "m", Class: evidence.Fault, Scope: evidence.Device, First: *inLog(100), Last: *inLog(100), Count: 1}}
	}
	res, err := Judge(ev, DefaultConfig())
	require.NoError(t, err)
	return res.Artifacts
}

func TestRecordedArtifacts(t *testing.T) {
	t.Parallel()
	wrote := func(sink, latest *evidence.Pos) evidence.Artifact {
		return evidence.Artifact{Op: "wrote", Path: "model.pt", Digest: "aa", Sink: sink, Latest: latest}
	}
	read := func(sink *evidence.Pos, taint string) evidence.Artifact {
		return evidence.Artifact{Op: "read", Path: "base.pt", Sink: sink, Taint: taint}
	}
	for _, tt := range []struct {
		name   string
		faulty bool
		files  []evidence.Artifact
		want   Verdict
		why    string
	}{
		{"no fault", false, []evidence.Artifact{wrote(inLog(200), nil)}, Trusted, ""},
		{"before the fault", true, []evidence.Artifact{wrote(inLog(100), nil)}, Trusted, ""},
		{"behind it", true, []evidence.Artifact{wrote(inLog(101), nil)}, Poisoned, "after-fault"},
		{"somewhere before it", true, []evidence.Artifact{wrote(inLog(0), inLog(100))}, Trusted, ""},
		{"somewhere around it", true, []evidence.Artifact{wrote(inLog(0), inLog(200))}, Unproven, "order-unproven"},
		{"nobody knows when", true, []evidence.Artifact{wrote(nil, nil)}, Unproven, "order-unproven"},
		{"after a tainted file was read", false, []evidence.Artifact{read(inLog(50), "run r0"), wrote(inLog(80), nil)}, Poisoned, "tainted-artifact"},
		{"before it was read", false, []evidence.Artifact{read(inLog(50), "run r0"), wrote(inLog(10), nil)}, Trusted, ""},
		{"a tainted file was read some time", false, []evidence.Artifact{read(nil, "run r0"), wrote(inLog(10), nil)}, Poisoned, "tainted-artifact"},
		{"a doubtful file was read", false, []evidence.Artifact{{Op: "read", Path: "base.pt", Sink: inLog(50), Taint: "run r0", Doubt: true}, wrote(inLog(80), nil)}, Unproven, "doubtful-artifact"},
		{"a clean file was read", false, []evidence.Artifact{read(inLog(50), ""), wrote(inLog(80), nil)}, Trusted, ""},
	} {
		got := artifactsOf(t, tt.faulty, tt.files...)
		require.Len(t, got, 1, tt.name)
		require.Equal(t, tt.want, got[0].Verdict, tt.name)
		if got[0].Verdict == Trusted {
			require.Equal(t, Captured, got[0].Level, tt.name)
		}
		require.Equal(t, "aa", got[0].Digest, tt.name)
		if tt.why != "" {
			require.Equal(t, tt.why, got[0].Why[0].Code, tt.name)
		}
	}
}

// TestARecordAndItsDigestAreOneFile: the guard says when, the supervisor what.
func TestARecordAndItsDigestAreOneFile(t *testing.T) {
	t.Parallel()
	record := evidence.Artifact{Op: "wrote", Path: "model.pt", Sink: inLog(200), At: evidence.Pos{Source: "r/records/1.jsonl", Line: 9}}
	digest := evidence.Artifact{Op: "wrote", Path: "model.pt", Sink: inLog(200), Digest: "aa", At: evidence.Pos{Source: "r/sidecar.jsonl", Line: 4}}
	for _, files := range [][]evidence.Artifact{{record, digest}, {digest, record}} {
		got := artifactsOf(t, true, files...)
		require.Len(t, got, 1)
		require.Equal(t, "aa", got[0].Digest)
		require.Equal(t, Poisoned, got[0].Verdict)
	}
}
