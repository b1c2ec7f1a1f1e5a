package rundir

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// TestGolden holds version 1 of every file and what it means as evidence.
func TestGolden(t *testing.T) {
	dir := writeSample(t)
	d, err := Read(dir)
	require.NoError(t, err)
	require.Empty(t, d.Verify())
	run := d.Evidence()
	require.Len(t, run.Findings, 1)
	meaning, err := json.MarshalIndent(run, "", "  ")
	require.NoError(t, err)
	meaning = bytes.ReplaceAll(append(meaning, '\n'), []byte(dir), []byte("RUN"))
	for _, name := range []string{ManifestFile, SidecarFile, TrailerFile, ReceiptFile, "run-evidence.json"} {
		got := meaning
		if name != "run-evidence.json" {
			got, err = os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
		}
		golden := filepath.Join(contracts, name)
		if *update {
			require.NoError(t, os.WriteFile(golden, got, 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), name)
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	d, err := Read(writeSample(t))
	require.NoError(t, err)
	want := sampleManifest()
	want.Version = Version
	require.Equal(t, &want, d.Manifest)
	require.Len(t, d.Events, len(sampleEvents()))
	require.Equal(t, "wait status 0", d.Events[4].Evidence[0])
	require.True(t, d.Sealed())
	require.Equal(t, evidence.Capture{Sealed: true, OneOrder: true, LineFlush: true, ExitKnown: true}, d.Capture())
	require.Equal(t, verdict.Poisoned, d.Receipt.Headline)
}

func TestEvidenceOfASealedRun(t *testing.T) {
	dir := writeSample(t)
	d, err := Read(dir)
	require.NoError(t, err)
	r := d.Evidence()
	require.True(t, r.Sealed && r.Manifest && r.Trailer && r.Python && r.HostPids)
	require.Equal(t, 0, *r.Exit)
	require.Equal(t, "exit", r.Ending)

	require.Len(t, r.Boots, 1)
	b := r.Boots[0]
	require.Equal(t, []string{"decode", "steps"}, b.Checks)
	require.Equal(t, []string{"replicas: one process"}, b.Off)
	require.True(t, b.Ended)
	require.False(t, b.Gap, b.Issues)

	f := r.Findings[0]
	require.Equal(t, "train.py::evaluate::batch_decode", f.Site)
	require.EqualValues(t, 12, *f.From)
	require.Nil(t, f.Until)
	require.Equal(t, evidence.Pos{Source: filepath.Join(dir, LogFile), Offset: 20}, *f.Sink)

	require.Equal(t, []string{"process 4300 (python -c spawn_main), started by 4242"}, r.Silent)
	require.Equal(t, []string{"show.py:9 (unknown tokenizer)"}, r.Ledger)
	require.EqualValues(t, 2, r.Steps[0].Skipped)
	require.EqualValues(t, 2, r.Steps[0].Skips[0].InRow)
	require.Equal(t, "wer", r.Metrics[0].Name)
	require.Len(t, r.Artifacts, 2)
	require.Len(t, r.Machine, 1)
}

// damage is a way to hurt a file; nil removes it.
type damage struct {
	what string
	text []byte
}

// hurts lists the damages of the law: each byte flipped (its lowest bit, the
// one that changes case, or the highest, in turn), each eighth byte removed and
// the file cut there, each line and each aligned block of 64 bytes removed, a
// byte more, the file gone.
func hurts(text []byte) []damage {
	list := []damage{{"removed", nil}, {"grown", append(bytes.Clone(text), '\n')}}
	for i := range text {
		b := bytes.Clone(text)
		b[i] ^= [...]byte{0x01, 0x20, 0x80}[i%3]
		list = append(list, damage{"byte flipped", b})
		if i%8 == 0 {
			list = append(list, damage{"byte removed", slices.Delete(bytes.Clone(text), i, i+1)}, damage{"cut", append([]byte{}, text[:i]...)})
		}
	}
	for i := 0; i < len(text); i += 64 {
		list = append(list, damage{"block removed", slices.Delete(bytes.Clone(text), i, min(i+64, len(text)))})
	}
	for at := 0; at < len(text); {
		end := len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		list = append(list, damage{"line removed", slices.Delete(bytes.Clone(text), at, end)})
		at = end
	}
	return list
}

// overwrite does not empty the file first, which some file systems answer by
// writing to the disk at once, ten thousand times.
func overwrite(t *testing.T, name string, text []byte) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o600)
	require.NoError(t, err)
	_, err = f.WriteAt(text, 0)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(int64(len(text))))
	require.NoError(t, f.Close())
}

