//go:build unix

package supervise

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// capture is where the child's output goes.
type capture struct {
	mode Mode
	log  *os.File // the file run.log, opened for appending
	out  *os.File // what the child gets as standard output and error
	from *os.File // what trainvet copies from; nil: the child writes to the log itself
	in   *os.File // the child's standard input, where it is the terminal of its own
	room bool     // the log has its first room, if nobody has cut it

	copied  chan struct{} // closed when all is copied
	mu      sync.Mutex
	lost    int64 // bytes that the log did not take
	lostErr error
}

// openCapture opens the log anew: it is nobody else's yet.
func openCapture(dir string, mode Mode) (*capture, error) {
	log, err := os.OpenFile(filepath.Join(dir, rundir.LogFile), os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("creating the log: %w", err)
	}
	c := &capture{mode: mode, log: log, out: log}
	switch mode {
	case File:
		c.room = setFirstRoom(log)
	case Pipe:
		c.from, c.out, err = os.Pipe()
	case TTY:
		c.from, c.out, err = pty.Open()
		c.in = c.out
	}
	if err != nil {
		return nil, fmt.Errorf("opening the %s: %w", mode, err)
	}
	return c, nil
}

// describe says in the manifest how the output is recorded.
func (c *capture) describe(oneOrder, lineFlush bool) (rundir.Capture, error) {
	info, err := c.log.Stat()
	if err != nil {
		return rundir.Capture{}, fmt.Errorf("looking at the log: %w", err)
	}
	sink := rundir.Sink{File: rundir.LogFile, Streams: []string{"out", "err"}}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		sink.Device, sink.Inode = uint64(st.Dev), uint64(st.Ino)
	}
	return rundir.Capture{Mode: string(c.mode), OneOrder: oneOrder, LineFlush: lineFlush, Sinks: []rundir.Sink{sink}}, nil
}

// sink names what the child writes to, for its Python processes.
func (c *capture) sink() string {
	info, err := c.out.Stat()
	if err != nil {
		return ""
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", uint64(st.Dev), uint64(st.Ino))
}

// began lets go of the child's end and begins to copy.
func (c *capture) began() {
	if c.from == nil {
		return
	}
	c.out.Close()
	c.copied = make(chan struct{})
	go c.copy()
}

// copy moves what the child writes to the log. A log that cannot be written to
// never stops the child: what is lost is counted.
func (c *capture) copy() {
	defer close(c.copied)
	buf := make([]byte, 64<<10)
	for {
		n, err := c.from.Read(buf)
		if n > 0 {
			if m, wrote := c.log.Write(buf[:n]); wrote != nil {
				c.mu.Lock()
				c.lost, c.lostErr = c.lost+int64(n-m), wrote
				c.mu.Unlock()
			}
		}
		if err != nil { // the end: a pty says EIO when the last writer is gone
			return
		}
	}
}

// missed takes what the log did not take since it was asked last.
func (c *capture) missed() (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, err := c.lost, c.lostErr
	c.lost, c.lostErr = 0, nil
	return n, err
}

func (c *capture) close() error {
	if c.from != nil {
		c.from.Close()
	}
	return c.log.Close()
}

// keyboard connects the terminal that trainvet stands at with the child's.
func (c *capture) keyboard(stdin *os.File) (restore func(), err error) {
	if c.mode != TTY || stdin == nil || !term.IsTerminal(int(stdin.Fd())) {
		return func() {}, nil
	}
	old, err := term.MakeRaw(int(stdin.Fd()))
	if err != nil {
		return nil, fmt.Errorf("preparing the terminal: %w", err)
	}
	go func() { _, _ = io.Copy(c.from, stdin) }() // ends with the process
	return func() { _ = term.Restore(int(stdin.Fd()), old) }, nil
}

// resize hands on the size of the window.
func (c *capture) resize(stdin *os.File) {
	if c.mode == TTY && stdin != nil && term.IsTerminal(int(stdin.Fd())) {
		_ = pty.InheritSize(stdin, c.from) // the window may be gone
	}
}

// tail is the end of the log.
func (c *capture) tail(n int64) []byte {
	info, err := c.log.Stat()
	if err != nil {
		return nil
	}
	b := make([]byte, min(n, info.Size()))
	m, err := c.log.ReadAt(b, info.Size()-int64(len(b)))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return b[:m]
}
