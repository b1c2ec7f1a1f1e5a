package follow

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The harness writes numbered lines as fast as a busy trainer, and meanwhile
// does to the file what people and log rotation do.
const (
	numbered = 12_000
	each     = 1_000 // lines between two rotations
)

// writer is the trainer's side.
type writer struct {
	t    *testing.T
	path string
	file *os.File
	next int
	seen atomic.Int64 // the last line that the reader had
}

// awaitReader waits until all that was written is read, however busy the machine
// is. One that reads no more is left behind, and what it misses is counted.
func (w *writer) awaitReader() { w.awaitWithin(0) }

// awaitWithin waits until the reader is no more than n lines behind.
func (w *writer) awaitWithin(n int) {
	for end := time.Now().Add(20 * time.Second); w.seen.Load() < int64(w.next-n) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

func newWriter(t *testing.T) *writer {
	w := &writer{t: t, path: filepath.Join(t.TempDir(), "train.log")}
	w.open()
	return w
}

func (w *writer) open() {
	f, err := os.OpenFile(w.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	require.NoError(w.t, err)
	w.file = f
}

func (w *writer) line() string {
	w.next++
	return fmt.Sprintf("step %06d loss %.4f\n", w.next, 1/float64(w.next))
}

func (w *writer) write(text string) {
	_, err := w.file.WriteString(text)
	require.NoError(w.t, err)
}

// lines writes n lines, about 20,000 a second.
func (w *writer) lines(n int) {
	for i := range n {
		w.write(w.line())
		if i%20 == 19 {
			time.Sleep(time.Millisecond)
		}
	}
}

// What the reader sees besides numbers.
const (
	gapSeen  = 0  // a gap behind which something may be missing
	piece    = -1 // no whole line
	gapWhole = -2 // a gap of which the follower says that nothing is lost
)

// got is what the reader saw.
type got struct {
	list []int
	gaps []Gap
}

func (g *got) gap(k ...Kind) int {
	n := 0
	for _, x := range g.gaps {
		if slices.Contains(k, x.Kind) {
			n++
		}
	}
	return n
}

// reader takes events apart. Bytes of different generations are not joined.
type reader struct {
	got
	part map[int][]byte
	last int
	seen *atomic.Int64
}

func (r *reader) event(e Event) {
	if r.part == nil {
		r.part = map[int][]byte{}
	}
	if e.Gap != nil {
		r.gaps = append(r.gaps, *e.Gap)
		if e.Gap.Lost == 0 {
			r.list = append(r.list, gapWhole)
		} else {
			r.list = append(r.list, gapSeen)
		}
		return
	}
	if e.Generation < r.last { // a late writer's: the place is said, not a gap
		r.list = append(r.list, gapSeen)
	}
	r.last = e.Generation
	data := append(r.part[e.Generation], e.Bytes...)
	for {
		line, rest, ok := bytes.Cut(data, []byte("\n"))
		if !ok {
			break
		}
		r.list = append(r.list, number(line))
		r.seen.Store(int64(number(line)))
		data = rest
	}
	r.part[e.Generation] = slices.Clone(data)
}

func number(line []byte) int {
	f := bytes.Fields(line)
	if len(f) != 4 || string(f[0]) != "step" {
		return piece
	}
	n, err := strconv.Atoi(string(f[1]))
	if err != nil {
		return piece
	}
	return n
}

// run follows while act writes, and returns when nothing more comes.
func run(t *testing.T, w *writer, opt Options, act func()) *reader {
	t.Helper()
	f, err := Open(w.path, opt)
	require.NoError(t, err)
	defer f.Close()
	done := make(chan struct{})
	go func() { defer close(done); act() }()
	r := &reader{seen: &w.seen}
	quiet := 0
	for quiet < 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		e, err := f.Next(ctx)
		cancel()
		if err == nil {
			r.event(e)
			quiet = 0
			continue
		}
		require.ErrorIs(t, err, context.DeadlineExceeded)
		select {
		case <-done:
			quiet++
		default:
		}
	}
	return r
}

// silent counts the lines that are missing where no gap was declared, and those
// that came garbled.
func silent(r *reader) (lost, garbled, missing int) {
	last, gapped := 0, false
	have := map[int]bool{}
	for _, n := range r.list {
		switch {
		case n == gapSeen:
			gapped = true
			continue
		case n == gapWhole: // excuses nothing
			continue
		case n == piece:
			if !gapped {
				garbled++
			}
			continue
		case n != last+1 && !gapped:
			lost++
		}
		have[n] = true
		last, gapped = n, false
	}
	return lost, garbled, numbered - len(have)
}

func modes() map[string]Options {
	return map[string]Options{
		"watch": {},
		"poll":  {Poll: true, Interval: 50 * time.Millisecond},
	}
}

func TestHarness(t *testing.T) {
	t.Parallel()
	scenarios := []struct {
		name  string
		act   func(w *writer)
		kinds []Kind // gaps that must be declared, once a rotation
		times int
		// lossless: nothing may be missing at all, by mode.
		lossless []string
	}{
		{"split writes", func(w *writer) {
			for w.next < numbered {
				text := w.line()
				w.write(text[:7])
				if w.next%40 == 0 {
					time.Sleep(time.Millisecond)
				}
				w.write(text[7:])
			}
		}, nil, 0, []string{"watch", "poll"}},
		{"rename and create, one late line", func(w *writer) {
			for gen := 0; w.next < numbered; gen++ {
				w.lines(each - 1)
				require.NoError(w.t, os.Rename(w.path, fmt.Sprintf("%s.%d", w.path, gen)))
				w.lines(1) // late: still to the old file
				require.NoError(w.t, w.file.Close())
				w.open()
			}
		}, []Kind{Rotated, Replaced}, 0, []string{"watch", "poll"}},
		{"rotations faster than looks", func(w *writer) {
			for gen := 0; w.next < numbered; gen++ {
				w.lines(each / 20)
				require.NoError(w.t, os.Rename(w.path, fmt.Sprintf("%s.%d", w.path, gen)))
				require.NoError(w.t, w.file.Close())
				w.open()
			}
		}, []Kind{Rotated, Replaced}, 0, []string{"watch", "poll"}},
		{"numbered backups", func(w *writer) {
			for w.next < numbered {
				w.lines(each)
				w.awaitWithin(3 * each) // the fifth backup is removed, whoever has not read it
				for n := 4; n >= 1; n-- {
					from := fmt.Sprintf("%s.%d", w.path, n)
					if _, err := os.Stat(from); err == nil {
						require.NoError(w.t, os.Rename(from, fmt.Sprintf("%s.%d", w.path, n+1)))
					}
				}
				require.NoError(w.t, os.Rename(w.path, w.path+".1"))
				require.NoError(w.t, w.file.Close())
				w.open()
			}
		}, []Kind{Rotated, Replaced}, 0, []string{"watch", "poll"}},
		{"copytruncate", func(w *writer) {
			for gen := 0; w.next < numbered; gen++ {
				w.lines(each)
				require.NoError(w.t, copyFile(w.path, fmt.Sprintf("%s.%d", w.path, gen)))
				require.NoError(w.t, os.Truncate(w.path, 0))
			}
		}, []Kind{Truncated, Rewritten}, 11, nil},
		{"truncate and regrow at once", func(w *writer) {
			w.lines(each)
			for w.next < numbered {
				w.awaitReader()
				size, err := w.file.Seek(0, io.SeekEnd)
				require.NoError(w.t, err)
				require.NoError(w.t, os.Truncate(w.path, 0))
				text := ""
				for int64(len(text)) <= size && w.next < numbered {
					text += w.line()
				}
				for range each {
					text += w.line()
				}
				w.write(text)
			}
		}, []Kind{Rewritten, Truncated}, 0, []string{"watch", "poll"}},
		{"replaced by another file", func(w *writer) {
			for w.next < numbered {
				w.lines(each)
				require.NoError(w.t, w.file.Close())
				w.awaitReader()
				temp := w.path + "new" // no sibling of the log by its name
				require.NoError(w.t, os.WriteFile(temp, nil, 0o600))
				require.NoError(w.t, os.Rename(temp, w.path))
				w.open()
			}
		}, []Kind{Replaced}, 0, []string{"watch", "poll"}},
	}
	for _, s := range scenarios {
		for mode, opt := range modes() {
			t.Run(s.name+"/"+mode, func(t *testing.T) {
				t.Parallel()
				w := newWriter(t)
				r := run(t, w, opt, func() { s.act(w) })
				lost, garbled, missing := silent(r)
				t.Logf("%d lines, %d missing, %d gaps declared", w.next, max(0, missing), len(r.gaps))
				require.Zero(t, lost, "lines lost in silence")
				require.Zero(t, garbled, "lines garbled in silence")
				if slices.Contains(s.lossless, mode) {
					require.LessOrEqual(t, missing, 0, "%v", r.gaps)
				}
				if s.kinds == nil {
					require.Empty(t, r.gaps)
				} else {
					require.NotZero(t, r.gap(s.kinds...))
				}
				if s.times > 0 && mode == "watch" {
					require.GreaterOrEqual(t, r.gap(s.kinds...), s.times)
				}
			})
		}
	}
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}
