package source

import (
	"time"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Style is what a source's lines have in common and a single line cannot
// prove. The zero Style reads what is unambiguous.
type Style struct {
	Label    Label          // the label in front of every line
	Journal  bool           // lines are "stamp host program: text"
	DayFirst bool           // 13/01/2026
	Year     int            // of stamps that name none; 0: not known
	TZ       *time.Location // of stamps without a zone; nil: UTC
}

// Label is a mark in front of every line that on one line alone could be text.
type Label string

// The labels.
const (
	NoLabel     Label = ""
	RankColon   Label = "rank-colon"   // srun -l: " 12: text"
	RankBracket Label = "rank-bracket" // mpiexec -l: "[12] text"
	LineNumber  Label = "line-number"  // copies from the web, cat -n, grep -n
	HostColon   Label = "host-colon"   // pdsh, DeepSpeed over several nodes: "node1: text"
	Compose     Label = "compose"      // docker compose: "trainer-1  | text"
	Quote       Label = "quote"        // a pasted log: "> text"
	Tabs        Label = "tabs"         // gh run view --log: "job\tstep\tstamp text"
)

// label takes the source's label off.
func (r *prefixReader) label(b []byte) ([]byte, bool) {
	switch r.st.Label {
	case RankColon, RankBracket:
		n, rest, ok := numberLabel(b)
		if ok {
			r.p.Rank = n
		}
		return rest, ok
	case LineNumber:
		_, rest, ok := numberLabel(b)
		return rest, ok
	case HostColon:
		name, rest, ok := hostLabel(b)
		if ok {
			r.p.Host = r.name(name)
			r.printer(name, nil, evidence.HostPid)
		}
		return rest, ok
	case Compose:
		name, rest, ok := composeLabel(b)
		if ok {
			r.p.Host = r.name(name)
			r.printer(name, nil, evidence.OwnPid)
		}
		return rest, ok
	case Quote:
		if hasText(b, ">") {
			return skipOne(b[1:]), true
		}
	case Tabs:
		return tabsLabel(b)
	}
	return b, false
}

// numberLabel reads "12: ", " 12: ", "[12] " and "12\t".
func numberLabel(b []byte) (n int, rest []byte, ok bool) {
	c := cursor{b: b}
	c.blanks()
	bracket := c.byte('[')
	n, ok = c.digits(1, 7)
	if !ok {
		return 0, b, false
	}
	switch {
	case bracket:
		ok = c.byte(']')
	case c.peek() == '\t':
	default:
		ok = c.byte(':')
	}
	if !ok || !c.end() && !isBlank(c.peek()) {
		return 0, b, false
	}
	return n, skipOne(c.rest()), true
}

// hostLabel reads "node1: " and "10.0.0.1: ".
func hostLabel(b []byte) (name, rest []byte, ok bool) {
	n := wordLen(b)
	if n < 2 || n+1 >= len(b) || b[n] != ':' || b[n+1] != ' ' || !isHostName(b[:n]) {
		return nil, b, false
	}
	return b[:n], b[n+2:], true
}

// isHostName says whether a name has a number as the nodes of a cluster have,
// with a separator or an address' shape: "layer3" is none.
func isHostName(w []byte) bool {
	digits, seps := 0, 0
	for _, c := range w {
		switch {
		case isDigit(c):
			digits++
		case c == '-' || c == '.':
			seps++
		case c == '/' || c == '_':
			return false
		}
	}
	if digits == 0 {
		return false
	}
	return seps > 0 || hasText(w, "node") || hasText(w, "host") || hasText(w, "gpu") || hasText(w, "worker") ||
		hasText(w, "compute") || hasText(w, "dgx") || hasText(w, "nid")
}

// composeLabel reads "trainer-1  | ".
func composeLabel(b []byte) (name, rest []byte, ok bool) {
	n := wordLen(b)
	if n < 3 || !isDigit(b[n-1]) || !isLetter(b[0]) {
		return nil, b, false
	}
	i := n - 1
	for i > 0 && isDigit(b[i]) {
		i--
	}
	x := trimLeft(b[n:])
	if b[i] != '-' && b[i] != '_' || len(x) == len(b[n:]) || !hasText(x, "|") {
		return nil, b, false
	}
	return b[:n], skipOne(x[1:]), true
}

// tabsLabel reads "job\tstep\t" before a stamp.
func tabsLabel(b []byte) ([]byte, bool) {
	tabs := 0
	for i := 0; i < len(b) && i < 200; i++ {
		if b[i] != '\t' {
			continue
		}
		if tabs++; tabs < 2 {
			continue
		}
		rest := b[i+1:]
		if hasText(rest, string(utf8BOM)) {
			rest = rest[len(utf8BOM):]
		}
		c := cursor{b: rest}
		var s stamp
		return rest, c.date(&s, false, false)
	}
	return b, false
}
