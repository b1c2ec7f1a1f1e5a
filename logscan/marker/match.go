package marker

import "github.com/trainvet/trainvet/logscan/evidence"

// Match is one marker found in a line.
type Match struct {
	Def    *Def
	Title  string // of this match: an Xid's says what its code means; empty: that of Def
	Start  int    // in the line
	End    int
	Lines  int            // lines before this one in which the match began: 0, 1 or 2 (wrapped by a rich logger)
	Class  evidence.Class // of this match: an Xid's class comes from its code
	Scope  evidence.Scope
	Effect string
	Clears string
	Attrs  map[string]string // pid, name, code, scale, to, steps, of, device, rank ...; nil: none
	Quoted string            // why it is a quotation and no event; empty: an event
}

// Def is one row of the catalogue.
type Def struct {
	ID      string
	Class   evidence.Class
	Scope   evidence.Scope
	Effect  string // steps, data, precision, speed, completeness, value, weights
	Clears  string // process, device-reset, reboot, probe
	Origin  string // driver, runtime, python, kernel, launcher, scheduler, framework
	Goes    evidence.Continues
	Block   string            // one event prints several markers of a block
	Anchors []string          // one of them stands in every line that matches, in any case; at least 8 bytes
	Pattern string            // s:literal (any case) or re:RE2 expression or code:name
	Attrs   map[string]string // attributes that every match carries: steps=1
	Runtime string
	Title   string   // what it is, for people
	Code    string   // meaning code: row of meanings.tsv
	Meaning string   // what it means for a number
	Remedy  []string // in the order to try
	Source  string   // where the fact comes from

	test      matcher
	lineStart bool // the pattern begins with ^
}

// Context is what is known of a line beside its text.
type Context struct {
	Kernel   bool // from a kernel ring buffer: no prose there, so no quotations
	Bar      bool // a record of a progress bar: its start is the bar's label
	Prefixed bool // it had a stamp, level or rank of its own: it continues no line before it
	Document bool // documentation: inside a Markdown fence, a .md file, a notebook's text cell
}
