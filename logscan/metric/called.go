package metric

import (
	_ "embed"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

//go:embed callers.tsv
var callersTSV string

// Called is what a metric measures that was reported by a call.
type Called struct {
	Column evidence.Column
	// Core is the name without what tells of the data and of best or final ones: a
	// log may print the value under another name of the same core.
	Core string
	// Clock: the caller's step counts the steps of the training.
	Clock bool
}

// Callers knows what values measure that were reported by a call.
type Callers struct {
	lex   *lexicon
	clock map[string]bool
	names map[[2]string]callerRow
}

// callerRow is what a caller means by a name.
type callerRow struct {
	role   evidence.Role
	window evidence.Window
}

// The caller that is the trainer's own code.
const ownCall = "trainer"

// Callers reads what is known of those that report by call.
func (c *Catalog) Callers() (*Callers, error) {
	out := &Callers{lex: &c.lex, clock: map[string]bool{}, names: map[[2]string]callerRow{}}
	err := eachRow("callers.tsv", callersTSV, 5, func(cells []string) error {
		if cells[1] == "" {
			out.clock[cells[0]] = cells[2] == "clock"
			return nil
		}
		out.names[[2]string{cells[0], cells[1]}] = callerRow{evidence.Role(cells[3]), evidence.Window(cells[4])}
		return nil
	})
	return out, err
}

// Classify says what a value measures by its name, the split that the call
// names, if any, and the caller.
func (c *Callers) Classify(name, split, caller string) Called {
	info := c.lex.classify(name)
	if split == "" {
		split = info.split
	}
	col := evidence.Column{Name: info.name, Printed: name, Role: c.role(&info, split, caller), Kind: info.kind, Split: split, Window: info.windowOr(evidence.Instant)}
	if row, ok := c.names[[2]string{caller, info.name}]; ok {
		if row.role != "" {
			col.Role = row.role
		}
		col.Window = row.window
	}
	return Called{Column: col, Core: c.Core(name), Clock: c.clock[caller]}
}

// role: what the trainer's own code reports is a metric, whatever its name; a
// logger is also told settings and sizes.
func (c *Callers) role(info *nameInfo, split Split, caller string) evidence.Role {
	if caller == ownCall && info.standing == unknown && split != SplitTrain && split != SplitTest {
		return evidence.Eval
	}
	if info.standing == rejected && caller != ownCall {
		return evidence.Diagnostic
	}
	return deriveRole(info, split, caller == ownCall)
}

// Core is a metric's name without the words for its data, best and final.
func (c *Callers) Core(name string) string {
	var info nameInfo
	return strings.Join(c.lex.strip(&info, splitWords(Normalise(name))), "_")
}
