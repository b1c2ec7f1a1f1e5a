//go:build unix

package supervise

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// maxOrphans bounds the events about grandchildren.
const maxOrphans = 256

// childEnded takes what the reaper brought: the child, a keeper, a command of
// ours, or a grandchild that was left to us.
func (s *Session) childEnded(e exited) {
	switch {
	case e.status.Stopped():
		if e.pid == s.child.Pid && s.console != nil {
			suspend(s.console, s.child.Group)
		}
	case e.status.Continued():
	case e.pid == s.child.Pid:
		s.ended(ended{done: true, known: true, status: e.status, cpu: cpuOf(&e.usage), when: time.Now()})
	case e.pid == s.keeper:
		s.keeper = 0 // what it wrote is read below; without it the child is ours now
	case e.pid == s.helper:
		s.helperEnded(e)
	default:
		s.orphan(e)
	}
}

func (s *Session) orphan(e exited) {
	if s.orphans++; s.orphans > maxOrphans {
		return
	}
	text := "left by its parent; ended by " + signalName(e.status.Signal())
	if e.status.Exited() {
		text = "left by its parent; ended with code " + strconv.Itoa(e.status.ExitStatus())
	}
	s.journal.write(rundir.Event{Type: rundir.EventProcess, Pid: e.pid, Text: text, Offset: at(s.size())})
}

// pollChild looks for a child that is not ours: its keeper writes down how it
// ended. Nobody may have: then it is gone, and how is not known.
func (s *Session) pollChild(now time.Time) {
	if s.end.done || !s.detached {
		return
	}
	var x exitState
	err := load(s.dir, exitFile, &x)
	switch {
	case err == nil && x.Pid == s.child.Pid:
		s.ended(ended{done: true, known: true, status: syscall.WaitStatus(x.Status), cpu: x.CPU, when: time.Unix(0, x.Wall)})
		return
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		s.say("%v", err)
	}
	if s.child.alive(s.bootID) {
		s.goneSince = time.Time{}
		return
	}
	if s.goneSince.IsZero() {
		s.goneSince = now
	}
	if now.Sub(s.goneSince) >= patience {
		s.ended(ended{done: true, when: s.goneSince})
	}
}

// ended writes down how the child ended.
func (s *Session) ended(e ended) {
	if s.end.done {
		return
	}
	s.end = e
	if s.console != nil {
		front(s.console, syscall.Getpgrp())
	}
	if !e.known {
		return
	}
	ev := rundir.Event{Type: rundir.EventExit, Pid: s.child.Pid, Started: s.child.Started, Offset: at(s.size())}
	if e.status.Signaled() {
		ev.Signal, ev.Core = signalName(e.status.Signal()), e.status.CoreDump()
	} else {
		code := e.status.ExitStatus()
		ev.Code = &code
	}
	s.journal.write(ev)
}

// tailBytes is how much of the end of a log is searched for stacks.
const tailBytes = 256 << 10

// ending gathers what tells why the run ended.
func (s *Session) ending() Ending {
	f := s.facts
	f.known, f.when, f.code = s.end.known, s.end.when, -1
	if f.known && s.end.status.Signaled() {
		f.signal, f.core = signalName(s.end.status.Signal()), s.end.status.CoreDump()
	} else if f.known {
		f.code = s.end.status.ExitStatus()
	}
	f.bootThen, f.bootNow = s.bootID, now()
	f.scheduler, f.term, f.limit = s.where.scheduler, s.where.term, timeLimit(os.Getenv)
	var stop stopState
	if load(s.dir, stopFile, &stop) == nil {
		f.stopped = stop.Who
		s.journal.write(rundir.Event{Type: rundir.EventSignal, Signal: "SIGTERM", From: stop.Who, Wall: stop.Wall, Text: "the end was asked for"})
	}
	if f.signal == "SIGKILL" || f.code == 128+9 {
		var n int64
		if n, f.oomUnseen = oomKills("/", os.Getpid()); f.oomUnseen == "" {
			f.oomKills = n - s.child.OOM
		}
		f.kernel, f.kernelNot = kernelAbout(s.child.Pid, sinceBoot(s.child), ofMemory)
	}
	if crashed(f.signal) {
		f.crashLines, f.kernelNot = kernelAbout(s.child.Pid, sinceBoot(s.child), ofCrash)
		f.report, f.reportNot = crashOf(s.child.Pid, time.Unix(0, s.child.Wall))
	}
	f.tail = s.capture.tail(tailBytes)
	return tell(f)
}

