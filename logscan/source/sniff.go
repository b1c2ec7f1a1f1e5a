package source

import (
	"bytes"
	"iter"
	"slices"
	"time"
)

// maxSniffLines is how many lines a style is judged on. A folder can hold ten
// thousand rank logs, each of which is sniffed.
const maxSniffLines = 120

// Sniff finds the style of a text source from its first bytes (decoded; 16 KiB
// or more serve well). A label is believed only when nearly every line carries
// it and the numbers behave as a label's, not as a counter's.
func Sniff(head []byte, opt Options) Style {
	return sniffStyle(slices.Collect(firstLines(head, maxSniffLines)), opt)
}

func sniffStyle(lines [][]byte, opt Options) Style {
	st := Style{TZ: opt.TZ}
	st.Label = sniffLabel(lines, opt)
	st.Journal = sniffJournal(lines)
	st.DayFirst = sniffDayFirst(lines)
	st.Year = sniffYear(&st, lines)
	return st
}

// firstLines cleans the first lines, one by one: most of those who ask know soon
// enough. Of a line with bars only the first is looked at. The last line is left
// out when it may be cut.
func firstLines(head []byte, most int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for n := 0; len(head) > 0 && n < most; n++ {
			line, rest, found := bytes.Cut(head, []byte{'\n'})
			if !found && n > 0 {
				return
			}
			head = rest
			if i := bytes.IndexByte(line, '\r'); i >= 0 {
				line = line[:i]
			}
			if !yield(Clean(line[:min(len(line), 512)], nil)) {
				return
			}
		}
	}
}

// tally counts the lines that a label reader accepts.
type tally struct {
	lines, hits  int
	words        map[string]bool // distinct first words behind the label
	distinct     map[string]int
	numbers      map[int]int
	last, rising int // number of the hit before; hits that are one more
	falls        int // hits that are less
}

func (t *tally) number(n int) {
	if t.numbers == nil {
		t.numbers = map[int]int{}
		t.last = n
	}
	t.numbers[n]++
	switch {
	case n == t.last+1:
		t.rising++
	case n < t.last:
		t.falls++
	}
	t.last = n
}

func (t *tally) hit(rest []byte) {
	t.hits++
	if w := firstWord(rest); len(w) > 0 && len(t.words) < 8 && !t.words[string(w)] {
		if t.words == nil {
			t.words = map[string]bool{}
		}
		t.words[string(w)] = true
	}
}

func (t *tally) name(b []byte) {
	if t.distinct == nil {
		t.distinct = map[string]int{}
	}
	t.distinct[string(b)]++
}

// firstWord is the first run of letters, if the text starts with one.
func firstWord(b []byte) []byte {
	b = trimLeft(b)
	n := 0
	for n < len(b) && isLetter(b[n]) {
		n++
	}
	return b[:n]
}

// nearly says whether almost every line carries the label and what follows is
// of several kinds, as the lines of a log are and the rows of one counter are
// not.
func (t *tally) nearly(minHits int) bool {
	return t.hits >= minHits && t.hits*10 >= t.lines*9 && len(t.words) >= 3
}

// labels tallies every kind of label at once. Nine lines in ten must carry a
// label: one that too many went without is not looked for any more, which for
// most logs is soon.
type labels struct {
	colon, bracket, tab, host, compose, quote, tabs tally

	lines  int  // that were looked at
	most   int  // that there are
	forced bool // labels with numbers are ranks, on however few lines
}

// open says that one of the labels may still turn out to be the source's.
func (l *labels) open(kinds ...*tally) bool {
	for _, t := range kinds {
		if (l.lines-t.hits)*10 <= l.most {
			return true
		}
	}
	return false
}

// add looks at a line, and says whether a further one could matter.
func (l *labels) add(line []byte) bool {
	numbers := l.forced || l.open(&l.colon, &l.bracket, &l.tab)
	host, compose := l.open(&l.host), l.open(&l.compose)
	quote, tabs := l.open(&l.quote), l.open(&l.tabs)
	l.lines++
	if numbers {
		l.number(line)
	}
	if host {
		if name, rest, ok := hostLabel(line); ok {
			l.host.name(name)
			l.host.hit(rest)
		}
	}
	if compose {
		if name, rest, ok := composeLabel(line); ok {
			l.compose.name(name)
			l.compose.hit(rest)
		}
	}
	if quote && line[0] == '>' {
		l.quote.hit(line[1:])
	}
	if tabs && bytes.IndexByte(line, '\t') > 0 {
		if rest, ok := tabsLabel(line); ok {
			l.tabs.hit(rest)
		}
	}
	return numbers || host || compose || quote || tabs
}

