package guards

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// A checkpoint is recorded where it is written and where a training goes on
// from it, so that it can be known again.
func TestACheckpointIsKnownAgain(t *testing.T) {
	run, dir := recording(t)
	path := filepath.Join(dir, "model.bin")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("parameters")
	if err := run.Wrote(path, Checkpoint); err != nil {
		t.Fatal(err)
	}
	run.Resumed(path, 20, Carried{"adam", 20, 15})
	write("Parameters")
	run.Resumed(path, None)
	run.Resumed(filepath.Join(dir, "none"), 3)

	recs, _ := readRecord(t, dir)
	wrote, from := bodies[*record.Artifact](recs)[0], bodies[*record.Resume](recs)
	if len(from) != 3 || wrote.Sample == "" {
		t.Fatalf("%d resumes, and the file that was written has the sample %q", len(from), wrote.Sample)
	}
	if b := from[0]; b.Sample != wrote.Sample || b.Size != wrote.Size || b.Step != 20 || len(b.Carried) != 1 || b.Carried[0] != (record.Carried{Optimizer: "adam", Attempted: 20, Applied: 15}) {
		t.Errorf("the training goes on from %+v", b)
	}
	if b := from[1]; b.Sample == wrote.Sample || b.Sample == "" || b.Step != None {
		t.Errorf("another file of the same size: %+v", b)
	}
	if b := from[2]; b.Sample != "" || b.Size != None {
		t.Errorf("no file: %+v", b)
	}
}

func TestPiecesLieOverTheWholeFile(t *testing.T) {
	for _, size := range []int64{0, 1, pieceSize, pieceSize + 1, 100 * pieceSize, 1 << 40} {
		at := places(size)
		if size > 0 && (len(at) == 0 || len(at) > pieces) {
			t.Fatalf("%d bytes: %d pieces", size, len(at))
		}
		for i, a := range at {
			if a < 0 || a >= size || i > 0 && size <= pieces*pieceSize && a > at[i-1]+pieceSize {
				t.Errorf("%d bytes: a piece at %d", size, a)
			}
		}
		if n := len(at); n > 0 && size-at[n-1] > pieceSize+pieces {
			t.Errorf("%d bytes: the last piece lies at %d", size, at[n-1])
		}
	}
}
