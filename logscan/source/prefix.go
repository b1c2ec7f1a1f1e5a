package source

import "github.com/trainvet/trainvet/logscan/evidence"

// A prefix is what collectors, launchers and loggers put before the text of a
// line. They combine and repeat (a container runtime's stamp, torchrun's
// [rank0]:, Python's logging), so they are taken off one by one, outermost
// first, as long as one is recognised. Everything is hand-written over the
// bytes: this runs for every record of a log.
//
// What could as well be metric text is left alone ("12: 0.7" is srun's label or
// a counter): such prefixes are read only when a Style says that the whole
// source carries them.

// ReadPrefix takes the prefixes off a cleaned record, as far as a record alone
// can show them. rest is always a suffix of text.
func ReadPrefix(text []byte) (Prefix, []byte) {
	var s Style
	return s.Prefix(text)
}

// maxPrefixes bounds how many prefixes one line may carry.
const maxPrefixes = 10

// Prefix takes the prefixes off a cleaned record of a source of this style.
// rest is always a suffix of text. It does not allocate, except for names.
func (st *Style) Prefix(text []byte) (Prefix, []byte) {
	var r prefixReader
	rest := r.read(st, text)
	return r.p, rest
}

// read takes all prefixes off and leaves them in r.p. The reader can be used
// again, which is what keeps a pass free of allocations.
func (r *prefixReader) read(st *Style, text []byte) []byte {
	r.start(st)
	for range maxPrefixes {
		next, ok := r.step(text)
		if !ok || len(next) >= len(text) {
			break
		}
		text = next
	}
	return text
}

// runtimeOnly takes off only what a container runtime put before the text: a
// line that goes on from a cut one has no prefix of its own.
func (r *prefixReader) runtimeOnly(st *Style, text []byte) []byte {
	r.start(st)
	for range maxPrefixes {
		next, ok := r.step(text)
		if !ok || len(next) >= len(text) || r.p.Stream != "" {
			return next
		}
		text = next
	}
	return text
}

func (r *prefixReader) start(st *Style) {
	r.st, r.head, r.labelled = st, false, false
	r.p = Prefix{Rank: noRank}
}

const noRank = -1

// prefixReader is the state while the prefixes of one record are read.
type prefixReader struct {
	st    *Style
	names *names
	p     Prefix
	// head: a stamp or level was read, so that a bracketed or dotted name that
	// follows is a logger and not text.
	head bool
	// labelled: the style's own label was taken off; a line has one.
	labelled bool
}

func (r *prefixReader) name(b []byte) string { return r.names.get(b) }

// printer notes which process printed the line. A name that does not fit is none.
func (r *prefixReader) printer(host, pid []byte, kind evidence.PidKind) {
	var room [maxBracket + 8]byte
	if len(host)+len(pid)+2 > len(room) {
		return
	}
	b := append(append(room[:0], host...), kind[0])
	b = append(append(b, pid...), kind[1])
	r.p.Printer = r.name(b)
}

// names keeps one string per name, so that lines that repeat it share it.
type names struct{ m map[string]string }

// maxNames bounds it: a log that makes up names is not worth remembering.
const maxNames = 4096

