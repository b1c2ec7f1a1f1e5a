package marker

import "github.com/trainvet/trainvet/logscan/evidence"

// Match is one marker found in a line.
type Match struct {
	Def    *Def
	Start  int // in the text that was matched
	End    int
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
	Effect  string // steps, data, precision, speed, completeness, value
	Clears  string // process, device-reset, reboot, probe
	Origin  string // driver, runtime, python, kernel, launcher, scheduler, framework
	Goes    evidence.Continues
	Block   string   // one event prints several markers of a block
	Anchors []string // one of them stands in every line that matches, in any case; at least 8 bytes
	Pattern string   // s:literal (any case) or re:RE2 expression or code:name
	Runtime string
	Title   string   // what it is, for people
	Meaning string   // what it means for a number
	Remedy  []string // in the order to try
	Source  string   // where the fact comes from
}
