package logscan

import (
	"bytes"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/marker"
	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/source"
)

// textPass takes the records of one text source, one by one and in order, apart.
// It does not care how they were found: the whole source record by record, or
// those that a filter hit.
type textPass struct {
	e      *engine
	c      *collector
	reader *metric.Reader
	prev   [2][]byte // the two lines before, cleaned
	joined []byte    // room to join them
	clean  []byte    // room of a filtered pass for a record
	sample []byte    // and for what it learns from
	fence  int       // lines left of a Markdown fence; 0: outside
	storm  storm
	ranks  map[int]*int // that lines name, each once

	inTraceback bool
	report      int    // lines left of a report of ours that stands in the log
	remote      string // the process whose traceback another one prints
	emit        func(*metric.Record)
	line        *source.Line
}

func (e *engine) newTextPass(c *collector) *textPass {
	p, ok := e.passes.Get().(*textPass)
	if !ok {
		p = &textPass{}
		p.emit = func(r *metric.Record) {
			r.Rank = p.rank()
			if p.line != nil {
				r.Printer = p.line.Prefix.Printer
			}
			p.c.record(r)
		}
	}
	p.e, p.c, p.reader = e, c, e.borrowReader()
	return p
}

// release gives the pass back with nothing but its room: thousands of ranks make
// one each.
func (p *textPass) release() {
	e := p.e
	p.forget()
	*p = textPass{prev: p.prev, joined: p.joined, clean: p.clean, sample: p.sample[:0], emit: p.emit}
	e.passes.Put(p)
}

// rank is the one that the line names, where the source is not one rank's.
func (p *textPass) rank() *int {
	if p.line == nil || p.line.Prefix.Rank < 0 || p.c.src.Rank != nil {
		return nil
	}
	n := p.line.Prefix.Rank
	if p.ranks[n] == nil {
		if p.ranks == nil {
			p.ranks = map[int]*int{}
		}
		p.ranks[n] = &n
	}
	return p.ranks[n]
}

// take reads one record.
func (p *textPass) take(l *source.Line) {
	p.line = l
	p.clock(l)
	p.c.begins(l)
	p.printer(l)
	driver := p.matches(l)
	p.e.lines.line(l, p.c)
	p.tracebacks(l)
	p.c.flush.bar(l)
	if !p.ourReport(l) && !driver {
		p.reader.Line(l, p.emit)
	}
	p.remember(l)
}

// matches looks for markers. A match in the part that the piece before already
// held was found there. It reports whether the line is a driver's own.
func (p *textPass) matches(l *source.Line) (driver bool) {
	found, known := p.storm.known(l.Text)
	if !known {
		found = p.e.markers.Match(l.Text, p.before(), marker.Context{
			Kernel: l.Prefix.Kernel, Bar: l.Bar, Prefixed: l.Prefix.Time != 0 || l.Prefix.Level != 0, Document: p.fence > 0,
		})
		p.storm.learn(l.Text, found)
	}
	for i := range found {
		m := &found[i]
		if m.Lines == 0 && m.End <= l.Overlap {
			continue
		}
		p.c.match(m, l, l.Text, l.Offset+int64(m.Start))
		driver = driver || speaksOnly(m, l.Text)
	}
	return driver
}

// speaksOnly: the line is a driver's or the kernel's own from its start on, not
// glued behind a record; the numbers in it are codes.
func speaksOnly(m *marker.Match, text []byte) bool {
	origin := m.Def.Origin
	return (origin == "driver" || origin == "kernel") && m.Quoted == "" && m.Lines == 0 &&
		m.Start <= len(text) && !bytes.ContainsAny(text[:m.Start], "0123456789")
}

// tracebacks follows Python's: its head and, unindented behind it, the exception.
func (p *textPass) tracebacks(l *source.Line) {
	switch {
	case bytes.HasPrefix(l.Text, tracebackHead):
		p.inTraceback = true
		p.c.ending.head()
	case !p.inTraceback:
		p.c.perhaps(l)
		return
	case len(l.Text) == 0 || l.Text[0] == ' ':
		p.c.ending.frame(l)
		return
	default:
		p.inTraceback = false
		p.c.ending.exception(l)
	}
	p.c.traceback(evidence.Pos{Source: p.c.src.ID, Offset: l.Offset, Line: l.No, Time: l.Prefix.Time}, l.Text)
}

var tracebackHead = []byte("Traceback (most recent call last)")

func (p *textPass) before() []byte {
	if len(p.prev[0]) == 0 {
		return p.prev[1]
	}
	p.joined = append(append(p.joined[:0], p.prev[0]...), '\n')
	p.joined = append(p.joined, p.prev[1]...)
	return p.joined
}

const maxRemembered = 512

func (p *textPass) remember(l *source.Line) {
	p.fences(l)
	text := l.Text[max(0, len(l.Text)-maxRemembered):]
	p.prev[0], p.prev[1] = p.prev[1], append(p.prev[0][:0], text...)
}

// maxFence is how long a Markdown fence may be: a log that prints an odd one
// must not make quotations of everything behind it.
const maxFence = 200

// fences follows Markdown fences. A line with a stamp or level of its own is a
// log line, and ends one.
func (p *textPass) fences(l *source.Line) {
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(l.Text), []byte("```")):
		if p.fence > 0 {
			p.fence = 0
		} else {
			p.fence = maxFence
		}
	case p.fence > 0 && (l.Prefix.Time != 0 || l.Prefix.Level != 0):
		p.fence = 0
	case p.fence > 0:
		p.fence--
	}
}

// forget is called where lines in between were not read.
func (p *textPass) forget() {
	p.prev[0], p.prev[1] = p.prev[0][:0], p.prev[1][:0]
}

// clock learns the source's time stamps from the prefixes.
func (p *textPass) clock(l *source.Line) {
	if l.Prefix.Time == 0 {
		return
	}
	c := &p.c.src.Clock
	if c.Kind == "" {
		*c = evidence.Clock{Kind: l.Prefix.Clock, Zone: l.Prefix.Zone, Resolution: l.Prefix.Resolution}
	}
	if l.Prefix.NoYear || l.Prefix.Clock != c.Kind {
		c.Kind = "mixed" // stamps that do not compare
	}
	c.Zone = c.Zone && l.Prefix.Zone
	c.Resolution = max(c.Resolution, l.Prefix.Resolution)
	if p.c.lastTime > l.Prefix.Time+c.Resolution {
		c.Backward = true
	}
	p.c.lastTime = l.Prefix.Time
}

// finish flushes what the reader still holds. Neither may be used any more.
func (p *textPass) finish() {
	p.reader.Close(p.emit)
	p.e.readers.Put(p.reader)
	p.release()
}

// borrowReader gives a reader that no source uses, and that may have read others.
func (e *engine) borrowReader() *metric.Reader {
	r, ok := e.readers.Get().(*metric.Reader)
	if !ok {
		return e.metrics.NewReader()
	}
	r.Reset()
	return r
}
