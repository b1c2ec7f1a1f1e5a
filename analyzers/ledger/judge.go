package ledger

import (
	"time"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Options is what Judge has to be told.
type Options struct {
	Now time.Time
	// File names the ledger in findings; empty: trainvet.ledger.
	File string
	// New reports whether a place came after a revision (--new-from): what is
	// older is debt. It is asked of findings too, with kind and place only.
	// Nil: everything counts.
	New func(site.Site) bool
	// Ran reports whether a rule looked at a file; nil: every rule of tier core did.
	Ran func(code, file string) bool
	// Langs are the languages whose front ends ran; nil: those of the units.
	// A row of another language is never stale.
	Langs []string
}

// How a site came to its row.
type How string

// The steps of the ladder. Only the first two let an exemption hold.
const (
	Same      How = "same"      // path, function, callee and shape agree
	Moved     How = "moved"     // the only one of this function, callee and shape; in another file
	Reshaped  How = "reshaped"  // the call at this place has changed
	Ambiguous How = "ambiguous" // equal calls came or went: which one the row means cannot be told
	New       How = "new"       // no row
)

// Judged is a site, or a handler that a rule complained of, with its row.
type Judged struct {
	Site  site.Site  // its state as the front end computed it
	State site.State // as it counts: exempt where an exemption holds
	Row   *Row       // nil: none
	How   How
}

// Debt is what would fail but for a baseline or --new-from.
type Debt struct {
	Code  string
	At    site.Position
	Site  string // id; empty: a finding that is about no site
	Until string // end of the baseline; empty: it is older than the revision of --new-from
}

// Judgement is what the ledger makes of a scan.
type Judgement struct {
	Findings []site.Finding // those that hold, sorted
	Sites    []Judged       // every site of the scan, in its order
	Handlers []Judged       // of the findings that a row of kind catch can exempt
	Stale    []Row          // rows proven to have no site
	Unknown  []Row          // rows without a site in a scan that proves nothing
	Debt     []Debt
}
