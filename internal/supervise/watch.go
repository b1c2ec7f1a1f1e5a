//go:build unix

package supervise

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/logscan/rundir"
)

const (
	holderInterval = 250 * time.Millisecond
	// tellAfter is when waiting for what outlives the child is worth a line.
	tellAfter = 2 * time.Second
	// patience with a child that is gone and of which nothing is heard.
	patience = 2 * time.Second
	maxLine  = 500
)

// asked is what the audit says of a line that may be a fault.
type asked struct {
	fault *Fault
	took  time.Duration
	err   error
}

// say prints a line of trainvet's own, which never goes into the log.
func (s *Session) say(format string, args ...any) {
	if s.opt.Stderr != nil {
		end := "\n"
		if s.raw {
			end = "\r\n"
		}
		fmt.Fprintf(s.opt.Stderr, "trainvet: %s%s", plain.Line(fmt.Sprintf(format, args...), maxLine), end)
	}
}

// supervise is the loop in which everything happens that happens during a run:
// one goroutine, so that the sidecar has one writer. It returns when the child
// has ended and nobody writes to the log any more, or nobody is waited for.
func (s *Session) supervise() {
	signals := s.signals
	shown, stopShow := s.show()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	s.asked = make(chan asked, 1)
	w := waiting{s: s}
	for !w.over() {
		select {
		case sig := <-signals:
			s.signalled(sig, &w)
		case e := <-s.reaped():
			s.childEnded(e)
		case a := <-s.asked:
			s.answer(a)
		case now := <-tick.C:
			s.look(now)
			s.watchDisk(now)
			s.lookAtProcesses(now)
			w.look(now)
		}
	}
	s.drain()
	s.bound(s.opt.MaxLog, boundText)
	s.lastAnswer()
	if s.tape != nil {
		s.tape.end()
	}
	s.waitShown(shown, stopShow, signals)
}

func (s *Session) reaped() <-chan exited {
	if s.reaper == nil {
		return nil
	}
	return s.reaper.ended
}

// show copies the output to whoever looks, at his pace.
func (s *Session) show() (done chan struct{}, stop chan struct{}) {
	done, stop = make(chan struct{}), make(chan struct{})
	if s.opt.Stdout == nil || s.tape == nil || isNull(s.opt.Stdout) {
		close(done)
		return done, stop
	}
	from := s.tape.size
	go func() {
		defer close(done)
		s.tape.show(s.opt.Stdout, from, stop)
	}()
	return done, stop
}

