package source

import "github.com/trainvet/trainvet/logscan/evidence"

// bracket reads a prefix that starts with '['.
func (r *prefixReader) bracket(b []byte) ([]byte, bool) {
	if rest, ok := sgr(b); ok {
		return rest, true
	}
	c := b[1]
	switch {
	case c == ' ' || isDigit(c):
		if rest, ok := r.mpirun(b); ok {
			return rest, true
		}
		if rest, ok := r.dmesg(b); ok {
			return rest, true
		}
	}
	end := closing(b, ']')
	if end < 0 {
		return b, false
	}
	in, rest := b[1:end], b[end+1:]
	switch {
	case len(in) == 0:
		return b, false
	case isDigit(c):
		return r.bracketDate(b, in, rest)
	case isLetter(c):
		if out, ok := r.bracketRank(in, rest); ok {
			return out, true
		}
		if out, ok := r.bracketLevel(in, rest); ok {
			return out, true
		}
		if out, ok := r.bracketDate(b, in, rest); ok {
			return out, true
		}
		return r.bracketName(b, in, rest)
	case c == '<' || c == '_':
		return r.bracketName(b, in, rest)
	}
	return b, false
}

// sgr takes off a colour whose escape byte a copy has lost: [0m, [1;32m. Only
// the numbers that colours have, since [30m could be minutes.
func sgr(b []byte) ([]byte, bool) {
	i := 1
	for i < len(b) && i < 12 && (isDigit(b[i]) || b[i] == ';') {
		i++
	}
	if i < 2 || i >= len(b) || b[i] != 'm' {
		return b, false
	}
	// On its own a number with m could be a duration; colour is followed by
	// another bracket or is a reset.
	rest := b[i+1:]
	reset := i == 2 && b[1] == '0'
	if !reset && (len(rest) == 0 || rest[0] != '[') {
		return b, false
	}
	return rest, true
}

// mpirun reads [1,12]<stdout>: of Open MPI, and SageMaker's
// [1,mpirank:12,algo-2]<stdout>:.
func (r *prefixReader) mpirun(b []byte) ([]byte, bool) {
	c := cursor{b: b, i: 1}
	if _, ok := c.digits(1, 9); !ok || !c.byte(',') {
		return b, false
	}
	c.blanks()
	c.text("mpirank:")
	rank, ok := c.digits(1, 7)
	if !ok {
		return b, false
	}
	if c.byte(',') {
		n := wordLen(c.rest())
		r.p.Host = r.name(c.rest()[:n])
		c.i += n
	}
	if !c.byte(']') {
		return b, false
	}
	switch {
	case c.text("<stdout>"):
		r.p.Stream = "out"
	case c.text("<stderr>"):
		r.p.Stream = "err"
	case c.text("<stddiag>"):
	default:
		return b, false
	}
	if !c.byte(':') {
		return b, false
	}
	r.p.Rank = rank
	return c.rest(), true
}

// dmesg reads [12345.678901] and [  +0.000316]: always six decimals, which a
// bracketed metric value may have too, so that what follows must be text.
func (r *prefixReader) dmesg(b []byte) ([]byte, bool) {
	c := cursor{b: b, i: 1}
	c.blanks()
	delta := c.byte('+')
	secs, ok := c.digits(1, 9)
	if !ok || !c.byte('.') {
		return b, false
	}
	micros, ok := c.digits(6, 6)
	if !ok || !c.byte(']') {
		return b, false
	}
	c.printkCaller()
	if !c.byte(' ') || c.end() || !kernelText(c.rest()) {
		return b, false
	}
	r.p.Kernel = true
	if !delta {
		r.st.put(&stamp{mono: true, monoSec: int64(secs), nsec: int64(micros) * 1000, resolution: 1000}, &r.p)
	}
	r.head = true
	return c.rest(), true
}

