//go:build unix

package supervise

import (
	"fmt"
	"time"

	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/scan"
)

// lineWatch looks for the first fault as the log grows: a filter finds texts of
// which one stands in every fault line, and the audit says whether it is one. The
// same pass notes where files may be named, so that at the end the log need not
// be read for them.
type lineWatch struct {
	faults Faults
	texts  int // literals of faults; behind them stand those of files
	filter *scan.Filter
	tail   []byte // the end of the last stretch: a text may be cut in two
	fed    int64  // bytes
	hit    bool   // there is something to ask the audit about
	after  time.Time
	found  bool

	named []logscan.Stretch // where files may be named; never nil, which would say that nobody looked
}

func newLineWatch(f Faults) (*lineWatch, error) {
	w := &lineWatch{faults: f, named: []logscan.Stretch{}}
	var texts []string
	if f != nil {
		texts = f.Literals()
	}
	w.texts = len(texts)
	words, err := logscan.MentionWords()
	if err != nil {
		return nil, fmt.Errorf("preparing to look for files: %w", err)
	}
	if w.filter, err = scan.New(append(texts[:len(texts):len(texts)], words...), nil); err != nil {
		return nil, fmt.Errorf("preparing to look for faults: %w", err)
	}
	return w, nil
}

func (w *lineWatch) feed(b []byte) {
	if len(w.tail) > 0 {
		w.look(append(w.tail, b[:min(len(b), w.filter.MaxLen())]...), w.fed-int64(len(w.tail)))
	}
	w.look(b, w.fed)
	w.fed += int64(len(b))
	keep := w.filter.MaxLen() - 1
	if len(b) >= keep {
		w.tail = append(w.tail[:0], b[len(b)-keep:]...)
		return
	}
	w.tail = append(w.tail, b...)
	w.tail = append(w.tail[:0], w.tail[max(0, len(w.tail)-keep):]...)
}

func (w *lineWatch) look(b []byte, offset int64) {
	w.filter.Find(b, func(pos, literal int) {
		if literal < w.texts {
			w.hit = w.hit || !w.found
		} else {
			w.named = logscan.AddPlace(w.named, offset+int64(pos))
		}
	})
}

// mentioned are the places where files may be named in a log of this size; nil:
// not all of it was seen from here.
func (l *live) mentioned(size int64) []logscan.Stretch {
	if l == nil || l.gaps > 0 || l.watch.fed != size {
		return nil
	}
	return l.watch.named
}

// ready reports that there is something to ask the audit about. What asking
// costs decides how soon it is asked again: words of a fault may be data.
func (w *lineWatch) ready(now time.Time) bool {
	return w.hit && !w.found && now.After(w.after)
}

// stop ends the search: only the first fault is looked for.
func (w *lineWatch) stop() { w.found = true }

// ask has the audit look at the log.
func (w *lineWatch) ask(log string) (*Fault, time.Duration, error) {
	begin := time.Now()
	f, err := w.faults.First(log)
	took := time.Since(begin)
	if err != nil {
		return nil, took, fmt.Errorf("looking for the first fault: %w", err)
	}
	return f, took, nil
}

// asked says that an answer is on its way; what comes from now on may need
// another one.
func (w *lineWatch) asked() { w.hit = false }

// answered sets when to ask again.
func (w *lineWatch) answered(took time.Duration) {
	w.after = time.Now().Add(max(time.Second, 50*took))
}
