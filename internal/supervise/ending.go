package supervise

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Kinds of ending (EventEnding of package rundir).
const (
	EndExit      = "exit"
	EndSignal    = "signal"
	EndOOM       = "oom"
	EndTimeLimit = "time-limit"
	EndPreempted = "preempted"
	EndReboot    = "reboot"
	EndTeardown  = "teardown"
	EndUnknown   = "unknown"
)

// Ending says why a run ended, and what shows it.
type Ending struct {
	Kind     string
	Evidence []string
}

// received is a signal that came to trainvet.
type received struct {
	name string
	when time.Time
	sent bool // passed on to the child
}

// facts are all that an ending is told by.
type facts struct {
	known      bool   // the child's exit
	code       int    // of the exit; -1: a signal
	signal     string // that ended the child: SIGKILL …
	core       bool
	when       time.Time
	bootThen   string
	bootNow    string
	received   []received
	stopped    string    // who asked for the end by `trainvet stop` or --on-fault
	scheduler  string    // above the run; empty: none
	term       string    // what its SIGTERM means
	limit      time.Time // end of the job's time, as the scheduler says; zero: not known
	oomKills   int64     // of the cgroup during the run
	oomUnseen  string    // why it could not be read
	kernel     []string  // lines of the kernel that it killed the child for its memory
	crashLines []string  // its lines of what the child did that it may not
	kernelNot  string    // why they could not be read
	report     string    // what the system's report of a crash says
	reportNot  string    // why there is none
	lost       bool      // the supervisor was lost in between
	tail       []byte    // end of the log
}

// A time limit ends a job within its grace: Slurm's KillWait is 30 s.
const limitSlack = 2 * time.Minute

// tell finds the ending. The first rule that holds names it; all that was seen
// is shown.
func tell(f facts) Ending {
	e := Ending{Kind: f.kind()}
	add := func(format string, args ...any) { e.Evidence = append(e.Evidence, fmt.Sprintf(format, args...)) }
	switch {
	case f.bootThen != "" && f.bootNow != "" && f.bootThen != f.bootNow:
		add("boot id %s then, %s now", f.bootThen, f.bootNow)
	case !f.known && f.lost:
		add("the exit status is not known: trainvet was not there when the process ended")
	case !f.known:
		add("the exit status is not known")
	case f.signal != "":
		add("wait status: %s%s", f.signal, map[bool]string{true: ", core dumped"}[f.core])
	default:
		add("wait status: exit code %d%s", f.code, shellSays(f.code))
	}
	if f.stopped != "" {
		add("%s asked for the end", f.stopped)
	}
	for _, r := range f.received {
		add("trainvet received %s%s at %s", r.name, map[bool]string{true: " and passed it on"}[r.sent], r.when.UTC().Format(time.RFC3339))
	}
	if f.oomKills > 0 {
		add("the cgroup counts %d out-of-memory kills during the run", f.oomKills)
	}
	for _, line := range append(f.kernel[:len(f.kernel):len(f.kernel)], f.crashLines...) {
		add("kernel: %s", line)
	}
	if f.report != "" {
		add("crash report %s", f.report)
	}
	if f.reportNot != "" {
		add("no crash report: %s", f.reportNot)
	}
	if crashed(f.signal) && f.kernelNot != "" && f.report == "" {
		add("the kernel log is not readable: %s", f.kernelNot)
	}
	if !f.limit.IsZero() && e.Kind == EndTimeLimit {
		add("%s ends the job at %s", f.scheduler, f.limit.UTC().Format(time.RFC3339))
	}
	if e.Kind == EndSignal && f.signal == "SIGKILL" && f.stopped == "" {
		f.unseen(add)
	}
	return Ending{e.Kind, append(e.Evidence, stacks(f.tail, f.signal != "" || f.code != 0 || !f.known)...)}
}

func (f *facts) kind() string {
	term := f.has("SIGTERM")
	byTerm := f.signal == "SIGTERM" || f.signal == "SIGKILL" || f.known && f.code != 0
	switch {
	case f.bootThen != "" && f.bootNow != "" && f.bootThen != f.bootNow:
		return EndReboot
	case !f.known:
		return EndUnknown
	case f.code == 0:
		return EndExit
	case f.signal == "SIGKILL" && (f.oomKills > 0 || len(f.kernel) > 0), f.code == 128+9 && f.oomKills > 0:
		return EndOOM
	case f.stopped != "" && f.signal != "":
		return EndSignal
	case term && byTerm && f.scheduler != "" && !f.limit.IsZero() && f.when.After(f.limit.Add(-limitSlack)):
		return EndTimeLimit
	case term && byTerm && f.scheduler != "":
		return f.term
	case f.signal == "SIGHUP", f.signal != "" && f.has("SIGHUP"):
		return EndTeardown
	case f.signal != "":
		return EndSignal
	}
	return EndExit
}

func (f *facts) has(name string) bool {
	for _, r := range f.received {
		if r.name == name {
			return true
		}
	}
	return false
}

// unseen says what could have told who sent a SIGKILL.
func (f *facts) unseen(add func(string, ...any)) {
	if f.oomUnseen != "" {
		add("whether memory ran out is not known: %s", f.oomUnseen)
	}
	if f.kernelNot != "" {
		add("the kernel log is not readable: %s", f.kernelNot)
	}
	add("who sent it is not known")
}

// shellSays: a shell turns the signal that ended its command into a code.
func shellSays(code int) string {
	names := map[int]string{1: "SIGHUP", 2: "SIGINT", 6: "SIGABRT", 7: "SIGBUS", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM"}
	if name := names[code-128]; name != "" {
		return " (as a shell says of " + name + ")"
	}
	return ""
}

// Lines that faulthandler prints.
var (
	fatal  = regexp.MustCompile(`(?m)^(Fatal Python error: .{1,200}|Windows fatal exception: .{1,200})$`)
	thread = regexp.MustCompile(`(?m)^(Current thread|Thread) 0x[0-9a-f]+.*\(most recent call first\):$`)
)

const maxFrames = 3

// stacks finds what faulthandler wrote at the end of a log: the error and the
// stack of the thread that died.
func stacks(tail []byte, wanted bool) []string {
	if !wanted {
		return nil
	}
	all := fatal.FindAllIndex(tail, -1)
	if len(all) == 0 {
		return nil
	}
	at := all[len(all)-1]
	found := []string{"faulthandler: " + string(tail[at[0]:at[1]])}
	rest := tail[at[1]:]
	others := false
	for _, m := range thread.FindAllIndex(rest, -1) {
		if bytes.HasPrefix(rest[m[0]:], []byte("Current thread")) {
			return append(found, frames(rest[m[1]:])...)
		}
		others = true
	}
	if others {
		return append(found, "the thread that died is none of Python's: "+notPython)
	}
	return found
}

// notPython explains a stack without Python in it.
const notPython = "it was in native code that no Python line had called, as backward threads and drivers are"

func frames(text []byte) []string {
	var found []string
	for line := range strings.Lines(strings.TrimLeft(string(text), "\r\n")) {
		frame := strings.TrimSpace(line)
		if !strings.HasPrefix(line, "  ") || len(found) == maxFrames {
			break
		}
		if strings.HasPrefix(frame, "<no Python frame>") {
			return append(found, "the thread that died was not running Python (<no Python frame>): "+notPython)
		}
		found = append(found, "in "+frame)
	}
	return found
}