// printkCaller reads [   T12] or [    C0], the thread or CPU that printed.
func (c *cursor) printkCaller() {
	t := *c
	if !t.byte('[') {
		return
	}
	t.blanks()
	if !t.anyOf("TC") {
		return
	}
	if _, ok := t.digits(1, 9); ok && t.byte(']') {
		*c = t
	}
}

// kernelText says whether b can be the text of a kernel line and not the next
// number of a printed vector.
func kernelText(b []byte) bool {
	c := b[0]
	if c == '[' {
		return len(b) > 1 && isLetter(b[1])
	}
	return isLetter(c) || c == ' ' || c == '*' || c == '#' || c == '-' && len(b) > 1 && b[1] == '-'
}

// bracketRank reads [rank0]: [rank: 0] [Rank 0] [default3]: [trainer0]:.
func (r *prefixReader) bracketRank(in, rest []byte) ([]byte, bool) {
	i := 0
	for i < len(in) && isLetter(in[i]) {
		i++
	}
	if i == 0 || i == len(in) || !isRole(in[:i]) {
		return nil, false
	}
	c := cursor{b: in, i: i}
	c.byte(':')
	c.byte(' ')
	n, ok := c.digits(1, 7)
	if !ok || !c.end() {
		return nil, false
	}
	r.p.Rank = n
	if len(rest) > 0 && rest[0] == ':' {
		return rest[1:], true // torchrun adds no blank
	}
	return skipOne(rest), true
}

// isRole knows the words that launchers put before a rank.
func isRole(w []byte) bool {
	switch string(w) {
	case "rank", "Rank", "RANK", "default", "trainer", "worker", "local", "proc", "process", "task", "gpu", "GPU":
		return true
	}
	return false
}

// bracketLevel reads [INFO], [INFO|trainer.py:2134] 2026-... >>, [E102
// 10:11:12.185053341 file.cpp:632] and [E file.cpp:916].
func (r *prefixReader) bracketLevel(in, rest []byte) ([]byte, bool) {
	if rest, ok := r.nemo(in, rest); ok {
		return rest, true
	}
	n, level := levelAt(in)
	if n > 0 {
		after := trimLeft(in[n:])
		switch {
		case len(after) == 0:
		case after[0] == '|':
			if !r.pipedLevel(after[1:]) {
				return nil, false
			}
		case isDigit(after[0]) || isFileLine(after):
			r.inside(after)
		default:
			return nil, false
		}
		r.p.Level, r.head = level, true
		return r.afterLevel(rest)
	}
	if len(in) > 3 && levelLetter(in[0]) != 0 && (isDigit(in[1]) || in[1] == ' ') {
		if r.torchStamp(in) {
			return skipOne(rest), true
		}
	}
	return nil, false
}

// nemo reads [NeMo I 2026-01-02 10:11:12 file:123].
func (r *prefixReader) nemo(in, rest []byte) ([]byte, bool) {
	c := cursor{b: in}
	var s stamp
	if !c.text("NeMo ") || levelLetter(c.peek()) == 0 {
		return nil, false
	}
	level := levelLetter(c.peek())
	c.i++
	if !c.byte(' ') || !c.date(&s, false, true) {
		return nil, false
	}
	r.st.put(&s, &r.p)
	r.inside(trimLeft(c.rest()))
	r.p.Level, r.head = level, true
	return skipOne(rest), true
}

// pipedLevel reads what stands behind the bar in [INFO|...]: a file, or a
// stamp.
func (r *prefixReader) pipedLevel(b []byte) bool {
	if isFileLine(b) {
		r.p.Logger = r.name(b)
		return true
	}
	c := cursor{b: b}
	var s stamp
	if !c.date(&s, r.st.DayFirst, true) || !c.end() {
		return false
	}
	r.st.put(&s, &r.p)
	return true
}

