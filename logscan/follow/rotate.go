package follow

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// readNow reads what the name stands for.
func (f *Follower) readNow() (Event, bool, error) {
	g := f.now
	if g == nil {
		return Event{}, false, nil
	}
	data, gap, err := g.read(f.buf)
	switch {
	case err != nil:
		return Event{}, false, fmt.Errorf("following %s: %w", f.path, err)
	case gap != nil:
		f.declare(g, *gap)
		return f.restart(g)
	case len(data) > 0:
		return Event{Bytes: data, Offset: g.offset - int64(len(data)), Generation: g.number}, true, nil
	}
	return Event{}, false, nil
}

// restart begins the new content of a file that was cut, and gives the gap.
func (f *Follower) restart(g *generation) (Event, bool, error) {
	g.anew(f.opened)
	f.opened++
	hole, err := g.skipHole(f.buf)
	if err != nil {
		return Event{}, false, fmt.Errorf("following %s: %w", f.path, err)
	}
	if hole > 0 {
		f.declare(g, Gap{Kind: Hole, Lost: 0, Reason: fmt.Sprintf("%d NUL bytes: the file was cut while a writer kept its place", hole)})
	}
	e := f.queue[0]
	f.queue = f.queue[1:]
	return e, true, nil
}

// lateTime is how long a renamed file is read on of which nobody can tell whether
// a process still writes to it.
const lateTime = time.Minute

// maxLate bounds the renamed files that are read on.
const maxLate = 8

// readLate reads what late writers append to renamed files.
func (f *Follower) readLate() (Event, bool, error) {
	for i := 0; i < len(f.late); i++ {
		g := f.late[i]
		data, gap, err := g.read(f.buf)
		if err == nil && gap == nil && len(data) > 0 {
			return Event{Bytes: data, Offset: g.offset - int64(len(data)), Generation: g.number}, true, nil
		}
		if gap != nil {
			f.declare(g, *gap)
		}
		if err != nil || gap != nil || len(f.late) > maxLate || f.released(g) {
			g.file.Close()
			f.late = slices.Delete(f.late, i, i+1)
			i--
		}
	}
	return Event{}, false, nil
}

// released: nobody can append any more. It is asked seldom, since it looks at
// every process.
func (f *Follower) released(g *generation) bool {
	if time.Now().Before(f.again) {
		return false
	}
	f.later()
	n, known := writers(g.info)
	if !known { // then it is read on for a while, and no longer: there is one more with each rotation
		return time.Since(f.since) > lateTime
	}
	return n == 0 && f.drained(g)
}

// drained: nothing was appended between the last read and the last look.
func (f *Follower) drained(g *generation) bool {
	info, err := g.file.Stat()
	return err != nil || info.Size() <= g.offset
}

const firstBackoff, lastBackoff = 5 * time.Millisecond, 500 * time.Millisecond

// later puts off the next search for holders.
func (f *Follower) later() {
	f.again = time.Now().Add(f.backoff)
	f.backoff = min(max(2*f.backoff, firstBackoff), lastBackoff)
}

// look asks what the name stands for. It reports whether there is something new
// to read.
func (f *Follower) look() (moved bool, err error) {
	if len(f.missed) > 0 {
		f.nextMissed()
		return true, nil
	}
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f.vanished(), nil
	case err != nil:
		return false, fmt.Errorf("following %s: %w", f.path, err)
	case f.now != nil && os.SameFile(info, f.now.info):
		f.next = nil
		return false, nil
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("following %s: it is no regular file any more", f.path)
	}
	if f.now == nil {
		return f.first()
	}
	if f.next == nil {
		f.next, f.since, f.again, f.backoff = info, time.Now(), time.Time{}, firstBackoff
	}
	return f.succeed()
}

// vanished says once that the file is gone, when nobody holds it any more.
func (f *Follower) vanished() bool {
	if f.now == nil || f.gone || !unlinked(f.now.file) {
		return false // renamed: its successor will come
	}
	if time.Now().Before(f.again) {
		return false
	}
	f.later()
	if n, known := writers(f.now.info); known && n > 0 {
		return false
	}
	f.gone = true
	f.declare(f.now, Gap{Kind: Removed, Lost: NotKnown, Reason: "the file was removed"})
	return true
}

// first opens the file that was waited for.
func (f *Follower) first() (bool, error) {
	g, err := openGeneration(f.path, f.opened)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("following %s: %w", f.path, err)
	}
	f.adopt(g)
	return true, nil
}

// succeed goes over to the file that has the name now, once the old one is at
// rest: no process holds it for writing, or the grace is over.
func (f *Follower) succeed() (bool, error) {
	old := f.now
	if time.Now().Before(f.again) {
		return false, nil
	}
	f.later()
	n, known := writers(old.info)
	held := n > 0 || !known
	if held && time.Since(f.since) < f.opt.Grace {
		return false, nil
	}
	if !f.drained(old) {
		return true, nil // read on
	}
	// The new file is held before its elder siblings are looked for: it may lose
	// the name at any moment, and would then be one of them.
	g, err := openGeneration(f.path, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("following %s: %w", f.path, err)
	case os.SameFile(g.info, old.info):
		return false, g.file.Close()
	}
	missed, unread := f.missedSiblings(old, g)
	f.declare(old, f.rotation(old, held, known, len(missed), unread))
	if held {
		f.late = append(f.late, old)
	} else {
		old.file.Close()
	}
	f.now, f.next, f.gone = nil, nil, false
	f.missed = append(missed, g)
	return true, nil
}