// TestDeletionLaw: nothing of a sealed run can be changed or removed and leave
// a sealed run. Only the receipt may go: it came later and no verdict needs it.
func TestDeletionLaw(t *testing.T) {
	dir := writeSample(t)
	var names []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	}))
	require.Len(t, names, 6)
	tried := 0
	for _, name := range names {
		whole, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, h := range hurts(whole) {
			if bytes.Equal(h.text, whole) || (h.text == nil && filepath.Base(name) == ReceiptFile) {
				continue
			}
			tried++
			if h.text == nil {
				require.NoError(t, os.Remove(name))
			} else {
				overwrite(t, name, h.text)
			}
			d, err := Read(dir)
			require.NoError(t, err)
			if d.Sealed() || d.Capture().Sealed {
				t.Fatalf("%s %s: still sealed", filepath.Base(name), h.what)
			}
		}
		overwrite(t, name, whole)
	}
	d, err := Read(dir)
	require.NoError(t, err)
	require.True(t, d.Sealed())
	t.Logf("%d damages", tried)
}

func TestVerifyNamesTheDamage(t *testing.T) {
	path := func(dir string, name ...string) string { return filepath.Join(append([]string{dir}, name...)...) }
	tests := []struct {
		name string
		hurt func(dir string) error
		want DamageKind
		file string
	}{
		{"log cut", func(d string) error { return os.Truncate(path(d, LogFile), 10) }, Cut, LogFile},
		{"log gone", func(d string) error { return os.Remove(path(d, LogFile)) }, Missing, LogFile},
		{"log replaced by a link to itself", func(d string) error {
			if err := os.Rename(path(d, LogFile), path(d, "..", "moved")); err != nil {
				return err
			}
			return os.Symlink("../moved", path(d, LogFile))
		}, NotRegular, LogFile},
		{"file added", func(d string) error { return os.WriteFile(path(d, RecordsDir, "9-9.jsonl"), nil, 0o600) }, Unnamed, "records/9-9.jsonl"},
		{"not closed", func(d string) error { return os.Remove(path(d, TrailerFile)) }, NoTrailer, TrailerFile},
		{"no manifest", func(d string) error { return os.Remove(path(d, ManifestFile)) }, Missing, ManifestFile},
		{"trailer without sense", func(d string) error { return os.WriteFile(path(d, TrailerFile), []byte("{"), 0o600) }, Malformed, TrailerFile},
		{"trailer of version 2", func(d string) error {
			return os.WriteFile(path(d, TrailerFile), []byte(`{"version":2}`), 0o600)
		}, Changed, TrailerFile},
		{"trailer with white space", func(d string) error {
			b, err := os.ReadFile(path(d, TrailerFile))
			if err != nil {
				return err
			}
			return os.WriteFile(path(d, TrailerFile), append([]byte(" "), b...), 0o600)
		}, Changed, TrailerFile},
		{"manifest of another run", func(d string) error {
			m := sampleManifest()
			m.ID = "other"
			return WriteManifest(d, m)
		}, Changed, ManifestFile},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeSample(t)
			require.NoError(t, tt.hurt(dir))
			d, err := Read(dir)
			require.NoError(t, err)
			require.False(t, d.Sealed())
			require.True(t, slices.ContainsFunc(d.Verify(), func(x Damage) bool { return x.Kind == tt.want && x.File == tt.file }), "%v", d.Verify())
			require.False(t, d.Evidence().Sealed)
			require.NotEmpty(t, d.Capture().Broken)
		})
	}
}

// TestTrailerOfAnotherDirectory: a trailer closes the run that it was written for.
func TestTrailerOfAnotherDirectory(t *testing.T) {
	a, b := writeSample(t), writeSample(t)
	require.NoError(t, os.Remove(filepath.Join(b, ReceiptFile)))
	m := sampleManifest()
	m.ID = "other"
	require.NoError(t, WriteManifest(b, m))
	require.NoError(t, WriteTrailer(b, 1, 1))
	text, err := os.ReadFile(filepath.Join(b, TrailerFile))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(a, TrailerFile), text, 0o600))
	d, err := Read(a)
	require.NoError(t, err)
	require.False(t, d.Sealed())
}

