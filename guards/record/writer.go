package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Folder is where a run directory keeps its run records.
const Folder = "records"

// Writer appends the records of one process to a file of its own in a run
// directory. It opens the file at the first record, and a new one in a process
// that was forked.
//
// A record is one write to a descriptor opened with O_APPEND: once Write has
// returned nil the kernel has it, and no SIGKILL takes it back. Nothing is
// buffered, no goroutine runs. A record that cannot be written is counted and
// leaves a hole in the sequence numbers; the next one is tried anew.
type Writer struct {
	dir      string
	preamble func(why string) []Body
	system   system
	opened   atomic.Bool

	mu     sync.Mutex
	file   file
	info   os.FileInfo // of file, to know it again
	path   string
	pid    int
	seq    uint64
	booted bool // the preamble of this file is written
	torn   bool // the file ends in a piece of a record
	ended  bool
	lost   int64
	first  error // why the first record was lost
	buf    []byte
	sinks  sinks
}

// file is what the writer needs of an *os.File.
type file interface {
	Write([]byte) (int, error)
	Stat() (os.FileInfo, error)
	Close() error
}

// system is what the writer asks the operating system; tests make it fail.
type system struct {
	open func(name string, flag int) (file, error)
	pid  func() int
	now  func() (wall, mono int64)
	sink func(*sinks) *Sink
}

// NewWriter returns the writer of this process for a run directory. Nothing is
// opened. The preamble gives the records that open each file, the boot record
// first; why says what brought the file about: event, or fork.
func NewWriter(dir string, preamble func(why string) []Body) *Writer {
	w := &Writer{dir: dir, preamble: preamble, pid: os.Getpid(), sinks: sinks{dir: dir}}
	w.system = system{
		open: func(name string, flag int) (file, error) { return os.OpenFile(name, flag, 0o600) },
		pid:  os.Getpid,
		now:  func() (int64, int64) { return time.Now().UnixNano(), monotonic() },
		sink: (*sinks).here,
	}
	return w
}

// LossError says that records could not be written.
type LossError struct {
	Lost  int64 // how many
	First error // why the first one could not
}

func (e *LossError) Error() string {
	return fmt.Sprintf("%d records could not be written, the first one: %v", e.Lost, e.First)
}

func (e *LossError) Unwrap() error { return e.First }

// Opened reports whether a first record has come.
func (w *Writer) Opened() bool { return w.opened.Load() }

// Loss is a *LossError where records could not be written, else nil.
func (w *Writer) Loss() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.loss()
}

// Write appends a record. Its error is for tests and for who wants to know: the
// loss is counted, and a trainer goes on.
func (w *Writer) Write(rank int, body Body) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.write(rank, body)
}

// Close appends the end record and closes the file. It opens none: a process
// without a record ends without one. The error is that of Loss.
func (w *Writer) Close(rank int, why string, hookErrors int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || !w.opened.Load() {
		return w.loss()
	}
	w.ended = true
	w.write(rank, &End{Why: why, Lost: w.lost, HookErrors: hookErrors})
	w.release()
	return w.loss()
}

func (w *Writer) loss() error {
	if n := w.lost; n > 0 {
		return &LossError{Lost: n, First: w.first}
	}
	return nil
}

// write needs the lock, as all below.
func (w *Writer) write(rank int, body Body) error {
	why := "event"
	if pid := w.system.pid(); pid != w.pid {
		w.forked(pid)
		why = "fork"
	}
	w.opened.Store(true)
	err := w.ready(rank, why)
	if err == nil {
		err = w.append(rank, body)
	} else {
		w.seq++ // it is missing, and the sequence says so
	}
	if err != nil {
		w.lost++
		if w.first == nil {
			w.first = err
		}
	}
	return err
}

// forked leaves the file to the parent, whose descriptor this one is a copy of.
func (w *Writer) forked(pid int) {
	w.release()
	w.pid, w.path, w.seq, w.booted, w.torn, w.ended, w.lost, w.first = pid, "", 0, false, false, false, 0, nil
}

func (w *Writer) release() {
	if w.file != nil {
		w.file.Close() // every record was written when it was appended
		w.file = nil
	}
}

// ready makes sure of a file that begins with the preamble.
func (w *Writer) ready(rank int, why string) error {
	if w.file != nil && !w.ours() {
		w.file = nil // not to be closed: the number is another's by now
	}
	if w.file == nil {
		if err := w.open(); err != nil {
			return err
		}
	}
	if w.booted {
		return nil
	}
	for _, b := range w.preamble(why) {
		if err := w.append(rank, b); err != nil {
			return err
		}
	}
	w.booted = true
	return nil
}

// ours: a trainer that closes every descriptor, as daemons do, may have opened
// a file of its own under the same number.
func (w *Writer) ours() bool {
	now, err := w.file.Stat()
	return err == nil && os.SameFile(now, w.info)
}

// open opens the file of this process: a new one, or the same one again.
func (w *Writer) open() error {
	const flag = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	var f file
	var err error
	if w.path != "" {
		f, err = w.system.open(w.path, flag)
	} else {
		f, err = w.create(flag | os.O_EXCL)
	}
	if err != nil {
		return fmt.Errorf("opening the run record: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return fmt.Errorf("opening the run record: %w", err)
	}
	w.file, w.info = f, info
	return nil
}

// create makes a file that no other process has, in another pid namespace and
// on another host included.
func (w *Writer) create(flag int) (file, error) {
	wall, _ := w.system.now()
	name := filepath.Join(w.dir, Folder, strconv.Itoa(w.pid)+"-"+strconv.FormatInt(wall, 36))
	for try := 0; ; try++ {
		path := name + ".jsonl"
		if try > 0 {
			path = name + "-" + strconv.Itoa(try) + ".jsonl"
		}
		f, err := w.system.open(path, flag)
		switch {
		case err == nil:
			w.path = path
			return f, nil
		case errors.Is(err, fs.ErrNotExist) && try == 0:
			if err := os.Mkdir(filepath.Join(w.dir, Folder), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
		case !errors.Is(err, fs.ErrExist) || try > 1000:
			return nil, err
		}
	}
}

// append writes one record by one write. After a torn one a line feed goes
// first, so that the piece is a line of its own.
func (w *Writer) append(rank int, body Body) error {
	w.seq++
	wall, mono := w.system.now()
	h := Head{Wall: wall, Mono: mono, Pid: w.pid, Rank: rank, Seq: w.seq, Sink: w.system.sink(&w.sinks)}
	w.buf = w.buf[:0]
	if w.torn {
		w.buf = append(w.buf, '\n')
	}
	w.buf = Append(w.buf, h, body)
	n, err := w.file.Write(w.buf)
	if err == nil {
		w.torn = false
		return nil
	}
	if n > 0 {
		w.torn = w.buf[n-1] != '\n'
	}
	return fmt.Errorf("writing the run record: %w", err)
}