// sinceBoot is when a process started on the clock of the kernel's log, in
// microseconds, a little early.
func sinceBoot(c childState) int64 {
	age := time.Now().UnixNano() - c.Wall
	return (monotonic()-age)/1000 - 1_000_000
}

// timeLimit is when the scheduler ends the job; zero: it does not say.
func timeLimit(getenv func(string) string) time.Time {
	n, err := strconv.ParseInt(getenv("SLURM_JOB_END_TIME"), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(n, 0)
}

// finish writes the ending, closes the directory and says what became of it.
func (s *Session) finish(begun time.Time) *Outcome {
	o := &Outcome{
		ID: s.id, Dir: s.dir, Pid: s.child.Pid, Code: -1, Known: s.end.known, Took: s.end.when.Sub(begun), ChildCPU: s.end.cpu, Fault: s.fault,
	}
	if s.hold != nil {
		o.settle = s.hold.settle
	}
	if o.Known && s.end.status.Signaled() {
		o.Signal = s.end.status.Signal()
	} else if o.Known {
		o.Code = s.end.status.ExitStatus()
	}
	if s.computing != nil {
		for _, e := range s.computing.idle() {
			s.journal.write(e)
		}
	}
	o.Ending = s.ending()
	s.journal.write(rundir.Event{Type: rundir.EventEnding, Kind: o.Ending.Kind, Evidence: o.Ending.Evidence, Offset: at(s.size())})
	for _, p := range s.left {
		o.Survivors = append(o.Survivors, p.String())
		s.journal.write(rundir.Event{
			Type: rundir.EventSurvivor, Pid: p.pid, Parent: p.parent, Group: p.group, Started: p.started, State: p.state, Argv: commandLine(p.pid), Offset: at(s.size()),
		})
	}
	if len(s.left) == 0 {
		s.takeRankLogs()
		s.artifacts()
	}
	o.CPU = ownCPU()
	if err := save(s.dir, costFile, costState{Own: o.CPU, Child: o.ChildCPU}); err != nil {
		s.say("%v", err)
	}
	if err := s.seal(); err != nil {
		s.say("the run is not closed: %v", err)
	}
	return o
}

// errWriters says why a run is left open.
var errWriters = errors.New("processes still write to its log; trainvet attach closes it when they have ended")

// seal closes the directory: nothing is written to it any more but a receipt.
// The lock on the sidecar is held to the end, so that nobody takes over a run
// that is being closed.
func (s *Session) seal() error {
	defer s.letGo()
	if s.spare != nil {
		if err := s.spare.release(); err != nil {
			return err
		}
	}
	if len(s.left) > 0 {
		return errWriters
	}
	if s.live != nil {
		if err := s.live.settle(s.dir); err != nil {
			return err
		}
		s.live.follow.Close()
	}
	s.journal.write(rundir.Event{Type: rundir.EventEnd, Offset: at(s.size())})
	if s.journal.err != nil {
		return s.journal.err
	}
	if info, err := os.Stat(filepath.Join(s.dir, ownFile)); err == nil && info.Size() == 0 {
		os.Remove(filepath.Join(s.dir, ownFile))
	}
	return rundir.WriteTrailer(s.dir, time.Now().UnixNano(), monotonic())
}
