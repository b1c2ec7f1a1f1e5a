//go:build unix

package supervise

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/trainvet/trainvet/logscan/rundir"
)

// The first words by which trainvet starts itself. No command begins with a dash.
const (
	asSupervisor = "-supervisor"
	asKeeper     = "-keeper"
)

// Role tells which part of a detached run this process is to play: supervisor,
// keeper or, empty, none.
func Role(args []string) string {
	if len(args) == 3 && (args[0] == asSupervisor || args[0] == asKeeper) {
		return args[0][1:]
	}
	return ""
}

// ReadOptions reads what the process that started us was told.
func ReadOptions(args []string) (dir string, opt Options, err error) {
	if err := json.Unmarshal([]byte(args[2]), &opt); err != nil {
		return "", opt, fmt.Errorf("reading the options of %s: %w", args[1], err)
	}
	return args[1], opt, nil
}

// report is what a part says through a pipe once the child runs, or does not.
type report struct {
	Pid   int    `json:"pid,omitempty"`
	Error string `json:"error,omitempty"`
	Code  int    `json:"code,omitempty"`
}

// reportFD is the descriptor of that pipe.
const reportFD = 3

// tellReport says it, once.
func tellReport(r report) {
	f := os.NewFile(reportFD, "report")
	if f == nil {
		return
	}
	defer f.Close()
	_ = json.NewEncoder(f).Encode(r) // nobody may listen any more
}

func hearReport(r io.Reader) (report, error) {
	line, err := bufio.NewReader(r).ReadBytes('\n')
	if err != nil {
		return report{}, fmt.Errorf("hearing from the supervisor: %w", err)
	}
	var got report
	if err := json.Unmarshal(line, &got); err != nil {
		return report{}, fmt.Errorf("hearing from the supervisor: %w", err)
	}
	return got, nil
}

// Detach hands a prepared session to a supervisor in a session of its own and
// returns when the child runs. The error is a *StartError.
func (s *Session) Detach() (pid int, err error) {
	s.letGo()
	s.opt.Dir = s.dir
	r, err := spawnSupervisor(s.dir, s.opt)
	if err == nil && r.Error != "" {
		err = &StartError{r.Code, errors.New(r.Error)}
	}
	if err != nil {
		s.Discard()
		var start *StartError
		if errors.As(err, &start) {
			return 0, err
		}
		return 0, own("detaching the run", err)
	}
	return r.Pid, nil
}

