//go:build unix

package supervise

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/trainvet/trainvet/guards/python"
	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/logscan/follow"
	"github.com/trainvet/trainvet/logscan/rundir"
)

// Session is one run, from its directory on.
type Session struct {
	opt      Options
	id, dir  string
	home     string // run directory, where the record is taken elsewhere
	hold     *hold
	where    surroundings
	prog     program
	detached bool

	capture   *capture
	journal   *journal
	reaper    *reaper
	tape      *tape
	live      *live
	spare     *spare
	computing *computing

	signals chan os.Signal // taken before there is a child, so that none is lost
	child   childState
	keeper  int // pid; 0: the child is ours
	console *os.File
	end     ended
	facts   facts
	asked   chan asked // what the audit says of a line that may be a fault
	asking  bool
	helper  int // pid of the command of --on-fault
	fault   *Fault
	bootID  string

	left      []process // that still write to the log
	raw       bool      // the terminal ends lines by itself no more
	patient   bool      // what writes to the log is waited for without bound
	orphans   int
	goneSince time.Time // when a child that is not ours was missed first
	hole      hole
	holeSaid  bool
}

// ended is what is known of the child's end.
type ended struct {
	done   bool
	known  bool
	status syscall.WaitStatus
	cpu    time.Duration
	when   time.Time
}

// ID names the run; Dir is its directory.
func (s *Session) ID() string { return s.id }

// Dir is the run directory.
func (s *Session) Dir() string { return s.dir }

// Prepare finds the program, and makes the run directory with its manifest, an
// empty log and the bootstrap of Python. Nothing is started. The error is a
// *StartError.
func Prepare(ctx context.Context, opt Options) (*Session, error) {
	path, err := find(opt.Argv[0])
	if err != nil {
		return nil, err
	}
	if opt.BatchCap > 0 {
		opt.Guards = append(slices.Clone(opt.Guards), python.EnvBatchCap+"="+strconv.Itoa(opt.BatchCap))
	}
	s := &Session{opt: opt, where: look(os.Getenv), prog: inspect(path)}
	p, err := newDirectory(&opt, time.Now())
	s.id, s.dir, s.home = p.id, p.dir, p.home
	if err == nil {
		err = s.stay(p.why)
	}
	if err != nil {
		s.Discard()
		return nil, own("preparing the run", err)
	}
	s.settleMode()
	if err := s.fill(ctx); err != nil {
		s.Discard()
		return nil, own("preparing the run", err)
	}
	return s, nil
}

// stay keeps a record that is taken elsewhere from being removed by others, and
// says where it is.
func (s *Session) stay(why string) (err error) {
	if s.home == "" {
		return nil
	}
	s.hold, err = take(s.dir, s.home)
	if err == nil && why != "" {
		s.say("the record is taken in %s until the run ends: %s", s.dir, why)
	}
	return err
}

func (s *Session) fill(ctx context.Context) error {
	var err error
	if s.capture, err = openCapture(s.dir, s.opt.Mode); err != nil {
		return err
	}
	s.capture.resize(s.opt.Stdin) // before anything asks for it
	if os.Getenv(python.Off) != "0" {
		if err := writePython(s.dir); err != nil {
			return err
		}
	}
	sites := s.sites(ctx)
	m := describe(ctx, &s.opt, s.id, s.where)
	if err := <-sites; err != nil {
		m.Unseen = append(m.Unseen, rundir.Seen{Kind: "sites", Text: err.Error()})
	}
	s.bootID = m.BootID
	m.Python = guarded(s.prog)
	_, scattered := spreads(s.opt.Argv)
	if m.Capture, err = s.capture.describe(!scattered, s.flushes()); err != nil {
		return err
	}
	m.Capture.Home = s.home
	if err := rundir.WriteManifest(s.dir, m); err != nil {
		return err
	}
	side, err := rundir.CreateSidecar(s.dir)
	if err != nil {
		return err
	}
	s.journal = &journal{out: side}
	return nil
}

// flushes: the program is known to write each line when it prints it. Behind a
// terminal every C library does; a Python process is made to; a Go program has
// no buffer. What a script starts is not known.
func (s *Session) flushes() bool {
	switch {
	case s.opt.Mode == TTY, s.prog.golang:
		return true
	case s.prog.python:
		return os.Getenv(python.Off) != "0" && !blind(s.opt.Argv)
	}
	return false
}

// Discard removes the directory of a run that never began.
func (s *Session) Discard() {
	s.letGo()
	for _, dir := range []string{s.dir, s.home} {
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	s.hold.release()
}

// letGo closes what is open.
func (s *Session) letGo() {
	if s.journal != nil {
		s.journal.out.Close()
	}
	if s.capture != nil {
		s.capture.close()
	}
	if s.tape != nil {
		s.tape.close()
	}
}

// find looks for a program as a shell does, and says by the code why not.
func find(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil {
		return path, nil
	}
	code := CodeNotExec
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		code = CodeMissing
	}
	return "", &StartError{code, fmt.Errorf("finding the program: %w", err)}
}