func TestHostileTrailer(t *testing.T) {
	for _, name := range []string{"../../etc/passwd", "/etc/passwd", "a//b", "", ".", TrailerFile} {
		dir := writeSample(t)
		text, err := seal(Trailer{Version: Version, ID: "x", Files: []File{{Name: name}}})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, TrailerFile), text, 0o600))
		d, err := Read(dir)
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(d.Verify(), func(x Damage) bool { return x.Kind == Malformed && x.File == TrailerFile }), name)
	}
}

func TestNotARun(t *testing.T) {
	_, err := Read(t.TempDir())
	require.ErrorIs(t, err, ErrNotRun)
	_, err = Read(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestReceiptsRefuseTrustedBelowCaptured(t *testing.T) {
	claim := verdict.Subject{Kind: "metric", Name: "wer", Verdict: verdict.Trusted, Level: verdict.Log}
	run := verdict.Subject{Kind: "run", Verdict: verdict.Trusted, Level: verdict.Captured}
	_, err := NewReceipt(verdict.Result{Level: verdict.Captured, Claims: []verdict.Subject{claim}, Run: run}, nil)
	require.ErrorIs(t, err, ErrBelowCaptured)
	claim.Verdict = verdict.Poisoned
	_, err = NewReceipt(verdict.Result{Headline: verdict.Poisoned, Claims: []verdict.Subject{claim}, Run: run}, nil)
	require.NoError(t, err)
	require.ErrorIs(t, WriteReceipt(t.TempDir(), Receipt{Headline: verdict.Trusted}), ErrBelowCaptured)

	// One that another hand wrote is not believed either.
	dir := writeSample(t)
	text, err := seal(Receipt{Version: Version, Headline: verdict.Trusted, Level: verdict.Log})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, ReceiptFile), text, 0o600))
	d, err := Read(dir)
	require.NoError(t, err)
	require.Nil(t, d.Receipt)
	require.NotEmpty(t, d.Verify())
}

func TestWriteTrailerRemovesWhatAKilledWriterLeft(t *testing.T) {
	dir := writeSample(t)
	left := filepath.Join(dir, tempPrefix+"123")
	require.NoError(t, os.WriteFile(left, []byte("{"), 0o600))
	require.NoError(t, os.Remove(filepath.Join(dir, ReceiptFile)))
	require.NoError(t, WriteTrailer(dir, 1, 1))
	require.NoFileExists(t, left)
	d, err := Read(dir)
	require.NoError(t, err)
	require.Empty(t, d.Verify())
}

func TestDiscontinuitiesBecomeBreaks(t *testing.T) {
	d := &Dir{Path: "r", Events: []Event{{Type: EventDiscontinuity, Offset: at(9), Kind: "truncated", Text: "tee reopened the log"}, {Type: EventDiscontinuity, Kind: "lost"}}}
	require.Equal(t, []evidence.Break{
		{At: evidence.Pos{Source: filepath.Join("r", LogFile), Offset: 9}, Kind: "discontinuity", Text: "truncated tee reopened the log"},
		{At: evidence.Pos{Source: filepath.Join("r", LogFile)}, Kind: "discontinuity", Text: "lost"},
	}, d.Breaks())
}

func FuzzReadSidecar(f *testing.F) {
	line, err := AppendEvent(nil, Event{Type: EventStart, Seq: 1})
	require.NoError(f, err)
	f.Add(line)
	f.Add([]byte("{}\n\n" + strings.Repeat("x", 300)))
	f.Fuzz(func(t *testing.T, in []byte) {
		events, damage := readSidecar(in)
		if len(damage) == 0 && bytes.Count(in, []byte("\n")) != len(events) {
			t.Fatalf("%d events of %q, no damage", len(events), in)
		}
	})
}

// FuzzRecords: whatever lies in the records folder, the evidence comes out,
// and what is no whole record leaves a mark.
func FuzzRecords(f *testing.F) {
	f.Add([]byte("{}\n"))
	f.Add(record.Append(nil, record.Head{Pid: 7, Seq: 1, Rank: record.None}, &record.Count{Check: "decode", Calls: 1}))
	manifest := sampleManifest()
	dir := &Dir{Path: "r", Manifest: &manifest}
	f.Fuzz(func(t *testing.T, in []byte) {
		file := &recordFile{dir: dir, name: "1.jsonl", procs: map[int]*process{}}
		require.NoError(t, file.read(bytes.NewReader(in)))
		var r evidence.Run
		file.close(&r)
		if len(r.Boots) == 0 || (len(r.Boots[0].Live) == 0 && !r.Boots[0].Gap) {
			t.Fatalf("nothing said of %q", in)
		}
	})
}
