package source

// levelAt reads a level word in any case and returns its length and letter.
func levelAt(b []byte) (int, byte) {
	n := 0
	for n < len(b) && n < 10 && isLetter(b[n]) {
		n++
	}
	if n < 1 || n < len(b) && (isDigit(b[n]) || b[n] == '_' || b[n] == '=') {
		return 0, 0
	}
	var up [10]byte
	for i := range n {
		up[i] = b[i] &^ 0x20
	}
	switch string(up[:n]) {
	case "DEBUG", "TRACE":
		return n, 'D'
	case "INFO", "NOTICE", "SUCCESS":
		return n, 'I'
	case "WARN", "WARNING":
		return n, 'W'
	case "ERROR", "EXCEPTION":
		return n, 'E'
	case "CRITICAL":
		return n, 'C'
	case "FATAL":
		return n, 'F'
	}
	return 0, 0
}

// levelLetter knows the one-letter levels of glog.
func levelLetter(c byte) byte {
	switch c {
	case 'D', 'I', 'W', 'E', 'F', 'C':
		return c
	case 'V':
		return 'D'
	}
	return 0
}

// levelWord reads a level at the start of a text: WARNING:root:text, INFO
// 01-02 10:11:12 [core.py:58] text, INFO - text. "ERROR: text" without a stamp
// before it is how programs print by hand: the level is noted and the text
// stays whole, since what it says may need the word.
func (r *prefixReader) levelWord(b []byte) ([]byte, bool) {
	if b[1]&0x20 != 0 { // written small: prose
		return b, false
	}
	n, level := levelAt(b)
	if n == 0 {
		return b, false
	}
	rest := b[n:]
	head := r.head
	r.p.Level = level
	switch {
	case len(rest) < 2:
		return b, false
	case rest[0] == ':' && isLetter(rest[1]) || hasText(rest, ":_"):
		w := wordLen(rest[1:])
		if 1+w < len(rest) && rest[1+w] == ':' {
			r.p.Logger, r.head = r.name(rest[1:1+w]), true
			return skipOne(rest[2+w:]), true
		}
		return b, false
	case hasText(rest, " - "), hasText(rest, " | "):
		r.head = true
		return r.afterLevel(rest)
	case !head && !stampOrFile(trimLeft(rest)):
		return b, false
	}
	r.head = true
	return r.afterLevel(rest)
}

// stampOrFile says whether b starts with a date and clock, or a bracketed file.
func stampOrFile(b []byte) bool {
	if len(b) > 0 && b[0] == '[' {
		end := closing(b, ']')
		return end > 0 && isFileLine(b[1:end])
	}
	c := cursor{b: b}
	var s stamp
	return len(b) > 8 && isDigit(b[0]) && c.date(&s, false, false)
}

// levelBehind reads a level right behind a stamp.
func (r *prefixReader) levelBehind(b []byte) ([]byte, bool) {
	x := trimLeft(b)
	n, level := levelAt(x)
	if n == 0 || x[0]&0x20 != 0 && !(n < len(x) && x[n] == ':') {
		return nil, false
	}
	r.p.Level = level
	rest := x[n:]
	if len(rest) > 1 && rest[0] == ':' && isLetter(rest[1]) {
		if w := wordLen(rest[1:]); 1+w < len(rest) && rest[1+w] == ':' {
			r.p.Logger = r.name(rest[1 : 1+w])
			return skipOne(rest[2+w:]), true
		}
	}
	return r.afterLevel(rest)
}

// namedLevel reads "ppdet.engine INFO: text" and "ignite.Engine INFO: text".
func (r *prefixReader) namedLevel(b []byte) ([]byte, bool) {
	w := wordLen(b)
	if w == 0 || w+2 >= len(b) || b[w] != ' ' || b[w+1]&0x20 != 0 {
		return nil, false
	}
	n, level := levelAt(b[w+1:])
	if n == 0 {
		return nil, false
	}
	rest := b[w+1+n:]
	if len(rest) == 0 || rest[0] != ':' && rest[0] != ' ' {
		return nil, false
	}
	r.p.Logger, r.p.Level = r.name(b[:w]), level
	return r.afterLevel(rest)
}