// attributes are how the child of a foreground run stands to trainvet: in a
// group of its own, so that a signal is passed on once and not heard twice; in
// the foreground of the terminal; as a rank, dead when trainvet is.
func (s *Session) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{}
	switch {
	case s.opt.Mode == TTY:
		attr.Setsid, attr.Setctty, attr.Ctty = true, true, 1
	default:
		attr.Setpgid = true
		if foreground(s.opt.Stdin) {
			s.console = s.opt.Stdin
			attr.Foreground, attr.Ctty = true, 0
		}
	}
	if s.where.rank != nil {
		dieWith(attr, syscall.SIGKILL)
	}
	return attr
}

// begin starts the child of a foreground run.
func (s *Session) begin() error {
	s.reaper = newReaper()
	if err := adoptOrphans(); err != nil && os.Getpid() != 1 {
		s.say("grandchildren that outlive the trainer cannot be waited for: %v", err)
	}
	in, err := s.input()
	if err != nil {
		return own("starting the trainer", err)
	}
	attr := s.attributes()
	oom, _ := oomKills("/", os.Getpid())
	pid, err := s.reaper.start(launch{
		path: s.prog.path, argv: s.opt.Argv, attr: attr, env: environment(told(os.Environ(), s.opt.Guards), s.dir, s.capture.sink(), s.opt.OnFault),
		files: []*os.File{in, s.capture.out, s.capture.out},
	})
	if err != nil {
		return startError(err)
	}
	s.child = childOf(pid, s.bootID, oom)
	if s.console != nil {
		front(s.console, s.child.Group) // it is there already: from now on trainvet writes from the background
	}
	if err := save(s.dir, childFile, s.child); err != nil {
		s.say("the run cannot be taken over by another trainvet: %v", err)
	}
	return nil
}

// input is the child's: the terminal of its own, what trainvet was given, or
// nothing.
func (s *Session) input() (*os.File, error) {
	switch {
	case s.capture.in != nil:
		return s.capture.in, nil
	case s.opt.Stdin != nil:
		return s.opt.Stdin, nil
	}
	return os.Open(os.DevNull)
}

// startError: the kernel did not take the program.
func startError(err error) error {
	code := CodeNotExec
	if errors.Is(err, fs.ErrNotExist) {
		code = CodeMissing // of a script: its interpreter
	}
	return &StartError{code, err}
}

func childOf(pid int, bootID string, oom int64) childState {
	c := childState{Pid: pid, Group: pid, BootID: bootID, Wall: time.Now().UnixNano(), OOM: oom}
	if p, ok := readProcess(pid); ok {
		c.Tick, c.Started = p.tick, p.started
	}
	return c
}

// follow opens what reads the log.
func (s *Session) follow() error {
	keep := s.opt.Keep
	if s.opt.MaxLog > 0 {
		keep = min(keep, s.opt.MaxLog/4)
	}
	var err error
	if s.tape, err = newTape(s.dir, s.capture.log, keep); err != nil {
		return own("following the run", err)
	}
	watch, err := newLineWatch(s.opt.Faults)
	if err != nil {
		return own("following the run", err)
	}
	s.live, err = openLive(filepath.Join(s.dir, rundir.LogFile), s.tape, s.journal, watch, s.cut)
	if err == nil && s.capture.room && s.tape.size == 0 {
		s.live.room = s.capture.log
	}
	return own("following the run", err)
}

// cut says that something other than the trainer's prints befell the log.
func (s *Session) cut(g follow.Gap) {
	hint := "a script that opens /dev/stdout or /dev/stderr anew does that, and --pipe is for it"
	if s.opt.Mode != File {
		hint = "what was read of it before is kept"
	}
	s.say("the log is not whole: %s; %s", g.Reason, hint)
}

// Run runs the child of a prepared session to its end. The error is a
// *StartError: no child was started, and the directory is gone.
func (s *Session) Run() (*Outcome, error) {
	begun := time.Now()
	var release func()
	s.signals, release = catch()
	defer release()
	if _, err := s.journal.out.Lock(); err != nil {
		s.say("the run directory cannot be locked: %v", err)
	}
	if row, scattered := spreads(s.opt.Argv); scattered {
		s.say("%s collects the output of its processes in no order: put trainvet inside, as %s", row.name, row.does)
	}
	if err := s.begin(); err != nil {
		s.Discard()
		return nil, err
	}
	defer s.reaper.close()
	s.capture.began()
	restore, err := s.capture.keyboard(s.opt.Stdin)
	if err != nil {
		s.say("%v", err)
		restore = func() {}
	}
	s.raw = err == nil && s.opt.Mode == TTY && foreground(s.opt.Stdin)
	s.journal.write(rundir.Event{
		Type: rundir.EventStart, Pid: s.child.Pid, Parent: os.Getpid(), Group: s.child.Group, Started: s.child.Started,
		Argv: s.opt.Argv, Rank: s.where.rank, Offset: at(0),
	})
	if err := s.follow(); err != nil {
		s.say("%v", err) // the child writes to the log whether or not we read it
	}
	s.spare = newSpare(s.dir, s.opt.Reserve)
	s.supervise()
	restore()
	s.raw = false
	return s.finish(begun), nil
}

// now is the id of the present boot.
func now() string { return machine.BootID() }
