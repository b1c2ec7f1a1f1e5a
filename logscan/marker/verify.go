package marker

import "slices"

// Lines longer than maxLine are looked at through windows around their anchors:
// a file may be one line of many megabytes.
const (
	maxLine   = 16 << 10
	lookBack  = 1 << 10
	lookAhead = 4 << 10
)

// fixedSet is room for the sets of most catalogues on the stack.
const fixedSet = 12

// Match finds every marker in a cleaned line. prev is the one or two lines
// before it, cleaned, joined by \n; with it, a marker that a logger wrapped over
// them is found in the line in which it ends (so call Match with prev for a line
// that holds an anchor and for the two lines behind it). It does not allocate
// when nothing matches.
func (c *Catalog) Match(line, prev []byte, ctx Context) []Match {
	if len(line) > maxLine {
		return c.matchLong(line, ctx)
	}
	var room [fixedSet]uint64
	set := defSet(room[:])
	if c.sieve.words > fixedSet {
		set = make(defSet, c.sieve.words)
	}
	var out []Match
	if c.sieve.fillLine(line, set) {
		out = c.verify(line, prev, set, ctx)
	}
	if continues(line, prev, ctx) {
		out = c.matchWrapped(line, prev, set, out, ctx)
	}
	return out
}

// maxProofs is how many matches of one row in one line are told from quotations
// each on its own. That looks at all that stands before the match: for a line of
// nothing but markers it would cost the square of its length.
const maxProofs = 8

// verify tests the rows of the set on the line.
func (c *Catalog) verify(line, prev []byte, set defSet, ctx Context) []Match {
	var out []Match
	for i := set.next(0); i >= 0; i = set.next(i + 1) {
		d := c.defs[i]
		from := len(out)
		out = d.test.find(line, d, out)
		for k := from; k < len(out); k++ {
			if k-from < maxProofs {
				out[k].Quoted = c.quotes.why(line, prev, out[k], ctx)
			} else {
				out[k].Quoted = out[k-1].Quoted
			}
		}
		if !d.countsEach() {
			out = keepOne(out, from)
		}
	}
	return oncePerStep(out)
}

// countsEach: each match of these rows in one line is an event of its own.
func (d *Def) countsEach() bool { return d.Effect == "steps" || d.Block == "xid" }

// keepOne keeps the first event among the matches of one row from a place on,
// or its first quotation: one event repeats itself within a line.
func keepOne(out []Match, from int) []Match {
	if len(out) <= from+1 {
		return out
	}
	for k := from; k < len(out); k++ {
		if out[k].Quoted == "" {
			out[from] = out[k]
			break
		}
	}
	return out[:from+1]
}

// oncePerStep drops a skipped step that an earlier, more exact row counted at
// the same place.
func oncePerStep(out []Match) []Match {
	return slices.DeleteFunc(out, func(m Match) bool {
		for i := range out {
			o := &out[i]
			if o.Def == m.Def {
				return false // only rows before it
			}
			if m.Effect == "steps" && o.Effect == "steps" && m.Start < o.End && o.Start < m.End {
				return true
			}
		}
		return false
	})
}

// matchLong looks at windows around the anchors of a long line. A pattern that
// begins with ^ only holds in the window at its start.
func (c *Catalog) matchLong(line []byte, ctx Context) []Match {
	var out []Match
	done := 0
	for _, at := range c.sieve.places(line) {
		if at < done {
			continue
		}
		start := max(done, at-lookBack)
		end := min(len(line), at+lookAhead)
		set := make(defSet, c.sieve.words)
		window := line[start:end]
		c.sieve.fill(window, set)
		in := ctx
		in.Bar = ctx.Bar || start > 0 // what begins here is no line
		for _, m := range c.verify(window, nil, set, in) {
			if start > 0 && m.Def.lineStart {
				continue
			}
			m.Start, m.End = m.Start+start, m.End+start
			out = append(out, m)
		}
		done = end
	}
	return out
}
