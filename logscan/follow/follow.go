package follow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Options says how to follow. The zero value is good.
type Options struct {
	// Wait: the file need not exist yet.
	Wait bool
	// From is the offset at which to begin, for a follower that takes over. The
	// bytes before it are taken as they are: only later changes of them are seen.
	From int64
	// Poll: look at the file in intervals, even where the folder could be watched.
	Poll bool
	// Interval is the time between two looks while the file grows, and between
	// all of them when polling; 0: DefaultInterval.
	Interval time.Duration
	// Grace bounds how long a renamed file is waited for that a process still
	// holds, before its successor is read; 0: DefaultGrace.
	Grace time.Duration
}

// Defaults of Options.
const (
	DefaultInterval = 20 * time.Millisecond
	DefaultGrace    = time.Second
)

// heartbeat is how often a watched file is looked at although nothing was
// heard of it.
const heartbeat = time.Second

// Event is a stretch of bytes, or a gap.
type Event struct {
	// Bytes are those at Offset of a generation. They are valid until the next call.
	Bytes  []byte
	Offset int64
	// Generation counts the files, and the contents of one file, that the name
	// has stood for, from 0. Bytes of a generation before the newest one are what
	// a late writer appended to a file that had been renamed.
	Generation int
	// Gap: what was read so far and what comes next may not be neighbours. Offset
	// and Generation are those of the place behind which it lies. Nil: Bytes.
	Gap *Gap
}

// Kind names why a stream is broken.
type Kind string

// The kinds of gap.
const (
	Rotated   Kind = "rotated"   // the file was renamed, and another one has its name
	Replaced  Kind = "replaced"  // another file has its name, and the old one is gone
	Removed   Kind = "removed"   // the file is gone, and nothing has its name yet
	Truncated Kind = "truncated" // the file is shorter than what was read of it
	Rewritten Kind = "rewritten" // other bytes stand where what was read stood: cut, and grown beyond
	Hole      Kind = "hole"      // NUL bytes at its start: it was cut while a writer kept its place
	Overflow  Kind = "overflow"  // notifications were lost
	Appended  Kind = "late"      // bytes were appended to a file after it had been renamed
)

// NotKnown is the number of lost bytes where nobody can tell.
const NotKnown = -1

// Gap is a declared discontinuity.
type Gap struct {
	Kind   Kind
	Reason string
	// Lost is the number of bytes that were not given and should have been; 0:
	// none, the order alone is in doubt; NotKnown: nobody can tell.
	Lost int64
}

// Follower follows one name. It is not safe for concurrent use.
type Follower struct {
	path string
	opt  Options
	wake *waker

	now     *generation   // nil: nothing has the name yet
	late    []*generation // renamed, and still held by a writer
	missed  []*generation // that had the name in between, to be read before it
	queue   []Event       // gaps to give
	known   []fs.FileInfo // siblings that were there before
	opened  int           // generations so far
	next    os.FileInfo   // what has the name now, while the old file is drained
	since   time.Time     // when it was first seen
	again   time.Time     // when to look for holders again
	backoff time.Duration
	gone    bool // Removed was given
	buf     []byte
}

// Open begins to follow a path.
func Open(path string, opt Options) (*Follower, error) {
	if opt.Interval <= 0 {
		opt.Interval = DefaultInterval
	}
	if opt.Grace <= 0 {
		opt.Grace = DefaultGrace
	}
	f := &Follower{path: filepath.Clean(path), opt: opt, buf: make([]byte, guardSize+chunkSize)}
	f.wake = newWaker(f.path, opt)
	if err := f.begin(); err != nil {
		f.wake.close()
		return nil, err
	}
	return f, nil
}

func (f *Follower) begin() error {
	g, err := openGeneration(f.path, f.opened)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.opt.Wait:
		f.known = f.siblings()
		return nil
	case err != nil:
		return fmt.Errorf("following %s: %w", f.path, err)
	}
	f.adopt(g)
	if err := g.startAt(f.opt.From); err != nil {
		return fmt.Errorf("following %s from byte %d: %w", f.path, f.opt.From, err)
	}
	return nil
}

// adopt makes g what the name stands for.
func (f *Follower) adopt(g *generation) {
	f.now, f.next, f.gone = g, nil, false
	f.opened++
	f.known = f.siblings()
}

// Polling says why the file is looked at in intervals; empty: its folder is watched.
func (f *Follower) Polling() string { return f.wake.polling }

// Path is the path that is followed.
func (f *Follower) Path() string { return f.path }

// Next waits for the next event. The error is that of ctx, or of a file that
// can no longer be read.
func (f *Follower) Next(ctx context.Context) (Event, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Event{}, err
		}
		e, ok, err := f.Ready()
		if ok || err != nil {
			return e, err
		}
		if err := f.wake.wait(ctx, f.patience()); err != nil {
			return Event{}, err
		}
	}
}

// patience is how long to wait for news before looking all the same.
func (f *Follower) patience() time.Duration {
	if f.next != nil || len(f.late) > 0 || f.wake.polling != "" {
		return f.opt.Interval
	}
	return heartbeat
}

// Ready gives the next event if there is one by now, without waiting.
func (f *Follower) Ready() (Event, bool, error) {
	for _, lost := range f.wake.news() {
		f.declare(f.now, Gap{Kind: Overflow, Reason: lost})
	}
	for {
		if len(f.queue) > 0 {
			e := f.queue[0]
			f.queue = f.queue[1:]
			return e, true, nil
		}
		if e, ok, err := f.readLate(); ok || err != nil {
			return e, ok, err
		}
		if e, ok, err := f.readNow(); ok || err != nil {
			return e, ok, err
		}
		moved, err := f.look()
		if err != nil || !moved {
			return Event{}, false, err
		}
	}
}

// declare queues a gap behind what was read of g.
func (f *Follower) declare(g *generation, gap Gap) {
	e := Event{Gap: &gap}
	if g != nil {
		e.Offset, e.Generation = g.offset, g.number
	}
	f.queue = append(f.queue, e)
}

// Close lets go of the file.
func (f *Follower) Close() error {
	f.wake.close()
	var err error
	for _, g := range slices.Concat(f.late, f.missed, []*generation{f.now}) {
		if g != nil {
			err = errors.Join(err, g.file.Close())
		}
	}
	f.now, f.late, f.missed = nil, nil, nil
	return err
}