// isNull: nobody looks, and nothing need be read a second time for him.
func isNull(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	there, err := f.Stat()
	if err != nil {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(there, null)
}

// waitShown waits until all is shown, or somebody does not want to wait for a
// reader that does not read.
func (s *Session) waitShown(shown, stop chan struct{}, signals chan os.Signal) {
	defer close(stop)
	for {
		select {
		case <-shown:
			return
		case sig := <-signals:
			if sig == syscall.SIGINT || sig == syscall.SIGTERM {
				return
			}
		}
	}
}

// look is done at each tick.
func (s *Session) look(now time.Time) {
	if s.live != nil {
		if _, err := s.live.pump(); err != nil {
			s.say("%v", err)
			s.live = nil
		} else {
			s.askAudit(now)
		}
	}
	if s.capture.from != nil {
		if n, err := s.capture.missed(); n > 0 {
			s.journal.write(rundir.Event{Type: rundir.EventDiscontinuity, Kind: "not-written", Lost: n, Text: err.Error(), Offset: at(s.size())})
		}
	}
	s.bound(s.opt.MaxLog, boundText)
	s.pollChild(now)
}

const boundText = "the log has reached the bound of --max-log"

// size of the log as it is now.
func (s *Session) size() int64 {
	info, err := s.capture.log.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// drain reads the log to its end.
func (s *Session) drain() {
	for s.live != nil {
		more, err := s.live.pump()
		if err != nil {
			s.say("%v", err)
			s.live = nil
		}
		if !more {
			return
		}
	}
}

// askAudit has the audit look, beside the loop: it may take seconds.
func (s *Session) askAudit(now time.Time) {
	if s.asking || !s.live.watch.ready(now) {
		return
	}
	s.asking = true
	watch, log := s.live.watch, s.readable()
	watch.asked()
	go func() {
		f, took, err := watch.ask(log)
		s.asked <- asked{f, took, err}
	}()
}

// readable is the file that holds all that was read so far.
func (s *Session) readable() string {
	if s.live.gaps > 0 && s.tape.whole() {
		return filepath.Join(s.dir, keptFile)
	}
	return s.live.path
}

// lastAnswer is about what came last: a run that ends with its fault has it
// found all the same.
func (s *Session) lastAnswer() {
	if s.asking {
		s.answer(<-s.asked)
	}
	if s.live == nil || s.fault != nil || !s.live.watch.hit {
		return
	}
	f, took, err := s.live.watch.ask(s.readable())
	s.answer(asked{f, took, err})
}

func (s *Session) answer(a asked) {
	s.asking = false
	if s.live != nil {
		s.live.watch.answered(a.took)
	}
	if a.err != nil {
		s.say("%v", a.err)
		return
	}
	if a.fault == nil || s.fault != nil {
		return
	}
	s.fault = a.fault
	if s.live != nil {
		s.live.watch.stop()
	}
	s.journal.write(rundir.Event{
		Type: rundir.EventFault, Marker: a.fault.Marker, Scope: a.fault.Scope, Device: a.fault.Device, Text: a.fault.Text, Offset: at(a.fault.Offset),
	})
	s.onFault()
}

// signalled passes a signal on, by the table.
func (s *Session) signalled(sig os.Signal, w *waiting) {
	n, ok := sig.(syscall.Signal)
	if !ok {
		return
	}
	switch n {
	case syscall.SIGWINCH:
		s.capture.resize(s.opt.Stdin)
		return
	case syscall.SIGCONT:
		s.resumed()
		return
	}
	r := received{name: signalName(n), when: time.Now()}
	to := passOn(n, s.detached, s.where.scheduler == "slurm")
	if s.end.done {
		w.enough = w.enough || n == syscall.SIGINT || n == syscall.SIGTERM
		to = toNobody
	}
	switch to {
	case toGroup:
		r.sent = syscall.Kill(-s.child.Group, n) == nil
	case toProgram:
		r.sent = syscall.Kill(s.child.Pid, n) == nil
	}
	s.facts.received = append(s.facts.received, r)
	text := "not passed on"
	if r.sent {
		text = "passed on"
	}
	s.journal.write(rundir.Event{Type: rundir.EventSignal, Signal: r.name, From: "above", Text: text, Offset: at(s.size())})
}

// watchDisk gives room back before the disk is full, and bounds the log.
func (s *Session) watchDisk(now time.Time) {
	if s.spare == nil || !s.spare.tight(s.opt.Reserve, now) {
		return
	}
	if s.spare.size > 0 {
		s.say("the disk of %s is full: the reserve of %s is released; free some room", s.dir, bytesText(s.spare.size))
		if err := s.spare.release(); err != nil {
			s.say("%v", err)
		}
		return
	}
	s.bound(s.opt.Reserve, "the disk is full")
}

// bound frees the middle of a log that takes more than most.
func (s *Session) bound(most int64, why string) {
	if most <= 0 {
		return
	}
	next, err := shrink(s.capture.log, s.hole, most)
	if err != nil {
		if !s.holeSaid {
			s.holeSaid = true
			s.say("%s, and %v", why, err)
		}
		return
	}
	if next == s.hole {
		return
	}
	from := max(next.from, s.hole.to)
	s.journal.write(rundir.Event{Type: rundir.EventDiscontinuity, Kind: "freed", Lost: next.to - from, Text: why, Offset: at(from)})
	if !s.holeSaid {
		s.holeSaid = true
		s.say("%s: what stands behind its first %s is given up, but for the end", why, bytesText(next.from))
	}
	s.hole = next
}

// waiting is for what outlives the child: processes that still write to the
// log.
type waiting struct {
	s      *Session
	enough bool // nobody is waited for any more
	idle   bool // nobody writes any more
	next   time.Time
	told   bool
	left   []process
}

func (w *waiting) over() bool { return w.s.end.done && (w.idle || w.enough) }

func (w *waiting) look(now time.Time) {
	if !w.s.end.done || now.Before(w.next) {
		return
	}
	w.next = now.Add(holderInterval)
	w.left = w.s.writers()
	w.idle = len(w.left) == 0 && w.s.copiedAll()
	since := now.Sub(w.s.end.when)
	switch {
	case w.idle:
	case since >= w.s.opt.Linger && !w.s.patient:
		w.enough = true
	case since >= tellAfter && !w.told:
		w.told = true
		w.s.say("the trainer has ended; waiting%s for what still writes to the log: %s", w.bound(since), names(w.left))
	}
	w.s.left = w.left
}

// bound says how long is waited yet.
func (w *waiting) bound(since time.Duration) string {
	if w.s.patient {
		return ""
	}
	return " up to " + (w.s.opt.Linger - since).Round(time.Second).String()
}

// writers are the processes that have the log open, but for those that
// supervise.
func (s *Session) writers() []process {
	out := s.capture.log
	if s.capture.from != nil {
		return nil // what the pipe or terminal says counts
	}
	info, err := out.Stat()
	if err != nil {
		return nil
	}
	var left []process
	for _, p := range holders(info) {
		if p.pid != s.keeper && p.pid != s.child.Pid && p.pid != s.helper {
			left = append(left, p)
		}
	}
	return left
}

// copiedAll: no writer has the other end any more.
func (s *Session) copiedAll() bool {
	if s.capture.from == nil {
		return true
	}
	select {
	case <-s.capture.copied:
		return true
	default:
		return false
	}
}

func names(list []process) string {
	var out []string
	for _, p := range list {
		out = append(out, p.String())
	}
	if len(out) == 0 {
		return "a process that trainvet cannot see"
	}
	return strings.Join(out, ", ")
}

// String names a process for people.
func (p process) String() string {
	text := fmt.Sprintf("%d %s", p.pid, p.name)
	switch p.state {
	case "D":
		text += " (stuck in the kernel)"
	case "Z":
		text += " (a zombie)"
	}
	return text
}