// rotation is the gap between a file and its successor. Nothing is lost for
// sure only when one new file was heard of, and the old one has no writer.
func (f *Follower) rotation(old *generation, held, known bool, missed int, unread []string) Gap {
	gap := Gap{Kind: Rotated, Lost: NotKnown, Reason: "the file was renamed, and another one has its name"}
	if unlinked(old.file) {
		gap.Kind, gap.Reason = Replaced, "another file has its name, and the old one was removed"
	}
	created, sure := f.wake.created()
	switch {
	case len(unread) > 0:
		gap.Reason += "; not read: " + strings.Join(unread, ", ")
	case missed > 0:
		gap.Reason += fmt.Sprintf("; %d more had it meanwhile and are read now", missed)
	case held && known:
		gap.Reason += "; a process still writes to the old one"
	case held:
		gap.Reason += "; whether a process still writes to the old one cannot be seen"
	case sure && created == 1 && gap.Kind == Rotated:
		gap.Lost = 0
		gap.Reason += "; the old one was read to its end, and nobody writes to it"
	}
	return gap
}

// nextMissed goes over to the next file in the row: those that were missed, and
// then the one that has the name.
func (f *Follower) nextMissed() {
	if f.now != nil { // one of several, whose order their times may not tell
		f.declare(f.now, Gap{Kind: Rotated, Lost: NotKnown, Reason: "one of several files that had the name meanwhile ends here"})
		f.now.file.Close()
	}
	f.now, f.missed, f.next, f.gone = f.missed[0], f.missed[1:], nil, false
	f.now.number = f.opened
	f.opened++
}

// siblings are the files beside the name that may have had it.
func (f *Follower) siblings() []fs.FileInfo {
	var list []fs.FileInfo
	for _, s := range f.listSiblings() {
		list = append(list, s.info)
	}
	return list
}

type sibling struct {
	path string
	info fs.FileInfo
}

func (f *Follower) listSiblings() []sibling {
	dir, base := filepath.Split(f.path)
	entries, err := os.ReadDir(filepath.Clean("./" + dir))
	if filepath.IsAbs(f.path) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil
	}
	ext := filepath.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	var list []sibling
	for _, e := range entries {
		name := e.Name()
		if name == base || !e.Type().IsRegular() || !(namedAfter(name, base) || ext != "" && namedAfter(name, stem) && strings.HasSuffix(name, ext)) {
			continue
		}
		if info, err := e.Info(); err == nil {
			list = append(list, sibling{filepath.Join(dir, name), info})
		}
	}
	return list
}

func namedAfter(name, base string) bool {
	return len(name) > len(base)+1 && strings.HasPrefix(name, base) && strings.ContainsRune(".-_~", rune(name[len(base)]))
}

// missedSiblings are files that had the name between the old one and the new
// one, oldest first; unread are those that were packed meanwhile. Those that had
// it after the new one come when that one has been read.
func (f *Follower) missedSiblings(old, g *generation) (missed []*generation, unread []string) {
	var found []sibling
	last, err := old.file.Stat()
	if err != nil {
		last = old.info
	}
	all := f.listSiblings()
	after := f.after(g)
	for _, s := range all {
		known := slices.ContainsFunc(f.known, func(k fs.FileInfo) bool { return os.SameFile(k, s.info) })
		// The number of a removed file may be another one's by now: what was
		// written after the old one ended is new, whatever its number.
		if os.SameFile(s.info, last) || os.SameFile(s.info, g.info) || known && !s.info.ModTime().After(last.ModTime()) {
			continue
		}
		if s.info.ModTime().Before(last.ModTime()) || f.isLate(s.info) {
			continue // older than what was read last: no successor of it
		}
		if !after.IsZero() && s.info.ModTime().After(after) {
			continue
		}
		found = append(found, s)
	}
	f.known = f.known[:0]
	for _, s := range all {
		f.known = append(f.known, s.info)
	}
	slices.SortStableFunc(found, func(a, b sibling) int {
		return cmp.Or(a.info.ModTime().Compare(b.info.ModTime()), cmp.Compare(len(b.path), len(a.path)), cmp.Compare(b.path, a.path))
	})
	for _, s := range found {
		if g := openSibling(s); g != nil {
			missed = append(missed, g)
		} else {
			unread = append(unread, filepath.Base(s.path))
		}
	}
	return missed, unread
}

// after is the last change of the new file if it has lost the name already: then
// siblings that changed later came after it. Zero: it still has the name.
func (f *Follower) after(g *generation) time.Time {
	if info, err := os.Stat(f.path); err == nil && os.SameFile(info, g.info) {
		return time.Time{}
	}
	info, err := g.file.Stat()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// openSibling opens a file at once, since the next rotation moves it. Nil: it
// cannot be read as what the name stood for.
func openSibling(s sibling) *generation {
	if packed(s.path) {
		return nil
	}
	g, err := openGeneration(s.path, 0)
	if err != nil {
		return nil
	}
	if !os.SameFile(g.info, s.info) {
		g.file.Close()
		return nil
	}
	return g
}

func (f *Follower) isLate(info fs.FileInfo) bool {
	return slices.ContainsFunc(f.late, func(g *generation) bool { return os.SameFile(g.info, info) })
}

// packed: what a rotation compresses is no continuation byte by byte.
func packed(path string) bool {
	switch filepath.Ext(path) {
	case ".gz", ".zst", ".xz", ".bz2", ".lz4":
		return true
	}
	return false
}
