package marker

import (
	"bytes"
	"regexp/syntax"
)

// Some anchors stand in every line of a healthy log ("skipped iterations: 0"),
// and an expression with wide gaps takes a hundred times as long as a search for
// a literal. So before an expression is run, the text is looked through for the
// literals that it cannot match without, in their order.

const (
	minNeed  = 3  // shorter literals stand everywhere
	maxNeeds = 64 // literals of which one is needed
	maxPaths = 16 // alternatives followed each on its own
)

// needs is, for each alternative of an expression, what must follow one another:
// of each list one literal (lower case). An expression matches no text that
// holds none of its alternatives.
type needs [][][]need

// need is a literal and the places of its grams in a gramSet.
type need struct {
	text  string
	grams []uint16
}

// needsOf derives them; an expression that does not parse, or has an alternative
// without any, needs nothing.
func needsOf(expr string) needs {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	var n needs
	for _, lists := range paths(path{run: []string{""}}, []*syntax.Regexp{re}) {
		if len(lists) == 0 {
			return nil
		}
		n = append(n, needLists(lists))
	}
	return n
}

func needLists(lists [][]string) [][]need {
	out := make([][]need, len(lists))
	for i, list := range lists {
		for _, s := range list {
			w := need{text: s}
			for k := 0; k+2 < len(s); k++ {
				w.grams = append(w.grams, gramPlace(s[k], s[k+1], s[k+2]))
			}
			out[i] = append(out[i], w)
		}
	}
	return out
}

// path is an alternative being followed: the lists so far, and the few strings
// that what was just read can be.
type path struct {
	lists [][]string
	run   []string
}

// flush ends the run: it becomes a list if it can tell anything.
func (p path) flush(next []string) path {
	lists := p.lists
	if useful(p.run) {
		lists = append(lists[:len(lists):len(lists)], p.run)
	}
	return path{lists: lists, run: next}
}

func useful(run []string) bool {
	if len(run) == 0 || len(run) > maxNeeds {
		return false
	}
	for _, s := range run {
		if len(s) < minNeed {
			return false
		}
	}
	return true
}

// paths follows the parts of a concatenation.
func paths(p path, parts []*syntax.Regexp) [][][]string {
	parts = flat(nil, parts)
	for i, part := range parts {
		own := exact(part)
		if next := cross(p.run, own); next != nil && len(next) <= maxNeeds {
			p.run = next
			continue
		}
		if own != nil {
			p = p.flush(own)
			continue
		}
		if p = p.flush([]string{""}); part.Op == syntax.OpAlternate {
			if out := forked(p, part.Sub, parts[i+1:]); len(out) <= maxPaths {
				return out
			}
			if any := oneOf(part.Sub); useful(any) {
				p.lists = append(p.lists[:len(p.lists):len(p.lists)], any)
			}
		} else if part.Op == syntax.OpPlus || part.Op == syntax.OpRepeat && part.Min > 0 {
			if any := oneOf(part.Sub); useful(any) {
				p.lists = append(p.lists[:len(p.lists):len(p.lists)], any)
			}
		}
	}
	return [][][]string{p.flush(nil).lists}
}

func forked(p path, branches, rest []*syntax.Regexp) [][][]string {
	var out [][][]string
	for _, b := range branches {
		out = append(out, paths(p, append([]*syntax.Regexp{b}, rest...))...)
		if len(out) > maxPaths {
			break
		}
	}
	return out
}

// oneOf is literals of which one stands in whatever any of the branches match.
func oneOf(branches []*syntax.Regexp) []string {
	var out []string
	for _, b := range branches {
		for _, lists := range paths(path{run: []string{""}}, []*syntax.Regexp{b}) {
			if len(lists) == 0 {
				return nil
			}
			out = append(out, lists[0]...)
		}
	}
	return out
}

// shortLine is how much of a line is brought to lower case on the stack.
const shortLine = 2 << 10

// hold reports whether the text may match.
func (n needs) hold(text []byte) bool {
	if len(n) == 0 {
		return true
	}
	var room [shortLine]byte
	low := room[:0]
	for _, b := range text {
		low = append(low, lowerByte(b))
	}
	var grams gramSet
	grams.fill(low)
	for _, lists := range n {
		if grams.mayHold(lists) && inOrder(low, lists, &grams) {
			return true
		}
	}
	return false
}

// gramSet is the set of all three bytes in a row of a text, hashed: most
// literals are ruled out by it without a search.
type gramSet [gramBits / 64]uint64

const gramBits = 1 << 13

func gramPlace(a, b, c byte) uint16 {
	return uint16((uint32(a)|uint32(b)<<8|uint32(c)<<16)*2654435761>>16) % gramBits
}

func (g *gramSet) fill(text []byte) {
	for i := 2; i < len(text); i++ {
		p := gramPlace(text[i-2], text[i-1], text[i])
		g[p/64] |= 1 << (p % 64)
	}
}

func (g *gramSet) has(w *need) bool {
	for i := len(w.grams) - 1; i >= 0; i-- { // beginnings are shared, ends tell
		if p := w.grams[i]; g[p/64]&(1<<(p%64)) == 0 {
			return false
		}
	}
	return true
}

func (g *gramSet) mayHold(lists [][]need) bool {
	for _, list := range lists {
		found := false
		for i := 0; i < len(list) && !found; i++ {
			found = g.has(&list[i])
		}
		if !found {
			return false
		}
	}
	return true
}

// inOrder takes of each list what ends first: if that leads nowhere, nothing does.
func inOrder(text []byte, lists [][]need, g *gramSet) bool {
	for _, list := range lists {
		end := -1
		for k := range list {
			w := &list[k]
			limit := len(text)
			if end >= 0 {
				limit = end - 1
			}
			if !g.has(w) {
				continue
			}
			if i := bytes.Index(text[:limit], []byte(w.text)); i >= 0 {
				end = i + len(w.text)
			}
		}
		if end < 0 {
			return false
		}
		text = text[end:]
	}
	return true
}
