package guards

import (
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// An untrained model with a head of zeros says one id for ever. A trainer that
// evaluates it before its first step, and has told no step yet, must not have
// everything behind it doubted for that.
func TestDoubtBeforeTrainingEndsThere(t *testing.T) {
	tests := map[string]struct {
		use  func(r *Run, stuck func())
		want []int64 // until which step, one a record
	}{
		"before the first step of training": {func(r *Run, stuck func()) {
			steps := r.Steps("adam")
			stuck()
			r.SetStep(1)
			steps.Apply(1)
		}, []int64{0}},
		"the same, without a step counter": {func(r *Run, stuck func()) {
			steps := r.Steps("adam")
			stuck()
			steps.Apply(1)
		}, []int64{0}},
		"at a step": {func(r *Run, stuck func()) {
			r.SetStep(7)
			r.Steps("adam").Apply(1)
			stuck()
		}, []int64{7}},
		"at some step": {func(r *Run, stuck func()) {
			r.Steps("adam").Apply(1)
			stuck()
		}, []int64{None}},
		"where nothing is trained": {func(r *Run, stuck func()) { stuck() }, []int64{None}},
		"where nothing was trained after all": {func(r *Run, stuck func()) {
			r.Steps("adam")
			stuck()
		}, []int64{0, None}},
		"before and after": {func(r *Run, stuck func()) {
			steps := r.Steps("adam")
			stuck()
			steps.Apply(1)
			stuck()
		}, []int64{0, None}},
	}
	for name, c := range tests {
		r, dir := recording(t)
		vocab, err := NewVocab(100)
		if err != nil {
			t.Fatal(err)
		}
		site := r.DecodeSite("evaluate", vocab)
		c.use(r, func() {
			if err := CheckTokenIDs(site, make([]int32, 64)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		if err := r.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		recs, issues := readRecord(t, dir)
		if len(issues) > 0 {
			t.Errorf("%s: %v", name, issues)
		}
		var got []int64
		for _, rec := range recs {
			if f, ok := rec.Body.(*record.Finding); ok {
				got = append(got, f.Until)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: until %v, want %v", name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: until %v, want %v", name, got, c.want)
			}
		}
	}
}