// torchStamp reads the inside of a C++ log bracket of PyTorch: level, month
// with one or two digits, day, clock, file. Older ones have no stamp.
func (r *prefixReader) torchStamp(in []byte) bool {
	c := cursor{b: in, i: 1}
	var s stamp
	if isDigit(c.peek()) {
		n, ok := c.digits(3, 4)
		if !ok || !c.byte(' ') || !c.clock(&s) {
			return false
		}
		s.month, s.day = n/100, n%100
		if !s.valid() {
			return false
		}
	}
	if !c.byte(' ') {
		return false
	}
	file := trimLeft(c.rest())
	if t := (cursor{b: file}); len(file) > 0 && isDigit(file[0]) { // a thread id may precede
		if _, ok := t.digits(1, 9); ok && t.blanks() {
			file = t.rest()
		}
	}
	if !isFileLine(file) {
		return false
	}
	if s.month != 0 {
		r.st.put(&s, &r.p)
	}
	r.p.Level, r.p.Logger, r.head = levelLetter(in[0]), r.name(file), true
	return true
}

// bracketDate reads a stamp in brackets, with whatever else stands in them:
// [2026-01-02 10:11:12,123], [11/01 20:14:43 d2.utils.events]:, [2026-01-02
// 10:11:12 INFO   ], [Fri Jan  2 10:11:12 2026], [10:11:12].
func (r *prefixReader) bracketDate(b, in, rest []byte) ([]byte, bool) {
	c := cursor{b: in}
	var s stamp
	if !c.date(&s, r.st.DayFirst, true) {
		c, s = cursor{b: in}, stamp{}
		if !c.monthFirst(&s) {
			c, s = cursor{b: in}, stamp{clockOnly: true}
			if len(in) < 8 || in[2] != ':' || !c.clock(&s) {
				return b, false
			}
		}
	}
	if !c.end() && !isBlank(c.peek()) && c.peek() != ',' && c.peek() != '|' {
		return b, false
	}
	r.st.put(&s, &r.p)
	r.head = true
	r.inside(trimLeft(c.rest()))
	if len(rest) > 0 && rest[0] == ':' {
		rest = rest[1:]
	}
	return r.afterStamp(rest)
}

// inside reads what stands beside the stamp or level in a bracket: a level, a
// logger.
func (r *prefixReader) inside(b []byte) {
	for len(b) > 0 {
		to := 0
		for to < len(b) && !isBlank(b[to]) && b[to] != '|' && b[to] != ',' {
			to++
		}
		if n, level := levelAt(b[:to]); n > 0 && n == to {
			r.p.Level = level
		} else if to > 0 && isLetter(b[0]) {
			r.p.Logger = r.name(b[:to])
		}
		for to < len(b) && (isBlank(b[to]) || b[to] == '|' || b[to] == ',') {
			to++
		}
		b = b[to:]
	}
}

// bracketName reads [file.py:96:fn], [name] behind a stamp or level, and
// [titan] or [node01] before one.
func (r *prefixReader) bracketName(b, in, rest []byte) ([]byte, bool) {
	for _, c := range in {
		if !isName(c) && c != ':' && c != '<' && c != '>' {
			return b, false
		}
	}
	if len(in) > 4 && string(in[:4]) == "pod/" { // kubectl logs --prefix
		r.p.Host = r.name(in[4:])
		r.printer(in[4:], nil, evidence.OwnPid)
		return skipOne(rest), true
	}
	if r.head {
		if !isFileLine(in) && !r.hydra(rest) {
			return b, false
		}
		r.p.Logger = r.name(in)
		return r.afterLevel(rest)
	}
	if len(rest) < 20 || rest[0] != ' ' || !isDigit(rest[1]) {
		return b, false
	}
	t := cursor{b: rest, i: 1}
	var s stamp
	if !t.date(&s, r.st.DayFirst, false) {
		return b, false
	}
	if t.text(" (") { // ESPnet: the bracket names the host
		r.p.Host = r.name(in)
	}
	return rest[1:], true
}

// hydra says whether another bracket with a level follows at once.
func (r *prefixReader) hydra(rest []byte) bool {
	if len(rest) < 4 || rest[0] != '[' {
		return false
	}
	n, _ := levelAt(rest[1:])
	return n > 0 && n+1 < len(rest) && rest[n+1] == ']'
}
