package unit

import (
	"os"
	"path/filepath"
	"time"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
)

// exemptByRow reports whether the ledger exempts a handler from a rule. Where
// no trainvet vet joins with the ledger, only the very same handler counts: a
// row whose handler was edited or moved waits for trainvet ledger.
func (p *Package) exemptByRow(code string, h *Handler) bool {
	key := ledger.Key{Kind: site.Handler, ID: h.ID, Shape: h.Shape}
	for _, row := range p.rows() {
		if row.Key() == key && row.Covers(code) {
			return row.Problem() == "" && !row.Expired(time.Now())
		}
	}
	return false
}

// readRows reads the ledger at a root. One that cannot be read exempts
// nothing; that it cannot be read is said by the gate.
func readRows(root string) []ledger.Row {
	name := filepath.Join(root, LedgerName)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	l, _ := ledger.Parse(name, text)
	return l.Rows
}
