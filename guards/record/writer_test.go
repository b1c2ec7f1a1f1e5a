package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func hello(why string) []Body {
	return []Body{&Boot{Run: "r", Why: why, Checks: []string{"steps"}, LocalRank: None}}
}

// files reads every record file of a run directory.
func files(t *testing.T, dir string) (recs [][]Record, issues [][]Entry) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, Folder, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, i := readAll(t, b)
		recs, issues = append(recs, r), append(issues, i)
	}
	return recs, issues
}

// only is the one record file of a run directory.
func only(t *testing.T, dir string) ([]Record, []IssueKind) {
	t.Helper()
	recs, issues := files(t, dir)
	if len(recs) != 1 {
		t.Fatalf("%d record files, want 1", len(recs))
	}
	return recs[0], kinds(issues[0])
}

func types(recs []Record) string {
	var out []string
	for _, r := range recs {
		out = append(out, string(r.Type))
	}
	return strings.Join(out, " ")
}

func loss(n int64) *Metric { return &Metric{Name: "loss", Value: Float(n), N: n, Good: None, Step: n} }

func TestNothingIsOpenedBeforeTheFirstRecord(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir, hello)
	if w.Opened() {
		t.Error("opened at birth")
	}
	if err := w.Close(None, "close", 0); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("%d files in the run directory", len(entries))
	}
}

func TestRecordsStandInTheFileWhenWriteReturns(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir, hello)
	for n := int64(1); n <= 3; n++ {
		if err := w.Write(2, loss(n)); err != nil {
			t.Fatal(err)
		}
		recs, issues := only(t, dir)
		if len(issues) > 0 || recs[len(recs)-1].Body.(*Metric).N != n {
			t.Fatalf("after record %d: %s %v", n, types(recs), issues)
		}
	}
	if err := w.Close(2, "close", 1); err != nil {
		t.Fatal(err)
	}
	recs, issues := only(t, dir)
	if got := types(recs); got != "boot metric metric metric end" || len(issues) > 0 {
		t.Fatalf("%s, %v", got, issues)
	}
	end := recs[4]
	if b := end.Body.(*End); b.Lost != 0 || b.HookErrors != 1 || end.Seq != 5 || end.Rank != 2 || end.Pid != os.Getpid() {
		t.Errorf("%+v %+v", end.Head, b)
	}
	if end.Wall < recs[0].Wall || end.Mono < recs[0].Mono || recs[0].Mono == 0 {
		t.Errorf("clocks run backwards: %+v then %+v", recs[0].Head, end.Head)
	}
	if w.Close(2, "close", 1) != nil {
		t.Error("a second Close errs")
	}
	if recs, _ := only(t, dir); types(recs) != "boot metric metric metric end" {
		t.Error("a second Close wrote")
	}
}

// TestEvidenceBehindTheEndIsKept: a fault in a goroutine that outlives Close
// is worth more than a tidy file.
func TestEvidenceBehindTheEndIsKept(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir, hello)
	w.Write(None, loss(1))
	w.Close(None, "close", 0)
	w.Write(None, loss(2))
	recs, issues := only(t, dir)
	if types(recs) != "boot metric end metric" || !slices.Equal(issues, []IssueKind{AfterEnd}) {
		t.Errorf("%s, %v", types(recs), issues)
	}
}

func TestRunDirectoryThatIsMissing(t *testing.T) {
	w := NewWriter(filepath.Join(t.TempDir(), "none", "run"), hello)
	if err := w.Write(None, loss(1)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	w.Write(None, loss(2))
	var lost *LossError
	if err := w.Close(None, "close", 0); !errors.As(err, &lost) || lost.Lost != 3 || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// TestFileOfOurNameIsNotTouched: another pid namespace may have had our name.
func TestFileOfOurNameIsNotTouched(t *testing.T) {
	dir := t.TempDir()
	first, second := NewWriter(dir, hello), NewWriter(dir, hello)
	clock := func() (int64, int64) { return 36, 1 }
	first.system.now, second.system.now = clock, clock
	first.Write(None, loss(1))
	second.Write(None, loss(2))
	recs, issues := files(t, dir)
	if len(recs) != 2 || len(issues[0])+len(issues[1]) > 0 {
		t.Fatalf("%d files, issues %v", len(recs), issues)
	}
}

func TestForkOpensAFileOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir, hello)
	w.Write(None, loss(1))
	w.system.pid = func() int { return 1<<22 + 7 } // what the child would see
	w.Write(None, loss(2))
	w.Close(None, "close", 0)
	recs, issues := files(t, dir)
	if len(recs) != 2 {
		t.Fatalf("%d files", len(recs))
	}
	parent, child := recs[0], recs[1]
	if parent[0].Pid != os.Getpid() {
		parent, child = child, parent
	}
	if types(parent) != "boot metric" || types(child) != "boot metric end" || len(issues[0])+len(issues[1]) > 0 {
		t.Fatalf("%s / %s, %v", types(parent), types(child), issues)
	}
	if b := child[0].Body.(*Boot); b.Why != "fork" || child[0].Seq != 1 || child[0].Pid != 1<<22+7 {
		t.Errorf("%+v %+v", child[0].Head, b)
	}
}

func TestManyGoroutinesOneSequence(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir, hello)
	var done sync.WaitGroup
	for range 8 {
		done.Add(1)
		go func() {
			defer done.Done()
			for n := range int64(50) {
				w.Write(None, loss(n))
			}
		}()
	}
	done.Wait()
	w.Close(None, "close", 0)
	recs, issues := only(t, dir)
	if len(recs) != 402 || len(issues) > 0 {
		t.Errorf("%d records, %v", len(recs), issues)
	}
}
