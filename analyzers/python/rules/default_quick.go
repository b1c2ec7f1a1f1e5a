package rules

import "bytes"

// near is how many lines from a default its metric may be named.
const near = 3

// defaultPlaces are what defaults and tests for NaN are written with. What a
// max() is divided by is told by what stands before it, so that it is looked for
// with that.
var defaultPlaces = append([]string{".get(", "isnan(", "nan_to_num(", "else "}, largestPlaces...)

var largestPlaces = []string{"/max(", " max(", "(max(", "\tmax(", "\nmax(", "\rmax(", "\\max("}

// defaultsMetric reports whether a default, or a test for NaN, stands within a
// few lines of what may be the name of a metric. It looks for a metric only
// around each.
func defaultsMetric(g *Glance) bool {
	text := g.Text
	if g.Each(".get(", func(at int) bool { return getsMetric(text, at) }) ||
		g.Each("isnan(", func(at int) bool { return nearMetric(text, at) }) ||
		g.Each("nan_to_num(", func(at int) bool { return nearMetric(text, at) }) ||
		g.Each("else ", func(at int) bool { return dividesElse(text, at) }) {
		return true
	}
	if !g.Says("max(1,") && !g.Says(", 1)") {
		return false
	}
	for _, word := range largestPlaces {
		if g.Each(word, func(at int) bool { return dividedBy(text, at+1) && nearMetric(text, at+1) }) {
			return true
		}
	}
	return false
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
