package logscan

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/scan"
	"github.com/trainvet/trainvet/logscan/source"
)

// Reading every line of a large log costs ten times its filtering. So when the
// sources are large, each is read in two ways at once: its head, its tail and
// evenly spread windows whole, and of the rest only the records in which the
// filter finds an anchor: of a marker, of an evaluation metric, of a decision,
// or of a value that is not finite, spelled as the head spells its metrics.
// Markers, evaluations and non-finite values are thus found wherever they
// stand; the training series in between is sampled, and the evidence says so.
// With Options.All the series' own anchors enter the filter too.

const (
	wholeBytes   = 32 << 20 // sources that together hold no more are read whole
	sampleBudget = 16 << 20 // bytes read whole of larger ones, over all sources
	minSample    = 2 << 10  // of one source
	maxSample    = 256 << 10
	windowSize   = 16 << 10

	keptValues  = 2048 // rows of a training series that a source should give
	bytesAValue = 64   // at most one value in so many bytes
)

// interval is a part of a source that is read whole.
type interval struct{ from, to int64 }

// plan spreads the whole parts over a source: a quarter of the budget at the
// head, a quarter at the tail, the rest in windows.
func plan(size int64, sources int) []interval {
	budget := max(minSample, min(maxSample, sampleBudget/int64(max(1, sources))))
	edge := budget / 4
	if size <= 2*budget {
		return []interval{{0, size}}
	}
	parts := []interval{{0, edge}}
	n := (budget / 2) / windowSize
	for i := range n {
		at := edge + (size-2*edge)*(i+1)/(n+1)
		parts = append(parts, interval{at, at + windowSize})
	}
	return append(parts, interval{size - edge, size})
}

// filteredPass reads one large source.
type filteredPass struct {
	*textPass
	in    *source.Input
	from  io.ReaderAt
	parts []interval
	next  int   // first part that is not behind
	done  int64 // everything before this offset is read, or known to hold nothing
	raw   source.Line
	dense []denseAnchor
	mark  []bool // by literal: it is a marker's anchor

	behind  source.Line // of lookBehind,
	stretch []byte      // and what it reads through
}

func (e *engine) readFiltered(ctx context.Context, in *source.Input, r io.ReaderAt, size int64, p *textPass) error {
	fp := &filteredPass{textPass: p, in: in, from: r, parts: plan(size, e.huge.n)}
	if len(fp.parts) == 1 && !e.opt.All {
		return e.readWhole(ctx, in, io.NewSectionReader(r, 0, size), p)
	}
	p.c.src.Sampled = !e.opt.All
	c, err := e.compile(in, r, size, fp)
	if err != nil {
		return err
	}
	fp.mark, fp.dense = c.mark, slices.Clone(c.dense)
	for i := range fp.dense {
		fp.dense[i].every = max(1, int(size/(keptValues*bytesAValue)))
	}
	err = scan.Chunks(ctx, r, size, c.filter, fp.chunk)
	p.c.src.Bytes = size
	var short *scan.ShortReadError
	if errors.As(err, &short) {
		p.c.src.Breaks = append(p.c.src.Breaks, evidence.Break{
			At: evidence.Pos{Source: p.c.src.ID, Offset: fp.done}, Kind: "truncated", Text: "the file became shorter while it was read",
		})
		return nil
	}
	return err
}

// chunk reads what lies in one chunk, in order: whole parts and hits in between.
func (fp *filteredPass) chunk(c *scan.Chunk) error {
	end := c.Offset(c.To)
	for _, h := range c.Hits {
		at := c.Offset(h.Pos)
		fp.wholeUpTo(c, at)
		if at < fp.done {
			continue
		}
		if k := h.Literal - len(fp.mark); k >= 0 && k < len(fp.dense) {
			fp.value(c, h.Pos, &fp.dense[k])
			continue
		}
		fp.hit(c, h.Pos, fp.mark[h.Literal])
	}
	fp.wholeUpTo(c, end)
	fp.c.src.Lines = c.Line(c.To) - 1
	if c.Last && c.To > 0 && c.Data[c.To-1] != '\n' {
		fp.c.src.Lines++
	}
	return nil
}

// wholeUpTo reads the whole parts that begin before an offset of this chunk. A
// part that crosses the chunk's end is read as far as the chunk goes, and then on.
func (fp *filteredPass) wholeUpTo(c *scan.Chunk, offset int64) {
	for fp.next < len(fp.parts) {
		p := &fp.parts[fp.next]
		from := max(p.from, fp.done)
		if from >= offset && p.from >= offset {
			return
		}
		stop := min(p.to, c.Offset(c.To))
		for from < stop {
			from = fp.recordAt(c, from)
		}
		if p.to > c.Offset(c.To) {
			p.from = max(p.from, from)
			return
		}
		fp.next++
		fp.forget()
	}
}