func (n *names) get(b []byte) string {
	if n == nil {
		return string(b)
	}
	if s, ok := n.m[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(n.m) < maxNames {
		n.m[s] = s
	}
	return s
}

// step takes one prefix off.
func (r *prefixReader) step(b []byte) ([]byte, bool) {
	if r.st.Label != "" && !r.labelled {
		if rest, ok := r.label(b); ok {
			r.labelled = true
			return rest, true
		}
	}
	if len(b) < 4 {
		return b, false
	}
	c := b[0]
	switch {
	case c == '[':
		return r.bracket(b)
	case c == ' ' && b[1] == '[': // Megatron, and padded numbers
		return r.bracket(b[1:])
	case isDigit(c):
		return r.dated(b)
	case c == '(':
		return r.paren(b)
	case c == '<':
		return r.priority(b)
	case c == '{':
		return r.airflow(b)
	case c == '^' && b[1] == '[' && b[2] == '[': // colour as cat -v shows it
		return sgr(b[2:])
	case c >= 'A' && c <= 'Z':
		return r.capital(b)
	case c == 'k':
		return r.kernel(b)
	case c == 'r':
		return r.rankWord(b)
	}
	return b, false
}

// skipOne drops the blank that belongs to a prefix; further ones are text,
// whose indentation means something.
func skipOne(b []byte) []byte {
	if len(b) > 0 && isBlank(b[0]) {
		return b[1:]
	}
	return b
}

func trimLeft(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	return b
}

// capital reads what starts with a capital letter: glog stamps, month and day
// names, levels.
func (r *prefixReader) capital(b []byte) ([]byte, bool) {
	if isDigit(b[1]) {
		return r.glog(b)
	}
	if b[1] == ' ' {
		return r.letterFile(b)
	}
	c := cursor{b: b}
	var s stamp
	if isLetter(b[1]) && isLetter(b[2]) && c.monthFirst(&s) {
		r.st.put(&s, &r.p)
		r.head = true
		return r.afterStamp(c.rest())
	}
	return r.levelWord(b)
}

// kernel reads "kernel: ", as journals and syslog files cut of their stamps
// begin.
func (r *prefixReader) kernel(b []byte) ([]byte, bool) {
	c := cursor{b: b}
	if !c.text("kernel: ") {
		return b, false
	}
	r.p.Kernel, r.p.Logger = true, "kernel"
	return c.rest(), true
}

// rankWord reads "rank0: " and "rank 0: ".
func (r *prefixReader) rankWord(b []byte) ([]byte, bool) {
	c := cursor{b: b}
	if !c.text("rank") {
		return b, false
	}
	c.byte(' ')
	n, ok := c.digits(1, 6)
	if !ok || !c.text(": ") {
		return b, false
	}
	r.p.Rank = n
	return c.rest(), true
}

// paren reads Ray's (RayWorker pid=123, ip=10.0.0.1), SkyPilot's (worker1,
// rank=1, pid=12, ip=10.0.0.2), and behind a logger icefall's (0/4) and
// ESPnet's (trainer:754).
func (r *prefixReader) paren(b []byte) ([]byte, bool) {
	end := closing(b, ')')
	if end < 0 {
		return b, false
	}
	in, rest := b[1:end], b[end+1:]
	if pid, ok := keyNumber(in, "pid="); ok {
		r.p.Pid = pid
		if rank, ok := keyNumber(in, "rank="); ok {
			r.p.Rank = rank
		}
		ip := keyWord(in, "ip=")
		if len(ip) > 0 {
			r.p.Host = r.name(ip)
		}
		r.printer(ip, keyWord(in, "pid="), evidence.OwnPid)
		return skipOne(rest), true
	}
	if !r.head {
		return b, false
	}
	c := cursor{b: in}
	if rank, ok := c.digits(1, 5); ok && c.byte('/') && r.p.Logger != "" {
		if world, ok := c.digits(1, 5); ok && c.end() && rank < world {
			r.p.Rank = rank
			return skipOne(rest), true
		}
	}
	if isFileLine(in) {
		r.p.Logger = r.name(in)
		return skipOne(rest), true
	}
	return b, false
}

// airflow reads {file.py:12} behind a stamp.
func (r *prefixReader) airflow(b []byte) ([]byte, bool) {
	if !r.head {
		return b, false
	}
	end := closing(b, '}')
	if end < 0 || !isFileLine(b[1:end]) {
		return b, false
	}
	r.p.Logger = r.name(b[1:end])
	return skipOne(b[end+1:]), true
}

// maxBracket is how far the end of a bracketed prefix is looked for.
const maxBracket = 120

// closing finds the bracket's end; another opening bracket before it means
// that this is no prefix.
func closing(b []byte, end byte) int {
	for i := 1; i < len(b) && i < maxBracket; i++ {
		switch b[i] {
		case end:
			return i
		case b[0]:
			return -1
		}
	}
	return -1
}

// keyNumber finds key (as "pid=") at a word's start and the number behind it.
func keyNumber(b []byte, key string) (int, bool) {
	w := keyWord(b, key)
	c := cursor{b: w}
	n, ok := c.digits(1, 9)
	return n, ok && c.end()
}

func keyWord(b []byte, key string) []byte {
	for i := 0; i+len(key) < len(b); i++ {
		if string(b[i:i+len(key)]) != key || i > 0 && b[i-1] != ' ' && b[i-1] != ',' {
			continue
		}
		from := i + len(key)
		to := from
		for to < len(b) && b[to] != ',' && b[to] != ' ' {
			to++
		}
		return b[from:to]
	}
	return nil
}

// isFileLine says whether b is file.py:12, file.py:12:function or module:12.
func isFileLine(b []byte) bool {
	i := 0
	for i < len(b) && (isName(b[i]) || b[i] == '<' || b[i] == '>') {
		i++
	}
	if i == 0 || i+1 >= len(b) || b[i] != ':' || !isDigit(b[i+1]) {
		return false
	}
	for i++; i < len(b) && isDigit(b[i]); {
		i++
	}
	return i == len(b) || b[i] == ':'
}
