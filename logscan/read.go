package logscan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/source"
)

// read scans one input into evidence. An error comes with what was read before it.
func (e *engine) read(ctx context.Context, in *source.Input) (evidence.Evidence, error) {
	src := &evidence.Source{
		ID: in.ID, Kind: string(in.Kind), Stream: in.Stream, Group: in.Group, Host: in.Host, Rank: in.Rank, Bytes: in.Size,
	}
	c := newCollector(src, e.rows)
	c.flush.block = e.flushStretch
	room, _ := e.rooms.Get().(*[]evidence.Row)
	if room == nil {
		room = new([]evidence.Row)
	}
	c.tracks.room = *room
	err := e.readInto(ctx, in, c)
	*room = c.tracks.fit()
	e.rooms.Put(room)
	return c.finish(), err
}

func (e *engine) readInto(ctx context.Context, in *source.Input, c *collector) error {
	r, err := in.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	switch {
	case in.Kind.Lines(), in.Kind == source.Empty: // a standard error to which nothing was written
		c.knows = e.metrics.Knows
		err = e.readText(ctx, in, r, c)
	case in.Kind == source.Notebook:
		err = e.readNotebook(ctx, in, r, c)
	default:
		err = e.readFile(ctx, in, r, c)
	}
	return c.cut(err)
}

// cut turns the end of a source that could not be read to its end into a
// break: what was there was read.
func (c *collector) cut(err error) error {
	var truncated *source.Truncated
	var corrupt *source.Corrupt
	var bomb *source.Bomb
	if !errors.As(err, &truncated) && !errors.As(err, &corrupt) && !errors.As(err, &bomb) {
		return err
	}
	c.src.Breaks = append(c.src.Breaks, evidence.Break{
		At: evidence.Pos{Source: c.src.ID, Offset: c.src.Bytes, Line: c.src.Lines}, Kind: "truncated", Text: err.Error(),
	})
	return err // named as unread too: what lies behind is not known
}

// readText reads a log, whole where that is cheap, else through the filter.
func (e *engine) readText(ctx context.Context, in *source.Input, r *source.Reader, c *collector) error {
	p := e.newTextPass(c)
	defer p.finish()
	if !e.huge.whole {
		if at, size, ok := r.Plain(); ok {
			return e.readFiltered(ctx, in, at, size, p)
		}
	}
	return e.readWhole(ctx, in, r, p)
}

func (e *engine) readWhole(ctx context.Context, in *source.Input, r io.Reader, p *textPass) error {
	lines := source.NewLines(r, in.Style)
	err := lines.Each(ctx, func(l *source.Line) error {
		p.take(l)
		return nil
	})
	st := lines.Stats()
	p.c.src.Bytes, p.c.src.Lines = st.Bytes, st.Lines
	for _, h := range st.Holes {
		p.c.src.Breaks = append(p.c.src.Breaks, evidence.Break{
			At: evidence.Pos{Source: p.c.src.ID, Offset: h.Offset}, Kind: "nul-hole",
			Text: fmt.Sprintf("%d NUL bytes: the file was truncated while it was open", h.Len),
		})
	}
	return err
}

// readFile reads a metrics file. What it holds of the run's console output is
// read as text.
func (e *engine) readFile(ctx context.Context, in *source.Input, r io.Reader, c *collector) error {
	p := e.newTextPass(c)
	defer p.finish()
	files := metric.NewFileReader(e.metrics)
	files.Console = func(t metric.ConsoleText) error { return p.console(ctx, in, &t) }
	files.Beside = in.Beside
	res, err := files.Read(ctx, string(in.Kind), in.ID, r, c.record)
	for _, b := range res.Boundaries {
		c.boundary(b)
	}
	for _, a := range res.Artifacts {
		c.artifact(a)
	}
	c.src.Breaks = append(c.src.Breaks, res.Breaks...)
	c.src.Notes = append(c.src.Notes, res.Notes...)
	c.src.Lines = res.Lines
	c.src.Bytes = max(c.src.Bytes, res.Bytes)
	if res.Clock.Kind != "" {
		c.src.Clock = res.Clock
	}
	if c.src.Host == "" {
		c.src.Host = res.Host
	}
	for _, t := range c.tracks.list {
		t.Planned = max(t.Planned, res.Planned)
	}
	return err
}

// console reads a piece of console output that a metrics file holds.
func (p *textPass) console(ctx context.Context, in *source.Input, t *metric.ConsoleText) error {
	lines := source.NewLines(strings.NewReader(t.Text), in.Style)
	return lines.Each(ctx, func(l *source.Line) error {
		l.Offset, l.End, l.No = t.Offset, t.Offset, 0
		l.Prefix.Time, l.Prefix.Clock, l.Prefix.Zone = t.Time, "wall", true
		p.take(l)
		return nil
	})
}
