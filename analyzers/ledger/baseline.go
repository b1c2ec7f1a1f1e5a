package ledger

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// MaxBaselineDays is how long a baseline may last: a quarter to guard what was
// there when the ledger came.
const MaxBaselineDays = 90

// baselineMark begins the reason of a row that a baseline wrote.
const baselineMark = "baseline: "

// IsBaseline reports whether a row is debt from the time before the ledger.
func (r Row) IsBaseline() bool {
	return r.State == site.Exempt && strings.HasPrefix(r.Reason, baselineMark)
}
