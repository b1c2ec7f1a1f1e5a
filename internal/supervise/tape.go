//go:build unix

package supervise

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// tape is what was read of the log, in the order in which it was read. What a
// script cuts off the log is still on it, up to a bound: so far it is a file of
// its own. Beyond the bound it refers to the log.
type tape struct {
	kept  *os.File // nil: nothing is kept
	limit int64    // bytes that are kept at most
	saved int64    // bytes that are kept
	log   *os.File // to read from beyond what is kept

	mu    sync.Mutex
	size  int64
	pages []page // where stretches beyond saved stand in the log, by position
	more  chan struct{}
	done  bool
}

// page: the tape's bytes from pos on stand in the log from offset on.
type page struct{ pos, offset int64 }

func newTape(dir string, log *os.File, limit int64) (*tape, error) {
	t := &tape{limit: limit, log: log, more: make(chan struct{})}
	if limit <= 0 {
		return t, nil
	}
	f, err := os.OpenFile(filepath.Join(dir, keptFile), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keeping what is read: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("keeping what is read: %w", err)
	}
	t.kept, t.saved, t.size = f, info.Size(), info.Size()
	return t, nil
}

// add appends what was read at an offset of the log.
func (t *tape) add(b []byte, offset int64) {
	n := int64(len(b))
	if t.kept != nil && t.saved == t.size && t.saved+n <= t.limit {
		m, err := t.kept.Write(b)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.saved += int64(m)
		if err != nil { // a full disk: what cannot be kept stands in the log
			t.pages = append(t.pages, page{t.size + int64(m), offset + int64(m)})
		}
		t.grow(n)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if last := len(t.pages) - 1; last < 0 || t.pages[last].offset+(t.size-t.pages[last].pos) != offset {
		t.pages = append(t.pages, page{t.size, offset})
	}
	t.grow(n)
}

func (t *tape) grow(n int64) {
	t.size += n
	close(t.more)
	t.more = make(chan struct{})
}

// end says that nothing more comes.
func (t *tape) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.done {
		t.done = true
		close(t.more)
	}
}

// whole reports that every byte is kept.
func (t *tape) whole() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept != nil && t.saved == t.size
}

// read reads from a position on; wait tells of more when there is nothing.
func (t *tape) read(b []byte, pos int64) (n int, wait <-chan struct{}, done bool) {
	t.mu.Lock()
	size, saved, more, ended := t.size, t.saved, t.more, t.done
	from, offset, end := t.logPlace(pos)
	t.mu.Unlock()
	if pos >= size {
		return 0, more, ended
	}
	file, at, most := t.log, offset+(pos-from), end-pos
	if pos < saved {
		file, at, most = t.kept, pos, saved-pos
	}
	n, err := file.ReadAt(b[:min(int64(len(b)), most)], at)
	if n == 0 && err != nil && !errors.Is(err, io.EOF) {
		return 0, more, true
	}
	if n == 0 { // it was cut off the log since it was read, and lay beyond what is kept
		n = int(min(most, int64(len(b))))
		clear(b[:n])
	}
	return n, nil, false
}

func (t *tape) logPlace(pos int64) (from, offset, end int64) {
	end = t.size
	for i := len(t.pages) - 1; i >= 0; i-- {
		if p := t.pages[i]; p.pos <= pos {
			return p.pos, p.offset, end
		}
		end = t.pages[i].pos
	}
	return pos, 0, end
}

// show copies the tape to a writer as it grows, at the writer's pace. A writer
// that is gone ends it. It returns how far it came.
func (t *tape) show(w io.Writer, from int64, stop <-chan struct{}) int64 {
	buf := make([]byte, 256<<10)
	for pos := from; ; {
		n, more, done := t.read(buf, pos)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return pos
			}
			pos += int64(n)
			continue
		}
		if done {
			return pos
		}
		select {
		case <-more:
		case <-stop:
			return pos
		}
	}
}

func (t *tape) close() error {
	if t.kept == nil {
		return nil
	}
	return t.kept.Close()
}
