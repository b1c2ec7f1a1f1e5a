package guards

import (
	"errors"
	"fmt"
	"strings"
)

// ErrFault is what every [Fault] is, by errors.Is: the machine miscomputed, or
// may have. What was computed from the batch, and after it, is no measurement.
//
//trainvet:fault
var ErrFault = errors.New("the machine miscomputed")

// ErrQuality is what every [Finding] is, by errors.Is: the model or the
// training is bad. The machine did what it was told.
var ErrQuality = errors.New("the training is not good")

// None stands for a number that is not known: a rank, a step, a sample.
const None = -1

// Fault is what a check returns when it saw what no sound machine produces. It
// was recorded before it was returned, and it sticks: see [Run.Err].
//
// It is a fault of the machine and not of one sample. A handler that drops the
// sample and goes on computes a number from the rest of a broken batch; let it
// reach the top of the run.
//
//trainvet:fault
type Fault struct {
	Grade  string // row of the table of grades: ids-signature, fill-float …
	Site   string // where it was seen; empty: at no site
	Step   int64  // of the trainer's counter, see Run.SetStep; None: not known
	Rank   int    // None: not known, or not distributed
	Sample int64  // within the batch; None: not known
	Place  int64  // within the sample; None: not known
	Value  string // the offending value, exact; empty: not one value
	Text   string // what it means
}

// Error says what was seen and where.
func (f *Fault) Error() string {
	return "fault " + f.Grade + where(f.Site, f.Step, f.Rank, f.Sample, f.Place) + ": " + f.Text
}

// Is makes errors.Is(err, ErrFault) true for every fault.
func (f *Fault) Is(target error) bool { return target == ErrFault }

// Finding is what a check returns when the model or the training is bad, and
// the machine is not to blame.
type Finding struct {
	Grade string // row of the table of grades: nonfinite-loss, scale-zero …
	Site  string // where it was seen; empty: at no site
	Name  string // parameter, buffer, optimizer, metric; empty: none
	Step  int64  // None: not known
	Rank  int    // None: not known, or not distributed
	Text  string // what it means
}

// Error says what was seen and where.
func (f *Finding) Error() string {
	name := ""
	if f.Name != "" {
		name = " of " + f.Name
	}
	return "finding " + f.Grade + name + where(f.Site, f.Step, f.Rank, None, None) + ": " + f.Text
}

// Is makes errors.Is(err, ErrQuality) true for every finding.
func (f *Finding) Is(target error) bool { return target == ErrQuality }

// where names a place by what is known of it.
func where(site string, step int64, rank int, sample, place int64) string {
	var b strings.Builder
	if site != "" {
		b.WriteString(" at " + site)
	}
	for _, n := range []struct {
		name string
		n    int64
	}{{"step", step}, {"rank", int64(rank)}, {"sample", sample}, {"place", place}} {
		if n.n != None {
			fmt.Fprintf(&b, ", %s %d", n.name, n.n)
		}
	}
	return b.String()
}