// recordAt reads the record that begins at or holds an offset and returns where
// the next begins.
func (fp *filteredPass) recordAt(c *scan.Chunk, offset int64) int64 {
	start, end := recordAround(c.Data, int(offset-c.Base)+c.From)
	if c.Offset(start) >= fp.done {
		fp.record(c, start, end)
	}
	next := c.Offset(min(end+1, len(c.Data)))
	fp.done = max(fp.done, next)
	if next <= offset { // a record that ends where the data ends
		return offset + 1
	}
	return next
}

// hit reads the record around a hit; for a marker with the lines around it that
// tell a quotation, or over which a logger wrapped it.
func (fp *filteredPass) hit(c *scan.Chunk, pos int, marker bool) {
	start, end := recordAround(c.Data, pos)
	if c.Offset(start) < fp.done && c.Offset(pos) < fp.done {
		return
	}
	// In a storm of markers the two lines before a record have just been read: to
	// look them up again took a quarter of the time.
	if c.Offset(start) != fp.done || len(fp.prev[0]) == 0 {
		fp.forget()
		if marker {
			fp.context(c, start)
		}
	}
	fp.record(c, start, end)
	fp.done = c.Offset(min(end+1, len(c.Data)))
	if marker {
		fp.after(c, min(end+1, len(c.Data)))
		fp.lookBehind()
	}
}

// context remembers the two lines before a record that the pass did not read.
func (fp *filteredPass) context(c *scan.Chunk, start int) {
	at := start
	for i := 1; i >= 0 && at > 0; i-- {
		from, to := recordAround(c.Data, at-1)
		fp.clean = fp.in.Style.Parse(c.Data[from:to], fp.clean, &fp.raw)
		fp.prev[i] = append(fp.prev[i][:0], fp.raw.Text...)
		at = from
	}
}

// wrapped is how the lines begin over which a logger wrapped a message.
var wrapped = []byte("        ")

// after reads the two lines behind a hit: a logger may have wrapped a marker
// over them.
func (fp *filteredPass) after(c *scan.Chunk, start int) {
	for range 2 {
		if start >= c.To {
			return
		}
		_, end := recordAround(c.Data, start)
		if !bytes.HasPrefix(c.Data[start:end], wrapped) {
			return
		}
		fp.record(c, start, end)
		start = min(end+1, len(c.Data))
		fp.done = max(fp.done, c.Offset(start))
	}
}

const maxRecord = 32 << 10

// recordAround is the record around a place: up to \n or \r, or as far as a
// record may reach.
func recordAround(data []byte, pos int) (start, end int) {
	pos = min(pos, len(data))
	low, high := max(0, pos-maxRecord), min(len(data), pos+maxRecord)
	start, end = low, high
	for span := nearEnd; ; span *= 4 { // most records are short: look nearby first
		from := max(low, pos-span)
		if i := lastEnd(data[from:pos]); i >= 0 {
			start = from + i + 1
		} else if from > low {
			continue
		}
		break
	}
	for span := nearEnd; ; span *= 4 {
		to := min(high, pos+span)
		if i := firstEnd(data[pos:to]); i >= 0 {
			end = pos + i
		} else if to < high {
			continue
		}
		break
	}
	return start, end
}

const nearEnd = 256

func lastEnd(b []byte) int {
	n := bytes.LastIndexByte(b, '\n')
	return max(n, n+1+bytes.LastIndexByte(b[n+1:], '\r'))
}

func firstEnd(b []byte) int {
	n := bytes.IndexByte(b, '\n')
	if n < 0 {
		return bytes.IndexByte(b, '\r')
	}
	if r := bytes.IndexByte(b[:n], '\r'); r >= 0 {
		return r
	}
	return n
}

func (fp *filteredPass) record(c *scan.Chunk, start, end int) {
	if start >= end {
		return
	}
	l := &fp.raw
	*l = source.Line{Offset: c.Offset(start), End: c.Offset(end), No: c.Line(start)}
	l.Bar = (end < len(c.Data) && c.Data[end] == '\r' && !(end+1 < len(c.Data) && c.Data[end+1] == '\n')) ||
		(start > 0 && c.Data[start-1] == '\r')
	fp.clean = fp.in.Style.Parse(c.Data[start:end], fp.clean, l)
	fp.take(l)
}

// value is a fast path for one training value: it is parsed where it stands,
// and the whole record is read only when the table has room for it.
func (fp *filteredPass) value(c *scan.Chunk, pos int, d *denseAnchor) {
	if !d.keep(c.Data[pos+len(d.literal) : min(len(c.Data), pos+len(d.literal)+32)]) {
		return
	}
	fp.hit(c, pos, false)
}
