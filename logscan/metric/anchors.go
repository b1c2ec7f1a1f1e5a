package metric

import (
	"regexp"
	"slices"
	"strings"
)

// minAnchor is the shortest literal that the chunk filter takes.
const minAnchor = 8

// EvalAnchors gives literals of which at least one stands in, or right above,
// the lines that hold evaluation and final values of the known formats and
// names: the chunk filter of huge files looks for them in any letter case,
// and the neighbourhood of each is then read. Each has 8 bytes or more.
//
// A value whose whole name is shorter and names no split ("WER: 31.20") has
// no such literal; the head and the tail of a file are to be read whole.
func (c *Catalog) EvalAnchors() []string {
	var out []string
	add := func(s string) {
		if len(s) >= minAnchor {
			out = append(out, s)
		}
	}
	for _, f := range c.formats.rows {
		if f.role != "" && f.role != "series" || f.split == SplitVal || f.split == SplitTest {
			for _, a := range f.filterAnchors() {
				add(a)
			}
		}
	}
	for _, a := range c.lex.anchors {
		add(a)
	}
	for _, split := range c.lex.befores {
		for _, head := range c.lex.heads {
			for _, join := range []string{"_", " ", "/"} {
				out = append(out, ended(split+join+head)...)
			}
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(s string) bool { return covered(out, s) })
}

// aNumber is how the expressions of formats.tsv write a value, behind its name.
const aNumber = `>-?\d[\d.]*(?:e[+-]?\d+)?|-?nan|-?inf)`

// filterAnchors is what the filter looks for to find the format. Eight bytes leave
// it no choice of grams, and it stops on each line that holds the only one ("INFO
// train" of "] train="): where a number must follow, what numbers begin with gives
// it one.
func (f *format) filterAnchors() []string {
	anchor := string(f.anchor)
	if len(anchor) != minAnchor || f.re == nil {
		return []string{anchor}
	}
	_, behind, _ := strings.Cut(f.re.String(), regexp.QuoteMeta(anchor)+"(?P<")
	if i := strings.IndexByte(behind, '>'); i < 0 || !strings.HasPrefix(behind[i:], aNumber) {
		return []string{anchor}
	}
	var out []string
	for _, c := range "0123456789-ni" {
		out = append(out, anchor+string(c))
	}
	return out
}

// ended makes a literal long enough with what may follow a name.
func ended(name string) []string {
	if len(name) >= minAnchor {
		return []string{name}
	}
	ends := []string{": ", "': ", "\": ", " 0.", "=0."}
	if len(name) == minAnchor-1 {
		ends = []string{":", "=", "'", "\"", " "}
	}
	var out []string
	for _, e := range ends {
		if len(name)+len(e) >= minAnchor {
			out = append(out, name+e)
		}
	}
	return out
}

// covered: a shorter literal of the list stands inside s, so s finds nothing more.
func covered(all []string, s string) bool {
	for i := 0; i+minAnchor <= len(s); i++ {
		for n := minAnchor; i+n <= len(s) && n < len(s); n++ {
			if _, ok := slices.BinarySearch(all, s[i:i+n]); ok {
				return true
			}
		}
	}
	return false
}
