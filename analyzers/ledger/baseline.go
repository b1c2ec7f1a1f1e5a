package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/analyzers/site"
)

// MaxBaselineDays is how long a baseline may last: a quarter to guard what was
// there when the ledger came.
const MaxBaselineDays = 90

// baselineMark begins the reason of a row that a baseline wrote.
const (
	baselineMark   = "baseline: "
	baselineReason = baselineMark + "stood here when the ledger began"
)

// IsBaseline reports whether a row is debt from the time before the ledger.
func (r Row) IsBaseline() bool {
	return r.State == site.Exempt && strings.HasPrefix(r.Reason, baselineMark)
}

// BaselineError is a baseline that cannot be had.
type BaselineError struct{ Text string }

func (e *BaselineError) Error() string { return e.Text }

// Baseline puts on record, as debt until a day, what fails and has no row: the
// way to begin with a tree that is not guarded yet. It is written once; later
// sites are guarded or exempt by a reason of their own. The rest is as Update.
func Baseline(l *Ledger, scan *site.Scan, opt Options, until string) (Ledger, error) {
	if err := checkBaseline(l, until, opt.Now); err != nil {
		return Ledger{}, err
	}
	updated := Update(l, scan, opt)
	e := edit(&updated, scan, opt)
	for _, a := range e.all() {
		old := e.fails(a) && a.State != site.Exempt && !a.Site.Test
		if !old || a.Row != nil && !a.Row.State.Fails() || e.open(a) ||
			a.Row == nil && e.waiting[keyOf(&a.Site).group().place()] {
			continue
		}
		row := Row{Kind: a.Site.Kind, ID: a.Site.ID, Shape: a.Site.Shape, State: site.Exempt, Reason: baselineReason, Until: until}
		if a.Site.Kind == site.Handler {
			codes := complaints(scan, a)
			slices.Sort(codes)
			row.Rule = strings.Join(slices.Compact(codes), ",")
		}
		if a.Row != nil {
			row.Tags = a.Row.Tags
			e.drop(a.Row.Key())
		}
		e.put(row)
		e.pin(slices.DeleteFunc(slices.Clone(e.alike(&a.Site)), func(b *Judged) bool { _, ok := e.rows[keyOf(&b.Site)]; return ok }))
	}
	return e.ledger(), nil
}

func checkBaseline(l *Ledger, until string, now time.Time) error {
	if _, err := time.Parse(time.DateOnly, until); err != nil {
		return &BaselineError{fmt.Sprintf("%q is no day; write it as 2027-06-30", until)}
	}
	switch days, _ := (Row{Until: until}).Left(now); {
	case days == 0:
		return &BaselineError{until + " is over"}
	case days > MaxBaselineDays+1:
		return &BaselineError{fmt.Sprintf("%s is more than %d days away, which is as long as a baseline may last", until, MaxBaselineDays)}
	}
	if l == nil {
		return nil
	}
	for _, r := range l.Rows {
		if r.IsBaseline() {
			return &BaselineError{fmt.Sprintf("there is a baseline until %s already: guard its sites, or exempt them one by one", r.Until)}
		}
	}
	return nil
}
