package logscan

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/follow"
	"github.com/trainvet/trainvet/logscan/source"
)

// stream is a text source that is read while it grows. Its offsets are those of
// the file until the first gap, and count on from there.
type stream struct {
	live  *Live
	in    *source.Input
	c     *collector
	from  *follower
	end   context.CancelFunc
	done  chan struct{}
	gaps  int
	fault int // markers of the collector that were looked at
}

// restyleBytes is how much of a source shows how its lines look.
const restyleBytes = 16 << 10

// begin follows an input from its first byte.
func (l *Live) begin(ctx context.Context, in *source.Input) {
	f, err := follow.Open(in.Path, l.followOptions())
	if err != nil {
		return // gone between two looks
	}
	src := &evidence.Source{ID: in.ID, Kind: string(in.Kind)}
	if in.Kind == source.Empty {
		src.Kind = string(source.Console)
	}
	c := newCollector(src, l.engine.rows)
	c.knows = l.engine.metrics.Knows
	c.flush.block = l.engine.flushStretch
	ctx, end := context.WithCancel(ctx)
	s := &stream{live: l, in: in, c: c, end: end, done: make(chan struct{})}
	s.from = &follower{ctx: ctx, f: f, gap: s.gap}
	s.name(in)
	l.streams[in.ID] = s
	if why := f.Polling(); why != "" && why != "as asked" {
		c.src.Notes = append(c.src.Notes, "looked at in intervals: "+why)
	}
	go s.run()
}

const (
	// manyStreams is how many folders are watched: each takes one of the few
	// watches that the system has for a user.
	manyStreams  = 32
	manyInterval = 500 * time.Millisecond
)

// followOptions has further sources looked at in intervals.
func (l *Live) followOptions() follow.Options {
	o := l.how.Follow
	if len(l.streams) >= manyStreams {
		o.Poll, o.Interval = true, max(o.Interval, manyInterval)
	}
	return o
}

// name takes over what the set says of a source, which may change when others appear.
func (s *stream) name(in *source.Input) {
	s.c.src.Group, s.c.src.Host, s.c.src.Rank, s.c.src.Stream = in.Group, in.Host, in.Rank, in.Stream
}

// restyled: the source was begun when too little of it was there to tell how its
// lines look, and now they look otherwise.
func (s *stream) restyled(in *source.Input) bool {
	if s.in.Size >= restyleBytes || s.gaps > 0 || in.Kind == source.Empty {
		return false
	}
	changed := s.in.Kind != in.Kind && s.in.Kind != source.Empty || s.in.Style != in.Style
	s.in = in
	return changed
}

