package guards

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// poisoned is what a check of token ids would report.
func poisoned(site int) event {
	e := seen("ids-signature")
	e.site, e.sample, e.place, e.value, e.text = site, 3, 7, "72340172838076673", "eight bytes of 0x01"
	return e
}

// recording is a run with a directory of its own.
func recording(t *testing.T) (*Run, string) {
	t.Helper()
	for _, v := range []string{"RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"} {
		t.Setenv(v, "")
	}
	dir := t.TempDir()
	return New(Options{Dir: dir}), dir
}

func TestFaultRemembersWhereItWasSeen(t *testing.T) {
	r, dir := recording(t)
	r.SetRank(1, 2)
	r.SetStep(4010)
	site := r.addSite(record.Site{Kind: "decode", Name: "transcripts", Live: true})
	err := r.report(poisoned(site))
	var f *Fault
	if !errors.As(err, &f) || !errors.Is(err, ErrFault) || errors.Is(err, ErrQuality) {
		t.Fatalf("got %v", err)
	}
	want := Fault{Grade: "ids-signature", Site: "transcripts", Step: 4010, Rank: 1, Sample: 3, Place: 7, Value: "72340172838076673", Text: "eight bytes of 0x01"}
	if *f != want {
		t.Errorf("got %+v, want %+v", *f, want)
	}
	if got := fmt.Sprint(err); got != "fault ids-signature at transcripts, step 4010, rank 1, sample 3, place 7: eight bytes of 0x01" {
		t.Error(got)
	}
	recs, issues := readRecord(t, dir)
	if len(issues) > 0 || len(recs) != 3 {
		t.Fatalf("%d records, %v", len(recs), issues)
	}
	b := recs[2].Body.(*record.Fault)
	if b.Code != "ids-signature" || b.Effect != record.Poison || b.Scope != "process" || b.Site != site || b.Step != 4010 || b.Row != 3 || b.Column != 7 || recs[2].Rank != 1 {
		t.Errorf("%+v", b)
	}
}

func TestFaultSticks(t *testing.T) {
	r, dir := recording(t)
	wer := r.Metric("eval_wer", "val")
	if err := wer.Report(0.12, 37); err != nil || r.Err() != nil {
		t.Fatal("tainted before the fault")
	}
	first := r.report(poisoned(0))
	r.report(poisoned(0))
	if err := wer.Report(0.11, 37); !errors.Is(err, ErrFault) {
		t.Errorf("a metric behind a fault returns %v", err)
	}
	if err := r.Wrote(os.Args[0], Checkpoint); !errors.Is(err, ErrFault) {
		t.Errorf("an artifact behind a fault returns %v", err)
	}
	if r.Err() != first || r.Close() != first {
		t.Error("Err and Close do not tell the first fault")
	}
	recs, _ := readRecord(t, dir)
	metrics, files := bodies[*record.Metric](recs), bodies[*record.Artifact](recs)
	if metrics[0].Taint != "" || metrics[1].Taint != "ids-signature" || files[0].Taint != "ids-signature" || files[0].Size < 1 {
		t.Errorf("%+v %+v %+v", metrics[0], metrics[1], files[0])
	}
}

func TestPolicies(t *testing.T) {
	finding := seen("nonfinite-parameter")
	tests := []struct {
		policy         Policy
		fault, finding bool // returned
		panics         bool
	}{
		{Return, true, true, false},
		{Record, false, false, false},
		{Panic, false, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.policy.String(), func(t *testing.T) {
			r, dir := recording(t)
			r.SetPolicy(tt.policy)
			err := r.report(finding)
			if (err != nil) != tt.finding || err != nil && !errors.Is(err, ErrQuality) {
				t.Errorf("a finding gives %v", err)
			}
			if r.Err() != nil {
				t.Error("a finding taints as a fault does")
			}
			var panicked any
			func() {
				defer func() { panicked = recover() }()
				err = r.report(poisoned(0))
			}()
			if _, isFault := panicked.(*Fault); isFault != tt.panics {
				t.Errorf("panicked with %v", panicked)
			}
			if !tt.panics && (err != nil) != tt.fault {
				t.Errorf("a fault gives %v", err)
			}
			if !errors.Is(r.Err(), ErrFault) {
				t.Error("the fault does not stick")
			}
			if recs, _ := readRecord(t, dir); len(bodies[*record.Fault](recs)) != 1 || len(bodies[*record.Finding](recs)) != 1 {
				t.Error("not recorded first")
			}
		})
	}
}

