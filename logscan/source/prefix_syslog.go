package source

import "bytes"

// priority reads the kernel's <3> before a dmesg or syslog stamp, and what
// stands behind one by RFC 5424.
func (r *prefixReader) priority(b []byte) ([]byte, bool) {
	c := cursor{b: b}
	c.i++
	n, ok := c.digits(1, 3)
	if !ok || n > 191 || !c.byte('>') || c.end() {
		return b, false
	}
	if t := c; t.text("1 ") {
		if rest, ok := r.syslog(t.rest()); ok {
			return rest, true
		}
	}
	if c.peek() != '[' && !isLetter(c.peek()) && !isDigit(c.peek()) {
		return b, false
	}
	r.p.Kernel = r.p.Kernel || c.peek() == '['
	return c.rest(), true
}

// syslog reads the stamp, host, program, pid, message id and structured data of
// RFC 5424, each of which may be "-".
func (r *prefixReader) syslog(b []byte) ([]byte, bool) {
	c := cursor{b: b}
	var s stamp
	if !c.date(&s, false, false) || !c.byte(' ') {
		return nil, false
	}
	var words [4][]byte // host, program, pid, message id
	rest := c.rest()
	for i := range words {
		n := tokenLen(rest)
		if n == 0 || n == len(rest) {
			return nil, false
		}
		if words[i] = rest[:n]; n == 1 && rest[0] == '-' {
			words[i] = nil
		}
		rest = rest[n+1:]
	}
	rest, ok := structuredData(rest)
	if !ok {
		return nil, false
	}
	r.st.put(&s, &r.p)
	host, program, pid := words[0], words[1], words[2]
	if len(host) > 0 {
		r.p.Host = r.name(host)
	}
	if len(program) > 0 {
		r.p.Logger = r.name(program)
	}
	if p := (cursor{b: pid}); len(pid) > 0 {
		if n, ok := p.digits(1, 9); ok && p.end() {
			r.p.Pid = n
			r.printer(host, pid, pidOf(program))
		}
	}
	r.p.Kernel, r.head = r.p.Logger == "kernel", false
	return bytes.TrimPrefix(rest, utf8BOM), true
}

// structuredData reads "-" or [id name="value"] groups, and the blank behind.
func structuredData(b []byte) ([]byte, bool) {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	} else {
		for len(b) > 0 && b[0] == '[' {
			end := dataEnd(b)
			if end < 0 {
				return nil, false
			}
			b = b[end+1:]
		}
	}
	return skipOne(b), len(b) == 0 || isBlank(b[0])
}

// dataEnd finds the bracket that closes a group: those in values are escaped.
func dataEnd(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case ']':
			return i
		}
	}
	return -1
}
