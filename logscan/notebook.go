package logscan

import (
	"context"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric/notebook"
	"github.com/trainvet/trainvet/logscan/source"
)

// maxCell is how much of one cell's output is read at a time; longer output is
// cut where a line ends.
const maxCell = 256 << 10

// cellText is the output of one stream of one cell, put together again from the
// strings in which a notebook keeps it.
type cellText struct {
	cell   int
	stream string
	text   strings.Builder
	parts  []cellPart
}

// cellPart says where a piece of the text stands in the notebook's file.
type cellPart struct {
	at     int // in the text
	offset int64
	line   int64
}

// readNotebook reads the outputs of the cells as text. A cell is no new
// process: the kernel goes on, unless a new one is proven.
func (e *engine) readNotebook(ctx context.Context, in *source.Input, r io.Reader, c *collector) error {
	p := e.newTextPass(c)
	defer p.finish()
	var text cellText
	kernel, cut := 0, int64(0)
	err := notebook.Each(r, func(o notebook.Output) error {
		if o.Kernel != kernel || text.ends(&o) {
			if err := p.cell(ctx, in, &text); err != nil {
				return err
			}
		}
		if o.Kernel != kernel {
			kernel = o.Kernel
			c.boundary(evidence.Boundary{
				At: evidence.Pos{Source: c.src.ID, Offset: o.Offset, Line: o.Line}, Kind: "restart", NewProcess: true,
				Text: fmt.Sprintf("cell %d runs in a new kernel", o.Cell+1),
			})
		}
		text.add(&o)
		if o.Cut && cut == 0 {
			cut = o.Line
		}
		return nil
	})
	if flushErr := p.cell(ctx, in, &text); err == nil {
		err = flushErr
	}
	if err == nil && cut > 0 {
		err = &cutOutput{cut}
	}
	return err
}

// cutOutput says that a notebook's outputs were not read whole.
type cutOutput struct{ line int64 }

func (e *cutOutput) Error() string {
	return fmt.Sprintf("line %d: an output is longer than 4 MiB, and its rest was not read", e.line)
}

// ends says whether an output does not go on with the text.
func (t *cellText) ends(o *notebook.Output) bool {
	return o.Cell != t.cell || o.Stream != t.stream ||
		(t.text.Len() > maxCell && strings.HasSuffix(t.text.String(), "\n"))
}

func (t *cellText) add(o *notebook.Output) {
	t.cell, t.stream = o.Cell, o.Stream
	t.parts = append(t.parts, cellPart{t.text.Len(), o.Offset, o.Line})
	t.text.WriteString(o.Text)
}

// cell reads the text and empties it. Places are those of the notebook's file.
func (p *textPass) cell(ctx context.Context, in *source.Input, t *cellText) error {
	if t.text.Len() == 0 {
		return nil
	}
	lines := source.NewLines(strings.NewReader(t.text.String()), in.Style)
	err := lines.Each(ctx, func(l *source.Line) error {
		l.Offset, l.No = t.place(l.Offset)
		l.End, _ = t.place(l.End)
		if l.Prefix.Stream == "" {
			l.Prefix.Stream = t.stream
		}
		p.take(l)
		return nil
	})
	t.text.Reset()
	t.parts = t.parts[:0]
	return err
}

// place is where a byte of the text stands in the file: within a piece the
// distance is that of the decoded text, which is never longer than the encoded.
func (t *cellText) place(at int64) (offset, line int64) {
	i := sort.Search(len(t.parts), func(i int) bool { return int64(t.parts[i].at) > at }) - 1
	part := t.parts[max(i, 0)]
	return part.offset + at - int64(part.at), part.line
}