// TestRepeatsAreCounted: a broken machine gives a fault per batch, and the
// record does not grow with it.
func TestRepeatsAreCounted(t *testing.T) {
	r, dir := recording(t)
	for range 1000 {
		if r.report(poisoned(0)) == nil {
			t.Fatal("a repeated fault is returned like the first")
		}
	}
	r.Close()
	recs, _ := readRecord(t, dir)
	faults := bodies[*record.Fault](recs)
	if len(faults) != 11 || !strings.HasSuffix(faults[10].Text, "(1000 times so far)") {
		t.Errorf("%d faults, the last %+v", len(faults), faults[len(faults)-1])
	}
}

// TestBoundedFindingsCoverTheirSteps: those that touch only their own step must
// leave none uncovered, however many there are.
func TestBoundedFindingsCoverTheirSteps(t *testing.T) {
	r, dir := recording(t)
	touched := map[int64]bool{}
	for step := int64(10); step < 4000; step += 7 {
		e := seen("nonfinite-target")
		e.from, e.until = step, step
		r.report(e)
		touched[step] = true
	}
	r.Close()
	recs, _ := readRecord(t, dir)
	for _, f := range bodies[*record.Finding](recs) {
		for s := f.From; s <= f.Until; s++ {
			delete(touched, s)
		}
	}
	if len(touched) > 0 {
		t.Errorf("%d steps lie in no finding", len(touched))
	}
	if n := len(bodies[*record.Finding](recs)); n > 2*maxBounded {
		t.Errorf("%d findings written", n)
	}
}

func TestDoubtsAndFineIdsAreNoErrors(t *testing.T) {
	r, dir := recording(t)
	for _, code := range []string{"ids-fill", "ids-unmapped", "ids-stuck"} {
		if err := r.report(seen(code)); err != nil {
			t.Errorf("%s gives %v", code, err)
		}
	}
	if recs, _ := readRecord(t, dir); len(bodies[*record.Finding](recs)) != 2 {
		t.Error("two doubts are to be recorded, and no fill")
	}
}

// TestUnknownGradeIsOurOwnError: the guards step aside and say so.
func TestUnknownGradeIsOurOwnError(t *testing.T) {
	r, dir := recording(t)
	if err := r.report(seen("ids-of-next-year")); err != nil {
		t.Errorf("the trainer got our error: %v", err)
	}
	r.Close()
	recs, _ := readRecord(t, dir)
	if end := bodies[*record.End](recs)[0]; end.HookErrors != 1 {
		t.Errorf("%+v", end)
	}
}

// trainAndSwallow drops the error of each item, as O03 does.
func trainAndSwallow() {
	failed := 0
	for item := range 8 {
		var err error
		if item == 5 {
			err = Default().report(poisoned(0))
		}
		if err != nil {
			failed++ // and nothing else
		}
	}
	fmt.Printf("attrition %d %%\n", failed*100/8)
	if Close() != nil {
		os.Exit(1)
	}
}

// TestSwallowedFaultEndsTheTrainerAllTheSame: Close returns what a handler ate,
// with a record and without.
func TestSwallowedFaultEndsTheTrainerAllTheSame(t *testing.T) {
	for _, dir := range []string{t.TempDir(), ""} {
		cmd := trainer("swallow", dir)
		var out bytes.Buffer
		cmd.Stdout = &out
		var exit *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("directory %q: %v", dir, err)
		}
		if out.String() != "attrition 12 %\n" {
			t.Errorf("printed %q", out.String())
		}
		if recs, _ := readRecord(t, dir); dir != "" && len(bodies[*record.Fault](recs)) != 1 {
			t.Error("the fault is not in the record")
		}
	}
}