func (l *labels) number(line []byte) {
	if n, rest, ok := numberLabel(line); ok {
		t := &l.colon
		switch label := line[:len(line)-len(rest)]; {
		case bytes.IndexByte(label, '[') >= 0:
			t = &l.bracket
		case label[len(label)-1] == '\t':
			t = &l.tab
		}
		t.number(n)
		t.hit(rest)
	}
}

func sniffLabel(lines [][]byte, opt Options) Label {
	l := labels{most: len(lines), forced: opt.Ranks == RanksInLines}
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) > 0 && !l.add(line) {
			return NoLabel
		}
	}
	for _, t := range []*tally{&l.colon, &l.bracket, &l.tab, &l.host, &l.compose, &l.quote, &l.tabs} {
		t.lines = l.lines
	}
	switch {
	case l.colon.isRank() || l.forced && l.colon.hits > 0:
		return RankColon
	case l.bracket.isRank() || l.forced && l.bracket.hits > 0:
		return RankBracket
	case l.colon.isCount() || l.bracket.isCount() || l.tab.isCount():
		return LineNumber
	case l.host.nearly(8) && l.host.hits >= 3*len(l.host.distinct):
		return HostColon
	case l.compose.nearly(5):
		return Compose
	case l.tabs.hits >= 3 && l.tabs.hits*10 >= l.tabs.lines*9:
		return Tabs
	case l.quote.nearly(5):
		return Quote
	}
	return NoLabel
}

// isRank: small numbers that come in turns, all of 0..max (half of them in a
// short sample), each several times; or 0 alone, of a job with one task.
func (t *tally) isRank() bool {
	d := len(t.numbers)
	if d == 1 {
		return t.numbers[0] > 0 && t.nearly(10)
	}
	top := 0
	for n := range t.numbers {
		top = max(top, n)
	}
	return t.nearly(6) && top+1 <= 2*d && t.hits >= 2*d && t.falls > 0
}

// isCount: every line one more than the line before.
func (t *tally) isCount() bool {
	return t.nearly(10) && t.rising*20 >= t.hits*18 && t.falls == 0
}

func sniffJournal(lines [][]byte) bool {
	seen, hits := 0, 0
	hosts := map[string]int{}
	r := prefixReader{st: &Style{Journal: true}}
	for _, line := range lines {
		if len(line) == 0 {
			continue
		}
		if seen++; seen > 10 && hits == 0 {
			return false
		}
		c := cursor{b: line}
		var s stamp
		if !c.monthFirst(&s) {
			if c = (cursor{b: line}); !isDigit(line[0]) || !c.date(&s, false, false) {
				continue
			}
		}
		if !c.byte(' ') {
			continue
		}
		r = prefixReader{st: r.st}
		if _, ok := r.journal(c.rest()); ok && !isLevel(r.p.Host) {
			hits++
			hosts[r.p.Host]++
		}
	}
	return hits >= 3 && hits*10 >= seen*9 && len(hosts)*3 <= hits
}

// isLevel: "2026-08-01 10:00:00 INFO train: ..." is a logger's line, no journal's.
func isLevel(word string) bool {
	n, _ := levelAt([]byte(word))
	return n > 0 && n == len(word)
}

// sniffDayFirst looks for a first number that can be no month.
func sniffDayFirst(lines [][]byte) bool {
	for _, line := range lines {
		for len(line) > 0 && (line[0] == '[' || line[0] == ' ') {
			line = line[1:]
		}
		c := cursor{b: line}
		first, ok := c.digits(2, 2)
		if !ok || first <= 12 || first > 31 || !c.byte('/') {
			continue
		}
		if month, ok := c.digits(2, 2); ok && month <= 12 && c.byte('/') {
			if _, ok := c.digits(4, 4); ok {
				return true
			}
		}
	}
	return false
}

// sniffYear takes the year from the first stamp that names one.
func sniffYear(st *Style, lines [][]byte) int {
	for _, line := range lines {
		p, _ := st.Prefix(line)
		if p.Time != 0 && p.Clock == "wall" && !p.NoYear {
			return time.Unix(0, p.Time).UTC().Year()
		}
	}
	return 0
}
