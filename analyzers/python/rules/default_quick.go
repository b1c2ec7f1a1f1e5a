package rules

import "bytes"

// near is how many lines from a default its metric may be named.
const near = 3

// defaultsMetric reports whether a default, or a test for NaN, stands within a
// few lines of what may be the name of a metric. It searches for the defaults,
// which are rare, and looks for a metric only around each.
func defaultsMetric(g *Glance) bool {
	text := g.Text
	return g.Says(".get(") && eachOf(text, ".get(", func(at int) bool { return getsMetric(text, at) }) ||
		g.Says("isnan(") && eachOf(text, "isnan(", func(at int) bool { return nearMetric(text, at) }) ||
		g.Says("nan_to_num(") && eachOf(text, "nan_to_num(", func(at int) bool { return nearMetric(text, at) }) ||
		eachOf(text, "else ", func(at int) bool { return dividesElse(text, at) }) ||
		(g.Says("max(1,") || g.Says(", 1)")) && eachOf(text, "max(", func(at int) bool { return dividedBy(text, at) && nearMetric(text, at) })
}

// eachOf asks about each place where a word stands, until one is it.
func eachOf(text []byte, word string, is func(at int) bool) bool {
	for at := 0; ; at += len(word) {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			return false
		}
		if at += i; is(at) {
			return true
		}
	}
}

func nearMetric(text []byte, at int) bool { return containsAny(around(text, at, near), metricWords) }

// getsMetric reports whether a get() may give the value of a metric, or else a
// number: x.get("loss", 0).
func getsMetric(text []byte, at int) bool {
	i := nextToken(text, at+len(".get("))
	start := i
	for i < len(text) && i < start+3 && isChain(text[i]) {
		i++ // r"..."
	}
	if i >= len(text) {
		return false
	}
	switch quote := text[i]; quote {
	case '"', '\'':
		n := bytes.IndexByte(text[i+1:], quote)
		if n <= 0 { // three quotes, or none
			return nearMetric(text, at)
		}
		end := nextToken(text, i+n+2)
		if end >= len(text) {
			return false
		}
		switch text[end] {
		case ',':
			v := nextToken(text, end+1)
			return v < len(text) && (text[v] >= '0' && text[v] <= '9' || bytes.IndexByte([]byte(".(#\\"), text[v]) >= 0) &&
				containsAny(bytes.ToLower(text[i:i+n+1]), metricWords)
		case '"', '\'', '#', '\\', ')': // of several parts; in brackets
			return nearMetric(text, at)
		}
		return false // computed, or without a default
	case '(', '#', '\\':
		return nearMetric(text, at)
	}
	return false
}

// dividesElse reports whether a division may be a number where it cannot be
// done: a / b if b else 0.
func dividesElse(text []byte, at int) bool {
	v := at + len("else ")
	if v >= len(text) || text[v] != '.' && text[v] != '0' && text[v] != '1' {
		return false
	}
	window := around(text, at, near)
	return bytes.IndexByte(window, '/') >= 0 && containsAny(window, metricWords)
}

// dividedBy reports whether a call is what something is divided by.
func dividedBy(text []byte, at int) bool {
	i := at
	for i > 0 && bytes.IndexByte([]byte(" \t\n\r\\("), text[i-1]) >= 0 {
		i--
	}
	return i > 0 && text[i-1] == '/'
}

// nextToken skips blanks and line ends.
func nextToken(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}
