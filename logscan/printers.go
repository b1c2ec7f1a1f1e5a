package logscan

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/marker"
	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/source"
)

// Some launchers and collectors (Ray, a journal) say in front of each line which
// process printed it. Such processes are told apart, whatever their counters do.

// maxPrinters bounds the processes of one source that are told apart; further
// ones count as not named.
const maxPrinters = 256

// printers are the processes that the lines of a source name.
type printers struct {
	index   map[string]int // from 1
	list    []evidence.Printer
	bounds  []int // boundary at which each began; -1: none
	trouble bool  // a fault or crash was seen: what begins from here on is a new process behind it
}

// printer notes which process a line is of. A traceback may be another one's.
func (p *textPass) printer(l *source.Line) {
	p.ofRemote(l)
	if l.Prefix.Printer == "" {
		return
	}
	c := p.c
	if _, known := c.procs.index[l.Prefix.Printer]; known {
		return
	}
	if len(c.procs.list) >= maxPrinters {
		l.Prefix.Printer = ""
		return
	}
	at := evidence.Pos{Source: c.src.ID, Offset: l.Offset, Line: l.No, Time: l.Prefix.Time}
	if c.procs.index == nil {
		c.procs.index = map[string]int{}
	}
	bound := -1
	behind := c.procs.trouble && p.remote == "" && c.procs.hasLike(l.Prefix.Printer)
	c.procs.list = append(c.procs.list, evidence.Printer{Name: l.Prefix.Printer, First: at})
	c.procs.index[l.Prefix.Printer] = len(c.procs.list)
	if behind {
		bound = len(c.out.Boundaries)
		at.Segment = len(c.procs.list)
		c.boundary(evidence.Boundary{At: at, Kind: "restart", NewProcess: true, Printer: l.Prefix.Printer, Text: clip(l.Text, 0)})
	}
	c.procs.bounds = append(c.procs.bounds, bound)
}

// hasLike: a process of this kind printed before. The first one that prints may
// have run, silent, since before the fault.
func (ps *printers) hasLike(name string) bool {
	return slices.ContainsFunc(ps.list, func(p evidence.Printer) bool {
		return p.Name[len(p.Name)-1] == name[len(name)-1]
	})
}

// begins notes where a program first printed, and when: the kernel's lines may
// stand in the same source.
func (c *collector) begins(l *source.Line) {
	switch b := c.src.Begins; {
	case l.Prefix.Kernel || len(l.Text) == 0 || b != nil && (b.Time != 0 || l.Prefix.Time == 0):
	case b == nil:
		c.src.Begins = &evidence.Pos{Source: c.src.ID, Offset: l.Offset, Line: l.No, Time: l.Prefix.Time}
	default:
		c.src.Begins = &evidence.Pos{Source: c.src.ID, Offset: b.Offset, Line: b.Line, Time: l.Prefix.Time}
	}
}

// begun is the boundary of the process whose first counter a record holds; -1:
// it holds none, or the process began before any fault.
func (ps *printers) begun(r *metric.Record) int {
	i := ps.index[r.Printer]
	if i == 0 || !r.Step.Has && !r.Epoch.Has {
		return -1
	}
	b := ps.bounds[i-1]
	ps.bounds[i-1] = -1
	return b
}

// printerOf is the process that a marker is of: a kernel line names the one that
// it tells of, or at least its host; any other is printed by it.
func printerOf(m *marker.Match, l *source.Line) string {
	pid := m.Attrs["pid"]
	if !l.Prefix.Kernel {
		return l.Prefix.Printer
	}
	if _, err := strconv.Atoi(pid); err != nil {
		pid = ""
	}
	if pid == "" && l.Prefix.Host == "" {
		return ""
	}
	return l.Prefix.Host + string(evidence.HostPid[0]) + pid + string(evidence.HostPid[1])
}

// ofRemote: Ray's driver prints the traceback of a task or an actor behind a line
// that names its process, up to the exception.
func (p *textPass) ofRemote(l *source.Line) {
	switch {
	case l.Prefix.Printer != "":
		p.remote = ""
	case bytes.HasPrefix(bytes.TrimLeft(l.Text, " "), remoteWord) && bytes.Contains(l.Text, remoteTask):
		p.remote = remoteProcess(l.Text)
		l.Prefix.Printer = p.remote
	case p.remote != "":
		l.Prefix.Printer = p.remote
		if len(l.Text) > 0 && l.Text[0] != ' ' {
			p.remote = ""
		}
	}
}

var (
	remoteWord = []byte("ray")
	remoteTask = []byte("ray::")
	remotePid  = []byte("(pid=")
	remoteHost = []byte(", ip=")
)

// remoteProcess reads ray::train_fn() (pid=2312, ip=172.17.0.2).
func remoteProcess(text []byte) string {
	_, in, ok := bytes.Cut(text[bytes.Index(text, remoteTask):], remotePid)
	in, _, closed := bytes.Cut(in, []byte(")"))
	if !ok || !closed {
		return ""
	}
	pid, rest, _ := bytes.Cut(in, remoteHost)
	host, _, _ := bytes.Cut(rest, []byte(","))
	pid, _, _ = bytes.Cut(pid, []byte(","))
	if _, err := strconv.Atoi(string(pid)); err != nil {
		return ""
	}
	return string(host) + string(evidence.OwnPid[0]) + string(pid) + string(evidence.OwnPid[1])
}
