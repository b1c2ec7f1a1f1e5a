package record

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

// failing is a file whose writes fail as a plan says.
type failingFile struct {
	file
	plan func(b []byte) (n int, err error) // err nil: write it
}

func (f *failingFile) Write(b []byte) (int, error) {
	n, err := f.plan(b)
	if err == nil {
		return f.file.Write(b)
	}
	if n > 0 {
		f.file.Write(b[:n])
	}
	return n, err
}

// broken returns a writer whose files fail by the plan.
func broken(dir string, plan func(b []byte) (int, error)) *Writer {
	w := NewWriter(dir, hello)
	open := w.system.open
	w.system.open = func(name string, flag int) (file, error) {
		f, err := open(name, flag)
		if err != nil {
			return nil, err
		}
		return &failingFile{f, plan}, nil
	}
	return w
}

// TestDiskThatFillsUpAndIsFreed: what was lost leaves a hole that the reader
// names, and the end record says how much.
func TestDiskThatFillsUpAndIsFreed(t *testing.T) {
	tests := []struct {
		name  string
		torn  int // bytes that still went in
		want  []IssueKind
		error error
	}{
		{"nothing went in", 0, []IssueKind{Gap}, syscall.ENOSPC},
		{"a piece went in", 40, []IssueKind{Damaged, Gap}, syscall.ENOSPC},
		// The next write begins with a line feed and so completes it; counted lost all the same.
		{"all but the line feed went in", -1, nil, syscall.ENOSPC},
		{"input/output error", 0, []IssueKind{Gap}, syscall.EIO},
		{"quota", 7, []IssueKind{Damaged, Gap}, syscall.EDQUOT},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			full := false
			dir := t.TempDir()
			w := broken(dir, func(b []byte) (int, error) {
				if !full {
					return 0, nil
				}
				if tt.torn < 0 {
					return len(b) - 1, tt.error
				}
				return min(tt.torn, len(b)), tt.error
			})
			for n := int64(1); n <= 6; n++ {
				full = n == 3 || n == 4
				if err := w.Write(None, loss(n)); (err != nil) != full || full && !errors.Is(err, tt.error) {
					t.Fatalf("record %d: %v", n, err)
				}
			}
			var lost *LossError
			if err := w.Close(None, "close", 0); !errors.As(err, &lost) || lost.Lost != 2 || !errors.Is(err, tt.error) {
				t.Fatalf("Close says %v", err)
			}
			recs, issues := only(t, dir)
			if end, ok := recs[len(recs)-1].Body.(*End); !ok || end.Lost != 2 {
				t.Errorf("last record %+v", recs[len(recs)-1])
			}
			for _, want := range tt.want {
				if !slices.Contains(issues, want) {
					t.Errorf("issues %v, want %v", issues, tt.want)
				}
			}
			for _, n := range []int64{1, 2, 5, 6} {
				if !slices.ContainsFunc(recs, func(r Record) bool { m, ok := r.Body.(*Metric); return ok && m.N == n }) {
					t.Errorf("record %d was acknowledged and is gone", n)
				}
			}
		})
	}
}

// TestBootIsWrittenAgainWhereItWasLost: a file without one says nothing of the
// checks, and the level would be lost with the disk's first hiccup.
func TestBootIsWrittenAgainWhereItWasLost(t *testing.T) {
	dir, calls := t.TempDir(), 0
	w := broken(dir, func([]byte) (int, error) {
		if calls++; calls == 1 {
			return 0, syscall.ENOSPC
		}
		return 0, nil
	})
	if w.Write(None, loss(1)) == nil {
		t.Fatal("the first record cannot stand without the boot record")
	}
	if err := w.Write(None, loss(2)); err != nil {
		t.Fatal(err)
	}
	w.Close(None, "close", 0)
	recs, issues := only(t, dir)
	if types(recs) != "boot metric end" || !slices.Equal(issues, []IssueKind{Gap}) {
		t.Errorf("%s, %v", types(recs), issues)
	}
}

// TestFullDevice writes to a device that is really full.
func TestFullDevice(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full is Linux's")
	}
	w := NewWriter(t.TempDir(), hello)
	w.system.open = func(string, int) (file, error) { return os.OpenFile("/dev/full", os.O_WRONLY|os.O_APPEND, 0) }
	for n := range int64(100) {
		if err := w.Write(None, loss(n)); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("got %v", err)
		}
	}
	var lost *LossError
	if err := w.Close(None, "close", 0); !errors.As(err, &lost) || lost.Lost != 101 {
		t.Errorf("got %v, want 101 lost", err)
	}
}

// TestClosedDescriptor: a trainer may close every descriptor, as daemons do.
func TestClosedDescriptor(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir, hello)
	w.Write(None, loss(1))
	w.file.Close()
	if err := w.Write(None, loss(2)); err != nil {
		t.Fatalf("got %v", err)
	}
	w.Close(None, "close", 0)
	recs, issues := only(t, dir)
	if types(recs) != "boot metric metric end" || len(issues) > 0 {
		t.Errorf("%s, %v", types(recs), issues)
	}
}

// TestDescriptorThatIsAnothersNow: the number of the closed descriptor went to
// a file of the trainer's, which must not get our record.
func TestDescriptorThatIsAnothersNow(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir, hello)
	w.Write(None, loss(1))
	theirs := filepath.Join(t.TempDir(), "checkpoint")
	other, err := os.Create(theirs)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	w.file.Close()
	w.file = other // as the kernel would give out the same number
	if err := w.Write(None, loss(2)); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(theirs); len(b) > 0 {
		t.Errorf("the trainer's file got %q", b)
	}
	if recs, issues := only(t, dir); types(recs) != "boot metric metric" || len(issues) > 0 {
		t.Errorf("%s, %v", types(recs), issues)
	}
}

// TestRecordFileThatIsTakenAway: deleted under the writer, the record goes on in
// the file that has no name any more; nothing fails, and the trailer misses it.
func TestRecordFileThatIsTakenAway(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir, hello)
	w.Write(None, loss(1))
	if err := os.RemoveAll(filepath.Join(dir, Folder)); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(None, loss(2)); err != nil {
		t.Errorf("got %v", err)
	}
	w.Close(None, "close", 0)
}
