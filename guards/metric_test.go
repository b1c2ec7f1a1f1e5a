package guards

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

func TestMetricsCarrySamplesAndSplit(t *testing.T) {
	r, dir := recording(t)
	r.SetStep(400)
	acc := r.Metric("accuracy", "val")
	if err := acc.ReportShare(30, 37); err != nil {
		t.Fatal(err)
	}
	if err := r.Metric("loss", "train").Report(math.NaN(), None); err != nil {
		t.Fatalf("the value itself says that it is none: %v", err)
	}
	recs, _ := readRecord(t, dir)
	ms := bodies[*record.Metric](recs)
	if m := ms[0]; m.Name != "accuracy" || m.Split != "val" || m.N != 37 || m.Good != 30 || m.Step != 400 || m.Value != record.Float(30.0/37) || m.Taint != "" {
		t.Errorf("%+v", m)
	}
	if m := ms[1]; !math.IsNaN(float64(m.Value)) || m.N != None || m.Good != None {
		t.Errorf("%+v", m)
	}
}

func TestSamplesBehindAMetric(t *testing.T) {
	tests := []struct {
		name      string
		expect, n int64
		code      string
		effect    record.Effect
	}{
		{"all of them", 64, 64, "", ""},
		{"number not expected", 0, 57, "", ""},
		{"number not known", 64, None, "", ""},
		{"a padded batch more", 64, 72, "", ""},
		{"a worker dropped 7", 64, 57, "incomplete-evaluation", record.Degrade},
		{"none", 64, 0, "empty-evaluation", record.Poison},
		{"none, and none expected", 0, 0, "empty-evaluation", record.Poison},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, dir := recording(t)
			r.SetStep(12)
			err := r.Metric("Eval WER", "val").Expect(tt.expect).Report(0.5, tt.n)
			var f *Finding
			if errors.As(err, &f) != (tt.code != "") || err != nil && (f.Grade != tt.code || !errors.Is(err, ErrQuality) || errors.Is(err, ErrFault)) {
				t.Errorf("got %v", err)
			}
			recs, _ := readRecord(t, dir)
			found := bodies[*record.Finding](recs)
			if (len(found) == 1) != (tt.code != "") {
				t.Fatalf("%d findings", len(found))
			}
			if len(found) == 1 {
				if b := found[0]; b.Code != tt.code || b.Effect != tt.effect || b.Metric != "eval_wer" || b.From != 12 || b.Until != 12 {
					t.Errorf("%+v", b)
				}
			}
			if len(bodies[*record.Metric](recs)) != 1 {
				t.Error("the value is recorded in any case")
			}
		})
	}
}

// A log names a metric with its split or without; the audit must find the value
// under either name, and no metric of another split.
func TestFindingFollowsTheMetricIntoTheLog(t *testing.T) {
	for _, tt := range []struct {
		name, split string
		want        []string
	}{
		{"accuracy", "val", []string{"accuracy", "eval*accuracy", "val*accuracy"}},
		{"Top-1 Acc", "test", []string{"test*top_1_acc", "top_1_acc"}},
		{"loss", "train", []string{"loss", "train*loss"}},
		{"eval_wer", "val", []string{"eval_wer"}},
		{"Validation/WER", "val", []string{"validation/wer"}},
		{"retrieval recall", "val", []string{"eval*retrieval_recall", "retrieval_recall", "val*retrieval_recall"}},
		{"wer", "", []string{"wer"}},
	} {
		r, dir := recording(t)
		r.SetStep(12)
		m := r.Metric(tt.name, tt.split)
		for range 2 {
			if err := m.Report(0.5, 0); !errors.Is(err, ErrQuality) {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
		recs, _ := readRecord(t, dir)
		var got []string
		for _, f := range bodies[*record.Finding](recs) {
			got = append(got, f.Metric)
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, tt.want) {
			t.Errorf("%s of %s: %q, want %q", tt.name, tt.split, got, tt.want)
		}
	}
}

// TestShareOfNothing: 0 of 0 is no number, and not 0 %.
func TestShareOfNothing(t *testing.T) {
	r, dir := recording(t)
	if err := r.Metric("accuracy", "val").ReportShare(0, 0); !errors.Is(err, ErrQuality) {
		t.Errorf("got %v", err)
	}
	recs, _ := readRecord(t, dir)
	if m := bodies[*record.Metric](recs)[0]; !math.IsNaN(float64(m.Value)) {
		t.Errorf("%+v", m)
	}
}

func TestErrorsAreAsEverWithoutARecord(t *testing.T) {
	r := New(Options{})
	if err := r.Metric("wer", "val").Report(0.5, 0); !errors.Is(err, ErrQuality) {
		t.Errorf("got %v", err)
	}
	if err := r.report(poisoned(0)); !errors.Is(err, ErrFault) {
		t.Errorf("got %v", err)
	}
	if err := r.Wrote("model.bin", Checkpoint); !errors.Is(err, ErrFault) {
		t.Errorf("got %v", err)
	}
	if err := r.Close(); !errors.Is(err, ErrFault) {
		t.Errorf("got %v", err)
	}
	if r.Loss() != nil {
		t.Error("nothing was to be written, nothing is lost")
	}
}
