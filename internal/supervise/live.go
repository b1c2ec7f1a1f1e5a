//go:build unix

package supervise

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"github.com/trainvet/trainvet/logscan/follow"
	"github.com/trainvet/trainvet/logscan/rundir"
)

// pollInterval is how often the log is looked at. A watch would be told of each
// write and cost the trainer and trainvet a wake-up each; a look costs one
// system call however much was written.
const pollInterval = 40 * time.Millisecond

// maxPump bounds what is read in one go, so that signals are seen meanwhile.
const maxPump = 4 << 20

// live reads the log as it grows: onto the tape, past the filter of lines, and
// every gap into the journal.
type live struct {
	path    string
	follow  *follow.Follower
	tape    *tape
	journal *journal
	gaps    int              // discontinuities so far
	first   func(follow.Gap) // told of the first one
	watch   *lineWatch
	room    *os.File // the log, while its first room is still to be looked for
}

func openLive(path string, t *tape, j *journal, w *lineWatch, first func(follow.Gap)) (*live, error) {
	l := &live{path: path, tape: t, journal: j, watch: w, first: first}
	from, err := l.takeOver()
	if err != nil {
		return nil, err
	}
	l.follow, err = follow.Open(path, follow.Options{Poll: true, Interval: pollInterval, From: from})
	if err != nil {
		return nil, fmt.Errorf("following the log: %w", err)
	}
	return l, nil
}

// takeOver finds where another supervisor stopped reading: at the end of what
// it kept, if the log still holds these bytes there.
func (l *live) takeOver() (from int64, err error) {
	if l.tape.size == 0 {
		return 0, nil
	}
	log, err := os.Open(l.path)
	if err != nil {
		return 0, fmt.Errorf("following the log: %w", err)
	}
	defer log.Close()
	n := min(l.tape.size, 4096)
	kept, now := make([]byte, n), make([]byte, n)
	if _, err := l.tape.kept.ReadAt(kept, l.tape.size-n); err != nil {
		return 0, fmt.Errorf("reading what was kept: %w", err)
	}
	if _, err := log.ReadAt(now, l.tape.size-n); err == nil && bytes.Equal(kept, now) {
		return l.tape.size, nil
	}
	l.gap(follow.Gap{Kind: follow.Rewritten, Reason: "the log was cut while nobody followed it", Lost: follow.NotKnown})
	return 0, nil
}

// pump takes what there is by now. It reports whether there may be more.
func (l *live) pump() (more bool, err error) {
	for read := 0; read < maxPump; {
		e, ok, err := l.follow.Ready()
		if err != nil {
			return false, fmt.Errorf("following the log: %w", err)
		}
		if !ok {
			return false, nil
		}
		if e.Gap != nil {
			l.gap(*e.Gap)
			continue
		}
		l.uncut()
		l.tape.add(e.Bytes, e.Offset)
		l.watch.feed(e.Bytes)
		read += len(e.Bytes)
	}
	return true, nil
}

func (l *live) gap(g follow.Gap) {
	if l.gaps++; l.gaps == 1 && l.first != nil {
		l.first(g)
	}
	l.journal.write(rundir.Event{Type: rundir.EventDiscontinuity, Kind: string(g.Kind), Lost: g.Lost, Text: g.Reason, Offset: at(l.tape.size)})
}

// settle makes the log what was read, where the two differ: a script cut the
// log, and what stood there before is on the tape alone.
func (l *live) settle(dir string) error {
	l.uncut()
	kept := dir + string(os.PathSeparator) + keptFile
	if l.gaps > 0 && l.tape.whole() {
		if err := l.tape.kept.Sync(); err != nil {
			return fmt.Errorf("keeping what was cut off the log: %w", err)
		}
		if err := os.Rename(kept, l.path); err != nil {
			return fmt.Errorf("keeping what was cut off the log: %w", err)
		}
		return nil
	}
	if l.gaps > 0 {
		return nil // what was kept is a part, and stays as one
	}
	if err := os.Remove(kept); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("removing what was kept: %w", err)
	}
	return nil
}
