package marker

import "bytes"

// A logger or terminal may have wrapped a line of at least wrapWidth, and cuts no
// later than at maxWidth: a longer line before was not wrapped, unless it is long
// for the bars that the text was glued to.
const (
	wrapWidth = 50
	maxWidth  = 240
)

// continues reports whether line may be the rest of the lines before it: it has
// no stamp of its own and is no bar, and it is indented (as rich pads
// continuation lines), or it goes on with a letter and the line before is long
// enough to have been cut at the window's edge.
func continues(line, prev []byte, ctx Context) bool {
	if len(prev) == 0 || ctx.Prefixed || ctx.Bar || len(prev) > maxLine {
		return false
	}
	in, before := indent(line), lastLine(prev)
	width := len(before)
	if in == len(line) || width > maxWidth && !bytes.Contains(before, barMark) {
		return false
	}
	return in >= 2 || isLetter(line[in]) && width >= wrapWidth
}

// barMark stands in every bar that tells its percentage.
var barMark = []byte("%|")

func lastLine(text []byte) []byte { return text[bytes.LastIndexByte(text, '\n')+1:] }

func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// matchWrapped finds the markers that begin in the lines before and end in this
// one. Rows that match the line itself are left alone.
func (c *Catalog) matchWrapped(line, prev []byte, inLine defSet, out []Match, ctx Context) []Match {
	var room [fixedSet]uint64
	set := defSet(room[:])
	if c.sieve.words > fixedSet {
		set = make(defSet, c.sieve.words)
	}
	copy(set, inLine)
	if c.sieve.fill(prev, set) < 0 && inLine.next(0) < 0 && !c.mayCross(line, prev) {
		return out
	}
	j := join(line, prev)
	c.sieve.fill(j.text, set) // an anchor may itself be cut in two
	for i := set.next(0); i >= 0; i = set.next(i + 1) {
		d := c.defs[i]
		if matched(out, d) {
			continue
		}
		for _, m := range d.test.find(j.text, d, nil) {
			if m.Start >= j.at || m.End <= j.at {
				continue
			}
			m.Quoted = c.quotes.why(j.text, nil, m, ctx)
			m.Lines = j.linesBefore(m.Start)
			m.Start, m.End = 0, min(len(line), m.End-j.at+j.lead)
			out = append(out, m)
		}
	}
	return out
}

// mayCross looks for an anchor over the border between the lines, without
// building the joined text.
func (c *Catalog) mayCross(line, prev []byte) bool {
	const edge = 48
	var room [2*edge + 1]byte
	b := withoutPlace(bytes.TrimSpace(lastLine(prev)))
	b = b[max(0, len(b)-edge):]
	n := copy(room[:], b)
	room[n] = ' '
	n++
	b = bytes.TrimSpace(line)
	n += copy(room[n:], b[:min(len(b), edge)])
	var set [fixedSet]uint64
	if c.sieve.words > fixedSet {
		return c.sieve.fill(room[:n], make(defSet, c.sieve.words)) >= 0
	}
	return c.sieve.fill(room[:n], set[:]) >= 0
}

func matched(out []Match, d *Def) bool {
	for i := range out {
		if out[i].Def == d {
			return true
		}
	}
	return false
}

// joined is a line behind the ones that it continues, one blank between them.
type joined struct {
	text   []byte
	at     int   // where the line begins
	lead   int   // blanks that were cut off the line
	starts []int // where each line before begins
}

func join(line, prev []byte) joined {
	var j joined
	for _, p := range bytes.Split(prev, []byte{'\n'}) {
		j.starts = append(j.starts, len(j.text))
		j.text = append(append(j.text, withoutPlace(bytes.TrimSpace(p))...), ' ')
	}
	j.at, j.lead = len(j.text), indent(line)
	j.text = append(j.text, bytes.TrimSpace(line)...)
	return j
}

// withoutPlace cuts off the column at the right in which rich names the file and
// the line of a log call ("   train.py:91"): it stands between the parts of a message.
func withoutPlace(line []byte) []byte {
	rest := bytes.TrimRight(line, "0123456789")
	gap := bytes.LastIndexByte(rest, ' ')
	if len(rest) == len(line) || gap < 1 || rest[gap-1] != ' ' || !bytes.HasSuffix(rest, []byte(".py:")) {
		return line
	}
	return bytes.TrimRight(rest[:gap], " ")
}

// linesBefore counts the lines from the place to the joined line.
func (j joined) linesBefore(place int) int {
	n := 0
	for _, s := range j.starts {
		if place >= s {
			n++
		}
	}
	return len(j.starts) - n + 1
}
