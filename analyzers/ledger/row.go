package ledger

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Row is what a ledger says of one site.
type Row struct {
	Kind   site.Kind
	ID     site.ID
	Shape  site.Shape
	State  site.State
	Reason string   // of an exemption
	By     string   // who wrote it
	Until  string   // last day that it holds, as 2027-06-30; empty: without end
	Rule   string   // codes that it exempts from, sorted, comma between; empty: the site's own rule
	Tags   []string // sorted, each once; build tags or what a team likes

	Line int // in the file that it was read from; 0: from none. No part of the row
}

// Key is the identity of a row.
type Key struct {
	Kind  site.Kind
	ID    site.ID
	Shape site.Shape
}

// Key returns the identity of the row.
func (r Row) Key() Key { return Key{r.Kind, r.ID, r.Shape} }

// String writes the row as a line without its line feed.
func (r Row) String() string {
	var b strings.Builder
	b.WriteString(string(r.Kind) + " " + r.ID.String() + " @" + string(r.Shape) + " " + string(r.State))
	for _, a := range attributes {
		if text := a.get(&r); text != "" {
			b.WriteString(" " + a.key + "=" + a.write(text))
		}
	}
	return b.String()
}

// Expired reports whether an exemption's last day lies before the day of now.
func (r Row) Expired(now time.Time) bool {
	return r.Until != "" && now.Format(time.DateOnly) > r.Until
}

// Left is how many days an exemption still holds, today included; false: it has no end.
func (r Row) Left(now time.Time) (days int, ends bool) {
	if r.Until == "" {
		return 0, false
	}
	until, err := time.Parse(time.DateOnly, r.Until)
	if err != nil { // Parse lets no such row in
		return 0, true
	}
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	return max(int(until.Sub(today)/(24*time.Hour))+1, 0), true
}

// Ledger is a parsed file.
type Ledger struct {
	Comments []string // lines that start with #, but for the first
	Rows     []Row    // sorted, each key once
}

// Header is the first line of a ledger.
const Header = "# trainvet ledger v1: sorted; edit the reason, not the id"

// headerWords are what a reader needs of it; the rest may be reworded.
const headerWords = "# trainvet ledger v"

// Format writes the ledger: the same rows, the same bytes.
func (l Ledger) Format() []byte {
	lines := make([]string, 0, len(l.Rows))
	for _, r := range l.Rows {
		lines = append(lines, r.String())
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	head := append([]string{Header}, l.Comments...)
	return []byte(strings.Join(append(head, lines...), "\n") + "\n")
}

// Sort brings the rows into the order of the file.
func (l *Ledger) Sort() {
	slices.SortStableFunc(l.Rows, func(a, b Row) int { return cmp.Compare(a.String(), b.String()) })
}