// run reads until the follower ends.
func (s *stream) run() {
	defer close(s.done)
	defer s.from.f.Close()
	l := s.live
	l.mu.Lock()
	p := l.engine.newTextPass(s.c)
	l.mu.Unlock()
	lines := source.NewLines(s.from, s.in.Style)
	// The follower ends the pass, behind what it has read: not the context.
	err := lines.Each(context.WithoutCancel(s.from.ctx), func(line *source.Line) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		p.take(line)
		s.took(line)
		return nil
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	p.finish()
	s.c.src.Lines = lines.Stats().Lines
	if err != nil {
		l.errs = append(l.errs, err)
	}
}

// took is called behind each line, under the lock.
func (s *stream) took(line *source.Line) {
	l := s.live
	l.dirty, l.written = true, time.Now()
	s.c.src.Bytes, s.c.src.Lines = line.End, line.No
	for ; s.fault < len(s.c.out.Markers); s.fault++ {
		m := &s.c.out.Markers[s.fault]
		if m.Class != evidence.Fault || m.Quoted != "" || l.faulted {
			continue
		}
		l.faulted = true
		l.tell(News{Kind: NewsFault, At: m.First, Text: m.ID + ": " + m.Text})
	}
	if l.ended == "" && l.ends(line.Text) {
		l.ended = "a line holds " + strconv.Quote(l.how.Until)
	}
}

// gap breaks the source at an offset of what was read.
func (s *stream) gap(g follow.Gap, offset int64) {
	l := s.live
	l.mu.Lock()
	defer l.mu.Unlock()
	s.gaps++
	at := evidence.Pos{Source: s.c.src.ID, Offset: offset}
	s.c.src.Breaks = append(s.c.src.Breaks, evidence.Break{At: at, Kind: "discontinuity", Text: string(g.Kind) + ": " + g.Reason})
	s.c.tracks.event(offset)
	l.dirty = true
	l.tell(News{Kind: NewsGap, At: at, Text: string(g.Kind) + ": " + g.Reason})
}

// snapshot is the evidence so far; the caller holds the lock.
func (s *stream) snapshot() evidence.Evidence {
	c := *s.c
	src := *s.c.src
	src.Breaks, src.Notes = slices.Clone(src.Breaks), slices.Clone(src.Notes)
	c.src = &src
	c.out.Markers, c.out.Boundaries = slices.Clone(c.out.Markers), slices.Clone(c.out.Boundaries)
	c.out.Decisions, c.out.Artifacts = slices.Clone(c.out.Decisions), slices.Clone(c.out.Artifacts)
	ts := *s.c.tracks
	ts.list = make([]*track, len(ts.list))
	for i, t := range s.c.tracks.list {
		copied := *t
		copied.Rows, copied.Columns = slices.Clone(t.Rows), slices.Clone(t.Columns)
		ts.list[i] = &copied
	}
	c.tracks = &ts
	return c.finish()
}

// close ends the stream behind what has been written by now.
func (s *stream) close() {
	s.end()
	<-s.done
}

// follower makes one stream of what a follow.Follower gives. A gap ends the line.
type follower struct {
	ctx    context.Context
	f      *follow.Follower
	gap    func(follow.Gap, int64)
	rest   []byte
	late   map[int][]byte // lines of older generations that are not complete
	hold   []byte         // complete ones, until the line that is being read ends
	newest int
	open   bool  // the last byte given did not end a line
	at     int64 // bytes given
}

// Read gives what is there, waits for more, and ends when its context does.
func (f *follower) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		if !f.open && len(f.hold) > 0 {
			f.rest, f.hold = f.hold, nil
			break
		}
		e, err := f.next()
		switch {
		case errors.Is(err, io.EOF) && len(f.hold) > 0:
			f.rest = []byte{'\n'} // and then what is held
		case err != nil:
			return 0, err
		default:
			f.take(e)
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	f.at += int64(n)
	f.open = n > 0 && p[n-1] != '\n'
	return n, nil
}

func (f *follower) next() (follow.Event, error) {
	e, err := f.f.Next(f.ctx)
	if f.ctx.Err() == nil || err == nil {
		return e, err
	}
	e, ok, err := f.f.Ready()
	if err == nil && !ok {
		err = io.EOF
	}
	return e, err
}

func (f *follower) take(e follow.Event) {
	switch {
	case e.Gap != nil:
		f.gap(*e.Gap, f.at)
		if e.Gap.Kind == follow.Rotated || e.Gap.Kind == follow.Replaced {
			f.newest = max(f.newest, e.Generation+1) // what comes of the old one from here on is late
		}
		if f.open {
			f.rest = []byte{'\n'}
		}
	case e.Generation < f.newest:
		f.takeLate(e)
	default:
		f.newest = e.Generation
		f.rest = e.Bytes
	}
}

// takeLate keeps what a late writer appended to a renamed file until its line is
// complete: it must not tear one of the newer file.
func (f *follower) takeLate(e follow.Event) {
	if f.late == nil {
		f.late = map[int][]byte{}
	}
	if _, told := f.late[e.Generation]; !told {
		f.gap(follow.Gap{Kind: follow.Appended, Lost: follow.NotKnown, Reason: "lines were appended to a file after it had been renamed: their order is lost"}, f.at)
	}
	data := append(f.late[e.Generation], e.Bytes...)
	end := bytes.LastIndexByte(data, '\n')
	f.hold = append(f.hold, data[:end+1]...)
	f.late[e.Generation] = slices.Clone(data[end+1:])
}
