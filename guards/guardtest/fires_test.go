package guardtest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/trainvet/trainvet/guards"
)

// What Decode says of trainers that are not guarded, or eat the error.
func TestComplaints(t *testing.T) {
	t.Parallel()
	fault := &guards.Fault{Grade: "ids-signature"}
	samples := &guards.Finding{Grade: "incomplete-evaluation"}
	for _, c := range []struct {
		name      string
		got, want error
		says      string
	}{
		{"guarded", fmt.Errorf("evaluating: %w", fault), guards.ErrFault, ""},
		{"healthy", nil, nil, ""},
		{"no guard", nil, guards.ErrFault, "no guard fired"},
		{"wrapped without %w", errors.New(fault.Error()), guards.ErrFault, "replaced on its way up"},
		{"alarm", fault, nil, "a healthy batch brings"},
		{"a test batch is no whole evaluation", fmt.Errorf("step 1: %w", samples), nil, ""},
		{"nor is it a guard", samples, guards.ErrQuality, "no guard fired"},
		{"taken for the other kind", fault, guards.ErrQuality, "not"},
	} {
		if got := complaint(c.got, c.want); (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// A trainer from the ids to its metric: neither the batch without rows nor the
// number of samples that it expects of a whole split is a false alarm.
func TestDecodeUpToTheMetric(t *testing.T) {
	vocab, err := guards.NewVocab(1000, guards.LogitsWidth(1064))
	if err != nil {
		t.Fatal(err)
	}
	Decode(t, vocab, func(rows [][]int32) error {
		if err := guards.CheckTokenRows(guards.DecodeSite("evaluate", vocab), rows); err != nil {
			return err
		}
		return guards.NewMetric("accuracy", "val").Expect(500).ReportShare(0, int64(len(rows)))
	})
}
