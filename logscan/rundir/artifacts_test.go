package rundir

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

// openRun is a run that has ended and is not closed, with a working folder.
func openRun(t *testing.T, events ...Event) (dir, cwd string) {
	t.Helper()
	cwd = t.TempDir()
	dir = filepath.Join(cwd, ".trainvet", "runs", "r1")
	require.NoError(t, Create(dir))
	m := sampleManifest()
	m.Cwd, m.Wall = cwd, time.Now().Add(-time.Minute).UnixNano()
	require.NoError(t, WriteManifest(dir, m))
	require.NoError(t, os.WriteFile(filepath.Join(dir, LogFile), make([]byte, 100), 0o600))
	s, err := CreateSidecar(dir)
	require.NoError(t, err)
	for _, e := range events {
		require.NoError(t, s.Write(e))
	}
	require.NoError(t, s.Close())
	return dir, cwd
}

func put(t *testing.T, path, text string, age time.Duration) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	when := time.Now().Add(-age)
	require.NoError(t, os.Chtimes(path, when, when))
}

func TestArtifacts(t *testing.T) {
	t.Parallel()
	dir, cwd := openRun(t)
	put(t, filepath.Join(cwd, "base.pt"), "base", time.Hour)
	put(t, filepath.Join(cwd, "data.jsonl"), "data", time.Second) // changed while the run went on
	put(t, filepath.Join(cwd, "out", "checkpoint-5", "model.safetensors"), "weights", time.Second)
	put(t, filepath.Join(cwd, "out", "checkpoint-5", "trainer_state.json"), "{}", time.Second)
	put(t, filepath.Join(cwd, "out", "old.pt"), "old", time.Hour)
	put(t, filepath.Join(cwd, "out", "predictions.txt"), "p", time.Second)
	head := record.Head{Pid: 7, Rank: record.None, Seq: 1, Sink: &record.Sink{Device: 2049, Inode: 77, Offset: 40}}
	text := record.Append(nil, head, &record.Boot{Checks: []string{"decode"}})
	head.Seq = 2
	text = record.Append(text, head, &record.Artifact{Op: "read", Path: "base.pt", Size: 4, Step: record.None})
	head.Seq = 3
	text = record.Append(text, head, &record.Artifact{Op: "wrote", Path: "out/checkpoint-5", Size: record.None, Step: 5})
	require.NoError(t, os.WriteFile(filepath.Join(dir, RecordsDir, "7.jsonl"), text, 0o600))

	d, err := Read(dir)
	require.NoError(t, err)
	events := d.Artifacts(t.Context(), ArtifactOptions{
		Folders:  []string{"out", "."},
		Mentions: []Mention{{Op: "read", Path: "data.jsonl"}, {Op: "wrote", Path: "never.pt"}, {Op: "wrote", Path: "s3://bucket/model.pt"}},
		Taint: func(a Artifact) (string, bool) {
			if a.Digest == digest([]byte("base")) {
				return "run r0 (xid-48)", true
			}
			return "", false
		},
	})
	type short struct{ op, path, kind, digest, taint string }
	var got []short
	for _, e := range events {
		path, err := filepath.Rel(cwd, e.Path)
		if err != nil {
			path = e.Path
		}
		got = append(got, short{e.Op, filepath.ToSlash(path), e.Kind, e.Digest, e.Taint})
	}
	require.Equal(t, []short{
		{"read", "base.pt", "checkpoint", digest([]byte("base")), "run r0 (xid-48)"},
		{"read", "data.jsonl", "data", "", ""},
		{"wrote", "data.jsonl", "data", digest([]byte("data")), ""},
		{"wrote", "out/checkpoint-5/model.safetensors", "checkpoint", digest([]byte("weights")), ""},
		{"wrote", "out/checkpoint-5/trainer_state.json", "state", digest([]byte("{}")), ""},
		{"wrote", "out/predictions.txt", "predictions", digest([]byte("p")), ""},
	}, got)
	require.EqualValues(t, 40, *events[0].Offset)
	require.True(t, events[0].Doubt)
	require.Contains(t, events[1].Text, "changed after the run began")
	require.EqualValues(t, 40, *events[3].Offset, "what the record says of its place is kept")
}

// TestDigestsEndInTime: a checkpoint of a terabyte must not hold the end up.
func TestDigestsEndInTime(t *testing.T) {
	t.Parallel()
	dir, cwd := openRun(t)
	put(t, filepath.Join(cwd, "model.pt"), "weights", time.Second)
	d, err := Read(dir)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	events := d.Artifacts(ctx, ArtifactOptions{Folders: []string{"."}})
	require.Len(t, events, 1)
	require.Empty(t, events[0].Digest)
	require.Contains(t, events[0].Text, "no digest: 0 of 7 bytes")
}

// TestWhenAFileWasWritten: a file that no record speaks of is placed by its last
// change against what was printed at the moments that are known.
func TestWhenAFileWasWritten(t *testing.T) {
	t.Parallel()
	const s = int64(1e9)
	d := &Dir{Path: "r", Events: []Event{
		{Type: EventStart, Wall: 0, Offset: at(0)},
		{Type: EventFault, Wall: 100 * s, Offset: at(50)},
		{Type: EventExit, Wall: 200 * s, Offset: at(90)},
	}}
	for _, tt := range []struct{ changed, least, most int64 }{
		{10 * s, 0, 50},   // well before the fault was seen: it was not there yet
		{97 * s, 0, 90},   // too near to tell
		{150 * s, 51, 90}, // after it was seen
		{300 * s, 90, 1<<63 - 1},
	} {
		a := d.artifact(&Event{Type: EventArtifact, Op: "wrote", Path: "m", Changed: tt.changed})
		require.Equal(t, [2]int64{tt.least, tt.most}, [2]int64{a.Sink.Offset, a.Latest.Offset}, "%d", tt.changed/s)
		require.Equal(t, evidence.Pos{Source: filepath.Join("r", LogFile), Offset: tt.least}, *a.Sink)
	}
}
