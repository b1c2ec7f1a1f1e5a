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
		{"taken for the other kind", fault, guards.ErrQuality, "not"},
	} {
		if got := complaint(c.got, c.want); (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