// spawnSupervisor starts a supervisor for a run directory and hears what it says.
func spawnSupervisor(dir string, opt Options) (report, error) {
	self, err := os.Executable()
	if err != nil {
		return report{}, fmt.Errorf("finding trainvet itself: %w", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return report{}, fmt.Errorf("starting the supervisor: %w", err)
	}
	defer r.Close()
	err = spawnSelf(self, asSupervisor, dir, opt, w, nil)
	w.Close()
	if err != nil {
		return report{}, err
	}
	return hearReport(r)
}

// spawnSelf starts trainvet in another role, through a reaper where there is
// one. What it has to say goes into the run directory, by its own hand: that of
// a run that is closed must not be touched.
func spawnSelf(self, role, dir string, opt Options, tell *os.File, r *reaper) error {
	text, err := json.Marshal(opt)
	if err != nil {
		return fmt.Errorf("encoding the options: %w", err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("starting the %s: %w", role[1:], err)
	}
	defer null.Close()
	l := launch{
		path: self, argv: []string{"trainvet", role, dir, string(text)}, env: os.Environ(),
		files: []*os.File{null, null, null, tell}, attr: &syscall.SysProcAttr{Setsid: true},
	}
	if r != nil {
		_, err = r.start(l)
		return err
	}
	p, err := os.StartProcess(l.path, l.argv, &os.ProcAttr{Env: l.env, Files: l.files, Sys: l.attr})
	if err != nil {
		return fmt.Errorf("starting the %s: %w", role[1:], err)
	}
	return p.Release()
}

// Supervise is the supervisor of a detached run: it starts the child through a
// keeper, or takes over one that runs, and closes the directory at the end.
func Supervise(dir string, opt Options) (*Outcome, error) {
	begun := time.Now()
	s, err := reopen(dir, opt)
	if err != nil {
		tellReport(report{Error: err.Error(), Code: CodeOwn})
		return nil, own("taking the run over", err)
	}
	s.reaper = newReaper()
	defer s.reaper.close()
	if err := adoptOrphans(); err != nil {
		s.say("grandchildren that outlive the trainer cannot be waited for: %v", err)
	}
	if s.child.Pid == 0 {
		if err := s.beginKept(); err != nil {
			tellReport(asReport(err))
			s.letGo()
			return nil, err
		}
	} else {
		s.takeOver()
		begun = time.Unix(0, s.child.Wall)
	}
	tellReport(report{Pid: s.child.Pid})
	if err := s.follow(); err != nil {
		s.say("%v", err)
	}
	s.spare = newSpare(s.dir, s.opt.Reserve)
	var release func()
	s.signals, release = catch()
	defer release()
	s.supervise()
	return s.finish(begun), nil
}

func asReport(err error) report {
	var start *StartError
	if errors.As(err, &start) {
		return report{Error: start.Error(), Code: start.Code}
	}
	return report{Error: err.Error(), Code: CodeOwn}
}

// lockTime is how long a supervisor waits for one before it to be gone.
const lockTime = 3 * time.Second

// Why a run is not taken over.
var (
	ErrSupervised = errors.New("the run has a supervisor")
	ErrClosed     = errors.New("the run is closed")
)

// reopen opens the directory of a run that is not closed, as its only
// supervisor.
func reopen(dir string, opt Options) (*Session, error) {
	side, err := soleWriter(dir)
	if err != nil {
		return nil, err
	}
	s := &Session{opt: opt, dir: dir, detached: true, where: look(os.Getenv), journal: &journal{out: side}}
	if err := s.reopen(); err != nil {
		s.letGo()
		return nil, err
	}
	return s, nil
}

// soleWriter waits for a supervisor that is about to go.
func soleWriter(dir string) (*rundir.Sidecar, error) {
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		side, err := rundir.OpenSidecar(dir)
		switch {
		case err == nil:
			return side, nil
		case !errors.Is(err, rundir.ErrTaken):
			return nil, err
		case time.Since(began) > lockTime:
			return nil, ErrSupervised
		}
	}
}

func (s *Session) reopen() error {
	d, err := rundir.Read(s.dir)
	if err != nil {
		return err
	}
	switch {
	case d.Manifest == nil:
		return fmt.Errorf("%s has no manifest", s.dir)
	case d.Trailer != nil:
		return ErrClosed
	}
	if s.home = d.Manifest.Capture.Home; s.home != "" && s.home != s.dir {
		if s.hold, err = take(s.dir, s.home); err != nil {
			return err
		}
	}
	s.id, s.bootID, s.opt.Argv = d.Manifest.ID, d.Manifest.BootID, d.Manifest.Argv
	log, err := os.OpenFile(filepath.Join(s.dir, rundir.LogFile), os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("opening the log: %w", err)
	}
	s.opt.Mode = File
	s.capture = &capture{mode: File, log: log, out: log, room: hasFirstRoom(log)}
	said, err := os.OpenFile(filepath.Join(s.dir, ownFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("opening the supervisor's log: %w", err)
	}
	s.opt.Stderr = said
	if err := load(s.dir, childFile, &s.child); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	s.recall(d)
	return nil
}

// recall takes from the sidecar what the supervisor before had seen.
func (s *Session) recall(d *rundir.Dir) {
	for i := range d.Events {
		switch e := &d.Events[i]; e.Type {
		case rundir.EventSignal:
			s.facts.received = append(s.facts.received, received{name: e.Signal, when: time.Unix(0, e.Wall), sent: e.Text == "passed on"})
		case rundir.EventFault:
			s.fault = &Fault{Marker: e.Marker, Scope: e.Scope, Device: e.Device, Text: e.Text}
			if e.Offset != nil {
				s.fault.Offset = *e.Offset
			}
		case rundir.EventExit:
			s.end = ended{done: true, known: true, when: time.Unix(0, e.Wall), status: statusOf(e)}
		}
	}
}

// statusOf makes the wait status of an exit event again.
func statusOf(e *rundir.Event) syscall.WaitStatus {
	if e.Code != nil {
		return syscall.WaitStatus(*e.Code << 8)
	}
	n := signalNumber(e.Signal)
	if e.Core {
		n |= 0x80
	}
	return syscall.WaitStatus(n)
}

// takeOver goes on with a child that runs, or has ended meanwhile.
func (s *Session) takeOver() {
	s.facts.lost = true
	s.patient = s.end.done // it was left open for what still wrote to it
	s.journal.write(rundir.Event{Type: rundir.EventProcess, Pid: os.Getpid(), Text: "a supervisor took over", Offset: at(s.size())})
}

// beginKept starts the child through a keeper. The supervisor adopts what the
// keeper leaves behind, and the keeper goes on when the supervisor is gone:
// whichever is killed, the other learns how the child ended.
func (s *Session) beginKept() error {
	self, err := os.Executable()
	if err != nil {
		return own("finding trainvet itself", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return own("starting the keeper", err)
	}
	defer r.Close()
	err = spawnSelf(self, asKeeper, s.dir, s.opt, w, s.reaper)
	w.Close()
	if err != nil {
		return own("starting the keeper", err)
	}
	got, err := hearReport(r)
	if err != nil {
		return own("starting the keeper", err)
	}
	if got.Error != "" {
		return &StartError{got.Code, errors.New(got.Error)}
	}
	if err := load(s.dir, childFile, &s.child); err != nil {
		return own("starting the trainer", err)
	}
	if p, ok := readProcess(s.child.Pid); ok {
		s.keeper = p.parent
	}
	s.journal.write(rundir.Event{
		Type: rundir.EventStart, Pid: s.child.Pid, Parent: s.keeper, Group: s.child.Group, Started: s.child.Started,
		Argv: s.opt.Argv, Rank: s.where.rank, Offset: at(0),
	})
	return nil
}

// Keep is the keeper of a detached run: the child's parent and nothing else. It
// writes down how the child ended, and starts a new supervisor when the one that
// started it is gone.
func Keep(dir string, opt Options) error {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, handled...) // none of them ends a keeper, and none is passed on
	r := newReaper()
	defer r.close()
	child, err := startKept(r, dir, opt)
	if err != nil {
		tellReport(asReport(err))
		return err
	}
	stayAwake(r, child.Pid)
	tellReport(report{Pid: child.Pid})
	parent := os.Getppid()
	tick := time.NewTicker(keeperInterval)
	defer tick.Stop()
	for restarts := 0; ; {
		select {
		case <-signals:
		case e := <-r.ended:
			if e.pid == child.Pid && !e.status.Stopped() && !e.status.Continued() {
				return save(dir, exitFile, exitState{Pid: e.pid, Status: uint32(e.status), CPU: cpuOf(&e.usage), Wall: time.Now().UnixNano()})
			}
		case <-tick.C:
			if now := os.Getppid(); now != parent && restarts < maxRestarts {
				parent = now
				restarts++
				resupervise(r, dir, opt)
			}
		}
	}
}

const (
	keeperInterval = 250 * time.Millisecond
	maxRestarts    = 20
)

// resupervise starts a supervisor; that none comes up costs the closing of the
// directory, which attach makes good.
func resupervise(r *reaper, dir string, opt Options) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	_ = spawnSelf(self, asSupervisor, dir, opt, null, r)
}

func startKept(r *reaper, dir string, opt Options) (childState, error) {
	path, err := find(opt.Argv[0])
	if err != nil {
		return childState{}, err
	}
	log, err := os.OpenFile(filepath.Join(dir, rundir.LogFile), os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return childState{}, own("opening the log", err)
	}
	defer log.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		return childState{}, own("starting the trainer", err)
	}
	defer null.Close()
	sink := (&capture{out: log}).sink()
	oom, _ := oomKills("/", os.Getpid())
	pid, err := r.start(launch{
		path: path, argv: opt.Argv, env: environment(told(os.Environ(), opt.Guards), dir, sink, opt.OnFault),
		files: []*os.File{null, log, log}, attr: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return childState{}, startError(err)
	}
	child := childOf(pid, now(), oom)
	if err := save(dir, childFile, child); err != nil {
		_ = syscall.Kill(-pid, syscall.SIGKILL) // nobody could ever find it again
		return childState{}, own("starting the trainer", err)
	}
	return child, nil
}
