//go:build unix

package supervise

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// onFault says the first fault in one line, and does what --on-fault asks for.
// The line goes to trainvet's standard error and never into the log.
func (s *Session) onFault() {
	f := s.fault
	s.say("FAULT %s, line %d of the log: %s; what is computed from here on is not to be believed", f.Marker, f.Line, f.Text)
	switch s.opt.OnFault {
	case "", Warn:
	case Stop:
		s.stop("--on-fault stop")
	default:
		s.command(s.opt.OnFault)
	}
}

// stop asks the trainer to end, and kills it when it does not.
func (s *Session) stop(who string) {
	if s.end.done {
		return
	}
	if err := save(s.dir, stopFile, stopState{Who: who, Wall: time.Now().UnixNano()}); err != nil {
		s.say("%v", err)
	}
	sent := syscall.Kill(-s.child.Group, syscall.SIGTERM) == nil
	s.say("the trainer is asked to end (%s)", who)
	if sent {
		child, boot := s.child, s.bootID
		time.AfterFunc(s.opt.Grace, func() {
			if child.alive(boot) {
				_ = syscall.Kill(-child.Group, syscall.SIGKILL)
			}
		})
	}
}

// command runs a shell command once. What it prints goes to trainvet's standard
// error; it is told of the run by its environment.
func (s *Session) command(text string) {
	f := s.fault
	env := append(os.Environ(),
		"TRAINVET_RUN="+s.dir, fmt.Sprintf("TRAINVET_PID=%d", s.child.Pid), "TRAINVET_FAULT="+f.Marker,
		fmt.Sprintf("TRAINVET_FAULT_LINE=%d", f.Line), "TRAINVET_FAULT_TEXT="+f.Text)
	null, err := os.Open(os.DevNull)
	if err != nil {
		s.say("--on-fault: %v", err)
		return
	}
	defer null.Close()
	out := os.Stderr
	if own, ok := s.opt.Stderr.(*os.File); ok {
		out = own
	}
	if s.reaper == nil {
		return
	}
	pid, err := s.reaper.start(launch{path: "/bin/sh", argv: []string{"sh", "-c", text}, env: env, files: []*os.File{null, out, out}})
	if err != nil {
		s.say("--on-fault: %v", err)
		return
	}
	s.helper = pid
	s.journal.write(rundir.Event{Type: rundir.EventProcess, Pid: pid, Argv: []string{"sh", "-c", text}, Text: "started by --on-fault", Offset: at(s.size())})
}

func (s *Session) helperEnded(e exited) {
	s.helper = 0
	switch {
	case !e.status.Exited():
		s.say("the command of --on-fault was ended by %s", signalName(e.status.Signal()))
	case e.status.ExitStatus() != 0:
		s.say("the command of --on-fault ended with code %d", e.status.ExitStatus())
	}
}