// afterLevel reads the separators behind a level, and the logger that some
// put there.
func (r *prefixReader) afterLevel(b []byte) ([]byte, bool) {
	switch {
	case len(b) == 0:
		return b, true
	case b[0] == ':':
		return skipOne(b[1:]), true
	case hasText(b, " - "):
		return r.nameBeforeDash(b[3:]), true
	case hasText(b, " | "):
		return r.nameBeforePipe(b[3:]), true
	case b[0] == '[':
		return b, true
	case !isBlank(b[0]):
		return b, true
	}
	x := trimLeft(b)
	if hasText(x, "- ") {
		return r.nameBeforeDash(x[2:]), true
	}
	if hasText(x, "| ") {
		return r.nameBeforePipe(x[2:]), true
	}
	if w := tokenLen(x); w > 0 && isFileLine(x[:w]) && hasText(x[w:], " >> ") {
		r.p.Logger = r.name(x[:w])
		return x[w+4:], true
	}
	return x, true
}

// dashes reads "name - INFO - text", "INFO - name - text", "INFO - text".
// Without a level the dash was only a separator.
func (r *prefixReader) dashes(b []byte) ([]byte, bool) {
	x := b
	for range 3 {
		w := tokenLen(x)
		if n, level := levelAt(x[:w]); n > 0 && x[0]&0x20 == 0 && (n == w || n == w-1 && x[n] == ':') {
			if len(x) != len(b) {
				r.p.Logger = r.name(b[:len(b)-len(x)-3])
			}
			r.p.Level = level
			return r.afterLevel(x[n:])
		}
		if w == 0 || !hasText(x[w:], " - ") {
			break
		}
		x = x[w+3:]
	}
	return b, true
}

// tokenLen is the length up to the next blank.
func tokenLen(b []byte) int {
	n := 0
	for n < len(b) && !isBlank(b[n]) {
		n++
	}
	return n
}

// pipes reads "INFO | train_inner | text", "INFO     | mod:fn:12 - text",
// "name | INFO | text".
func (r *prefixReader) pipes(b []byte) ([]byte, bool) {
	if n, level := levelAt(b); n > 0 && b[0]&0x20 == 0 {
		r.p.Level = level
		return r.afterLevel(b[n:])
	}
	w := wordLen(b)
	x := trimLeft(b[w:])
	if w > 0 && hasText(x, "| ") {
		if n, level := levelAt(x[2:]); n > 0 && x[2]&0x20 == 0 {
			r.p.Logger, r.p.Level = r.name(b[:w]), level
			return r.afterLevel(x[2+n:])
		}
	}
	return b, true
}

// nameBeforeDash takes off a logger's name behind a level: only what cannot be
// a word of the text, as __main__, package.module or file.py:12.
func (r *prefixReader) nameBeforeDash(b []byte) []byte {
	w := tokenLen(b)
	if w == 0 || !hasText(b[w:], " - ") || !isLoggerName(b[:w]) {
		return b
	}
	r.p.Logger = r.name(b[:w])
	return b[w+3:]
}

func isLoggerName(w []byte) bool {
	if string(w) == "root" {
		return true
	}
	inner := false
	for i, c := range w {
		if !isName(c) && c != ':' && c != '<' && c != '>' {
			return false
		}
		inner = inner || i > 0 && (c == '.' || c == ':') || i > 0 && c == '_' && w[i-1] == '_'
	}
	return inner && !isDigit(w[0]) && w[0] != '-' && w[0] != '.'
}

// nameBeforePipe takes off fairseq's logger ("train_inner | ") or loguru's
// ("mod:fn:12 - "). A number behind the bar would make the name a metric's.
func (r *prefixReader) nameBeforePipe(b []byte) []byte {
	if w := tokenLen(b); w > 0 && hasText(b[w:], " - ") && isLoggerName(b[:w]) {
		r.p.Logger = r.name(b[:w])
		return b[w+3:]
	}
	w := 0
	for w < len(b) && (isName(b[w]) || b[w] == ':') {
		w++
	}
	if w == 0 || isDigit(b[0]) || !hasText(b[w:], " | ") {
		return b
	}
	rest := b[w+3:]
	if len(rest) == 0 || isDigit(rest[0]) || rest[0] == '-' || rest[0] == '.' || rest[0] == ' ' {
		return b
	}
	r.p.Logger = r.name(b[:w])
	return rest
}
