// Package watch says which files below a folder have changed, for a check that
// is made anew whenever they do.
//
// What comes in one stretch, as an editor or git writes it, is one change. What
// happens while nobody waits is kept. Where notifications were lost, or a folder
// could not be watched, it says so: silence would look like a tree at rest.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// quiet ends a stretch: editors write a file in several steps within it.
	quiet = 100 * time.Millisecond
	// longest is how long a stretch may last; then what has changed is told.
	longest = 2 * time.Second
)

// Options say what to watch.
type Options struct {
	Root  string                   // absolute
	Skip  func(folder string) bool // by the last name: these are not watched
	Reads func(file string) bool   // by the last name: changes of others are none
}

// Watcher watches a tree.
type Watcher struct {
	opt       Options
	events    *fsnotify.Watcher
	unwatched []string
}

// Change is what changed in one stretch.
type Change struct {
	Files []string // from the root, slash separated, sorted
	Lost  bool     // notifications were lost: any file may have changed
}

// New watches a folder and all below it.
func New(opt Options) (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", opt.Root, err)
	}
	w := &Watcher{opt: opt, events: events}
	if err := events.Add(opt.Root); err != nil {
		events.Close()
		return nil, fmt.Errorf("watching %s: %w", opt.Root, err)
	}
	w.add(opt.Root, nil)
	return w, nil
}

// Close ends it.
func (w *Watcher) Close() error { return w.events.Close() }

// Unwatched are the folders that could not be watched: their changes are not
// seen.
func (w *Watcher) Unwatched() []string { return w.unwatched }

// add watches what lies below a folder. The files that are there already are
// handed to found: of a folder that is new nobody has told.
func (w *Watcher) add(dir string, found func(file string)) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			if !errors.Is(err, fs.ErrNotExist) { // gone again
				w.unwatched = append(w.unwatched, path)
			}
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir():
			if found != nil {
				found(path)
			}
		case path != w.opt.Root && w.opt.Skip(d.Name()):
			return fs.SkipDir
		case path != w.opt.Root:
			if err := w.events.Add(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				w.unwatched = append(w.unwatched, path)
			}
		}
		return nil
	})
}

// Next waits until something has changed and is quiet again. The error is
// that of ctx.
func (w *Watcher) Next(ctx context.Context) (Change, error) {
	s := stretch{files: map[string]bool{}}
	for {
		select {
		case <-ctx.Done():
			return Change{}, ctx.Err()
		case <-s.end():
			return s.change(w.opt.Root), nil
		case e := <-w.events.Events:
			w.event(e, &s)
		case <-w.events.Errors: // too many at once, or a read that failed
			s.lost = true
			s.touch()
		}
	}
}

// event takes down one notification.
func (w *Watcher) event(e fsnotify.Event, s *stretch) {
	if e.Op == fsnotify.Chmod {
		return
	}
	touched := func(path string) {
		if w.opt.Reads(filepath.Base(path)) {
			s.files[path] = true
			s.touch()
		}
	}
	if e.Has(fsnotify.Create) && !w.opt.Skip(filepath.Base(e.Name)) {
		if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
			w.add(e.Name, touched)
			return
		}
	}
	touched(e.Name)
}

// stretch gathers what changes until it is quiet.
type stretch struct {
	files map[string]bool
	lost  bool
	began time.Time
	timer *time.Timer
}

// touch puts the end off.
func (s *stretch) touch() {
	if s.timer == nil {
		s.began = time.Now()
		s.timer = time.NewTimer(quiet)
		return
	}
	s.timer.Reset(max(0, min(quiet, longest-time.Since(s.began))))
}

// end is when it is over; nothing has changed yet: never.
func (s *stretch) end() <-chan time.Time {
	if s.timer == nil {
		return nil
	}
	return s.timer.C
}

func (s *stretch) change(root string) Change {
	c := Change{Lost: s.lost}
	for path := range s.files {
		if rel, err := filepath.Rel(root, path); err == nil {
			path = rel
		}
		c.Files = append(c.Files, filepath.ToSlash(path))
	}
	slices.Sort(c.Files)
	return c
}
