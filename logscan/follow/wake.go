package follow

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// pollInterval is the time between two looks where the folder cannot be watched.
const pollInterval = 200 * time.Millisecond

// waker waits for news of a file: of its folder, so that a rename is heard of.
type waker struct {
	path    string
	watch   *fsnotify.Watcher // nil: polling
	polling string            // why
	every   time.Duration
	looked  time.Time
	lost    []string
	creates int  // files made under the name since created was last asked
	behind  bool // no notification came for the file that was opened last
}

func newWaker(path string, opt Options) *waker {
	w := &waker{path: path, every: opt.Interval, polling: networkKind(filepath.Dir(path))}
	if opt.Poll {
		w.polling = "as asked"
	}
	if w.polling != "" {
		return w.slower(opt)
	}
	watch, err := fsnotify.NewWatcher()
	if err == nil {
		if err = watch.Add(filepath.Dir(path)); err != nil {
			watch.Close()
		}
	}
	if err != nil {
		w.polling = fmt.Sprintf("its folder cannot be watched: %v", err)
		return w.slower(opt)
	}
	w.watch = watch
	return w
}

// slower spaces out the looks of a follower that nobody wakes, unless it was told
// how often to look.
func (w *waker) slower(opt Options) *waker {
	if !opt.Poll {
		w.every = max(w.every, pollInterval)
	}
	return w
}

func (w *waker) close() {
	if w.watch != nil {
		w.watch.Close()
		w.watch = nil
	}
}

// wait returns when there may be news, at the latest after patience, and not
// sooner after the last look than the interval: while nobody listens, the kernel
// folds the notifications of a busy writer into one.
func (w *waker) wait(ctx context.Context, patience time.Duration) error {
	if err := w.hear(ctx, patience); err != nil {
		return err
	}
	rest := w.every - time.Since(w.looked)
	if rest > 0 {
		if err := sleep(ctx, rest); err != nil {
			return err
		}
	}
	w.looked = time.Now()
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// hear blocks until something is heard of the name or its siblings.
func (w *waker) hear(ctx context.Context, patience time.Duration) error {
	if w.watch == nil {
		return sleep(ctx, min(patience, w.every))
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
			return nil
		case e, ok := <-w.watch.Events:
			if !ok || w.event(e) {
				return nil
			}
		case err := <-w.watch.Errors:
			w.fault(err)
			return nil
		}
	}
}

// event notes what happened and reports whether it concerns the name.
func (w *waker) event(e fsnotify.Event) bool {
	if filepath.Clean(e.Name) != w.path {
		return false
	}
	if e.Has(fsnotify.Create) {
		w.creates++
	}
	return true
}

func (w *waker) fault(err error) {
	if err == nil {
		return
	}
	text := fmt.Sprintf("watching the folder: %v", err)
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		text = "more happened in the folder than the kernel keeps notifications of"
	}
	w.creates++ // one more than can be vouched for
	w.lost = append(w.lost, text)
}

// news takes what is there without waiting, and gives what was lost.
func (w *waker) news() []string {
	for w.watch != nil {
		select {
		case e, ok := <-w.watch.Events:
			if !ok {
				w.watch = nil
			} else {
				w.event(e)
			}
			continue
		case err := <-w.watch.Errors:
			w.fault(err)
			continue
		default:
		}
		break
	}
	lost := w.lost
	w.lost = nil
	return lost
}

// How long notifications of what has been done already may take: the first one of
// a file that was made, and further ones.
const (
	firstNews   = 50 * time.Millisecond
	furtherNews = 2 * time.Millisecond
)

// created is how many files were made under the name since it was last asked. It
// is not sure when polling, when notifications were lost, and when those of the
// last time may have come late.
func (w *waker) created() (n int, sure bool) {
	if w.watch == nil {
		return 0, false
	}
	for begin, waiting := time.Now(), true; waiting; {
		rest := furtherNews
		if w.creates == 0 {
			rest = max(rest, firstNews-time.Since(begin))
		}
		select {
		case e := <-w.watch.Events:
			w.event(e)
		case err := <-w.watch.Errors:
			w.fault(err)
		case <-time.After(rest):
			waiting = false
		}
	}
	n, sure = w.creates, !w.behind
	w.creates, w.behind = 0, w.creates == 0
	return n, sure
}
