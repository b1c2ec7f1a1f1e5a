package source

import (
	"bytes"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// dated reads a prefix that starts with a digit: a date with its clock, or a
// clock alone when a level follows (otherwise it could be a duration).
func (r *prefixReader) dated(b []byte) ([]byte, bool) {
	c := cursor{b: b}
	var s stamp
	if c.date(&s, r.st.DayFirst, false) {
		if next := c.peek(); isDigit(next) || isLetter(next) || next == '.' || next == '/' || next == '-' {
			return b, false
		}
		if c.peek() == ',' || c.peek() == ';' { // a row of a table
			return b, false
		}
		r.st.put(&s, &r.p)
		r.head = true
		return r.afterStamp(c.rest())
	}
	if len(b) < 12 || b[2] != ':' || b[5] != ':' {
		return b, false
	}
	c = cursor{b: b}
	if !c.clock(&s) || !leadsToLevel(c.rest()) {
		return b, false
	}
	r.head = true
	return r.afterStamp(c.rest())
}

// leadsToLevel says whether a level follows behind separators.
func leadsToLevel(b []byte) bool {
	for len(b) > 0 && (isBlank(b[0]) || b[0] == '-' || b[0] == '|' || b[0] == '[') {
		b = b[1:]
	}
	n, _ := levelAt(b)
	return n > 0
}

// afterStamp reads what belongs to a stamp: separators, level and logger in
// their many orders, a container runtime's stream, a journal's host and
// program.
func (r *prefixReader) afterStamp(b []byte) ([]byte, bool) {
	switch {
	case len(b) == 0:
		return b, true
	case b[0] == ':':
		return skipOne(b[1:]), true
	case hasText(b, " - "):
		return r.dashes(b[3:])
	case hasText(b, " | "):
		return r.pipes(b[3:])
	case hasText(b, " >> "):
		return b[4:], true
	case !isBlank(b[0]):
		return b, true
	}
	// The forms are called by name: a reader that is called through values is
	// allocated for every record.
	x := b[1:]
	rest, ok := r.container(x)
	if !ok {
		rest, ok = r.unified(x)
	}
	if !ok {
		rest, ok = r.journal(x)
	}
	if !ok {
		rest, ok = r.program(x)
	}
	if !ok {
		rest, ok = r.levelBehind(x)
	}
	if !ok {
		rest, ok = r.namedLevel(x)
	}
	if !ok {
		rest, ok = r.located(x)
	}
	if !ok {
		return x, true
	}
	return rest, true
}

func hasText(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

// located reads "module:function:12 - ".
func (r *prefixReader) located(b []byte) ([]byte, bool) {
	w := tokenLen(b)
	if w == 0 || !hasText(b[w:], " - ") || !isLoggerName(b[:w]) || !isDigit(b[w-1]) {
		return nil, false
	}
	r.p.Logger = r.name(b[:w])
	return b[w+3:], true
}

// container reads "stderr F " of the Kubernetes container runtime interface.
func (r *prefixReader) container(b []byte) ([]byte, bool) {
	stream := ""
	switch {
	case hasText(b, "stdout "):
		stream = "out"
	case hasText(b, "stderr "):
		stream = "err"
	default:
		return nil, false
	}
	if len(b) < 8 || b[7] != 'F' && b[7] != 'P' || len(b) > 8 && b[8] != ' ' {
		return nil, false
	}
	r.p.Stream, r.p.Partial = stream, b[7] == 'P'
	r.head = false // the text is a line of its own
	return b[min(9, len(b)):], true
}

// journal reads "node1 kernel: " and "node1 python3[12]: ". A program without
// a pid is believed only in a source that is a journal: two words before a
// colon are text anywhere else.
func (r *prefixReader) journal(b []byte) ([]byte, bool) {
	host := wordLen(b)
	if host == 0 || host+2 >= len(b) || b[host] != ' ' {
		return nil, false
	}
	x := b[host+1:]
	prog := wordLen(x)
	if prog == 0 || prog+1 >= len(x) {
		return nil, false
	}
	c := cursor{b: x, i: prog}
	if pid, ok := c.pid(); ok {
		r.p.Pid = pid
		r.printer(b[:host], decimal(x[prog+1:]), pidOf(x[:prog]))
	} else if !hasText(x, "kernel: ") && !r.st.Journal {
		return nil, false
	}
	if !c.byte(':') || !c.byte(' ') && !c.end() {
		return nil, false
	}
	r.p.Host, r.p.Logger = r.name(b[:host]), r.name(x[:prog])
	r.p.Kernel = r.p.Logger == "kernel"
	r.head = false
	return c.rest(), true
}

// pid reads [123] or [123:456].
func (c *cursor) pid() (int, bool) {
	t := *c
	if !t.byte('[') {
		return 0, false
	}
	n, ok := t.digits(1, 9)
	if !ok {
		return 0, false
	}
	if t.byte(':') {
		for !t.end() && (isDigit(t.peek()) || isLetter(t.peek())) {
			t.i++
		}
	}
	if !t.byte(']') {
		return 0, false
	}
	*c = t
	return n, true
}

// pidOf tells whose number stands behind a program. What the kernel calls by the
// same name has it from the kernel; a collector (dockerd, logger) gives its own.
func pidOf(program []byte) evidence.PidKind {
	if hasText(program, "python") || hasText(program, "Python") {
		return evidence.HostPid
	}
	return evidence.OwnPid
}

// decimal is the digits that b starts with.
func decimal(b []byte) []byte {
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return b[:n]
}

// program reads "python3[501:1234] ", as NSLog writes it, and "python3[12]: ".
func (r *prefixReader) program(b []byte) ([]byte, bool) {
	if len(b) > 3 && isLetter(b[0]) && isLetter(b[1]) && b[2] == ' ' { // compact unified log
		if level := unifiedLevel(b[:2]); level != 0 {
			r.p.Level = level
			b = b[3:]
		}
	}
	n := wordLen(b)
	c := cursor{b: b, i: n}
	if n == 0 {
		return nil, false
	}
	pid, ok := c.pid()
	if !ok {
		return nil, false
	}
	c.byte(':')
	if !c.byte(' ') {
		return nil, false
	}
	r.p.Pid, r.p.Logger, r.head = pid, r.name(b[:n]), false
	r.printer(nil, decimal(b[n+1:]), pidOf(b[:n]))
	return library(c.rest()), true
}

// unified reads the thread, type, activity, pid, time to live and process of
// macOS' unified log: 0x1a2b Default 0x0 501 0 python3: (Metal) text.
func (r *prefixReader) unified(b []byte) ([]byte, bool) {
	c := cursor{b: b}
	if !c.hex() || !c.blanks() {
		return nil, false
	}
	from := c.i
	for isLetter(c.peek()) {
		c.i++
	}
	level := unifiedLevel(b[from:c.i])
	if level == 0 || !c.blanks() || !c.hex() || !c.blanks() {
		return nil, false
	}
	pid, ok := c.digits(1, 9)
	if !ok || !c.blanks() {
		return nil, false
	}
	if _, ok := c.digits(1, 9); !ok || !c.blanks() {
		return nil, false
	}
	n := wordLen(c.rest())
	name := c.rest()[:n]
	c.i += n
	if n == 0 || !c.text(": ") {
		return nil, false
	}
	r.p.Level, r.p.Pid, r.p.Logger, r.head = level, pid, r.name(name), false
	r.p.Kernel = r.p.Logger == "kernel"
	return library(c.rest()), true
}

func (c *cursor) hex() bool {
	if !c.text("0x") {
		return false
	}
	from := c.i
	for isDigit(c.peek()) || c.peek()|0x20 >= 'a' && c.peek()|0x20 <= 'f' {
		c.i++
	}
	return c.i > from
}

func unifiedLevel(w []byte) byte {
	switch string(w) {
	case "Default", "Info", "Activity", "Df", "In":
		return 'I'
	case "Debug", "Db":
		return 'D'
	case "Error", "Er":
		return 'E'
	case "Fault", "Ft":
		return 'F'
	}
	return 0
}

// library takes off "(Metal) " and "[subsystem:category] ".
func library(b []byte) []byte {
	if len(b) > 0 && b[0] == '(' {
		if end := closing(b, ')'); end > 1 && wordLen(b[1:]) == end-1 {
			b = skipOne(b[end+1:])
		}
	}
	if len(b) > 0 && b[0] == '[' {
		if end := closing(b, ']'); end > 0 && hasText(b[1:], "com.") {
			b = skipOne(b[end+1:])
		}
	}
	return b
}

// wordLen is the length of the name that b starts with.
func wordLen(b []byte) int {
	n := 0
	for n < len(b) && isName(b[n]) {
		n++
	}
	return n
}

// glog reads I0102 10:11:12.345678 140204 file.py:301] text, the form with the
// year (I20260102) and TensorFlow's with seconds since 1970 (E0000
// 00:00:1763224408.938454).
func (r *prefixReader) glog(b []byte) ([]byte, bool) {
	level := levelLetter(b[0])
	if level == 0 {
		return b, false
	}
	c := cursor{b: b, i: 1}
	var s stamp
	n, ok := c.digits(4, 8)
	if !ok || !c.byte(' ') {
		return b, false
	}
	switch {
	case n == 0 && c.text("00:00:"):
		secs, ok := c.digits(9, 11)
		if !ok {
			return b, false
		}
		s.epochSec = int64(secs)
		c.fraction(&s)
	case !c.clock(&s):
		return b, false
	default:
		s.year, s.month, s.day = n/10000, n/100%100, n%100
		if !s.valid() {
			return b, false
		}
	}
	if !c.blanks() {
		return b, false
	}
	if t := c; true {
		if pid, ok := t.digits(1, 18); ok && t.blanks() { // absl prints the address of a thread that is not the main one
			r.p.Pid = pid
			c = t
		}
	}
	rest, ok := r.fileBracket(c.rest(), isFileName)
	if !ok {
		return b, false
	}
	r.st.put(&s, &r.p)
	r.p.Level = level
	return rest, true
}

// letterFile reads W path/file.cc:38] text.
func (r *prefixReader) letterFile(b []byte) ([]byte, bool) {
	level := levelLetter(b[0])
	if level == 0 {
		return b, false
	}
	rest, ok := r.fileBracket(b[2:], isFileLine)
	if ok {
		r.p.Level = level
	}
	return rest, ok
}

// isFileName says whether b is a file, with or without a line number.
func isFileName(b []byte) bool {
	return isFileLine(b) || len(b) > 2 && wordLen(b) == len(b) && bytes.IndexByte(b, '.') > 0
}

// fileBracket reads file.cc:38] and the blank behind it.
func (r *prefixReader) fileBracket(b []byte, isFile func([]byte) bool) ([]byte, bool) {
	for i := 0; i < len(b) && i < 200; i++ {
		if b[i] == ' ' {
			break
		}
		if b[i] == ']' {
			if !isFile(b[:i]) {
				break
			}
			r.p.Logger, r.head = r.name(b[:i]), true
			return skipOne(b[i+1:]), true
		}
	}
	return b, false
}
