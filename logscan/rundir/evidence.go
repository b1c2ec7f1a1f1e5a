package rundir

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Evidence turns the directory into what the verdict reads. It verifies every
// file, and reads all run records. Places name their source by the path of the
// directory joined with the file, as an audit of the directory names it.
func (d *Dir) Evidence() *evidence.Run {
	r := &evidence.Run{
		ID:       filepath.Base(d.Path),
		Manifest: d.manifestWhole,
		Trailer:  d.trailerWhole,
		Sealed:   d.Sealed(),
		Loose:    d.loose,
		Ending:   "unknown",
	}
	for _, x := range d.Verify() {
		if x.Kind != NoTrailer { // Trailer says it
			r.Damage = append(r.Damage, x.String())
		}
	}
	d.addManifest(r)
	d.addEvents(r)
	d.addRecords(r)
	d.addSilent(r)
	return r
}

func (d *Dir) addManifest(r *evidence.Run) {
	m := d.Manifest
	if m == nil {
		return
	}
	r.ID, r.World, r.Python, r.BootID, r.HostPids = m.ID, m.World, m.Python, m.BootID, m.Host.InitialPids
	if m.Rank != nil {
		r.Ranks = []int{*m.Rank}
	}
	r.Before, r.Unseen = seenLines(m.Before), seenLines(m.Unseen)
	if m.Resolved != "" {
		r.Before = append(r.Before, m.Resolved)
	}
	if m.Machine.Why != "" {
		r.Unseen = append(r.Unseen, "machine state: "+m.Machine.Why)
	}
	r.Machine = slices.Clone(m.Machine.Taints)
	r.Probes = slices.Clone(m.Machine.Probes)
}

func seenLines(list []Seen) []string {
	var lines []string
	for _, s := range list {
		if s.Kind == "taint" { // the machine's state says it, and is judged
			continue
		}
		lines = append(lines, s.Kind+": "+s.Text)
	}
	return lines
}

func (d *Dir) addEvents(r *evidence.Run) {
	for i := range d.Events {
		switch e := &d.Events[i]; e.Type {
		case EventExit:
			r.Exit, r.Signal, r.Ending = e.Code, e.Signal, "exit"
			if e.Signal != "" {
				r.Ending = "signal"
			}
		case EventArtifact:
			r.Artifacts = append(r.Artifacts, d.artifact(e))
		}
	}
	for i := range d.Events { // an ending explains an exit, whichever was written first
		if e := &d.Events[i]; e.Type == EventEnding {
			r.Ending, r.EndingWhy = e.Kind, append(r.EndingWhy, e.Evidence...)
		}
	}
	for i := range d.Events {
		switch e := &d.Events[i]; e.Type {
		case EventSignal:
			r.EndingWhy, r.Told = append(r.EndingWhy, signalLine(e)), append(r.Told, e.Signal)
		case EventSurvivor:
			r.EndingWhy = append(r.EndingWhy, fmt.Sprintf("process %d (%s) still held the log, in state %s", e.Pid, strings.Join(e.Argv, " "), e.State))
		}
	}
}

func signalLine(e *Event) string {
	line := e.Signal
	if e.From != "" {
		line += " from " + e.From
	}
	if e.Text != "" {
		line += ": " + e.Text
	}
	return line
}

func (d *Dir) artifact(e *Event) evidence.Artifact {
	a := evidence.Artifact{
		At: evidence.Pos{Source: d.source(SidecarFile), Line: int64(e.Seq), Time: e.Wall},
		Op: e.Op, Path: e.Path, Size: e.Size, Digest: e.Digest, Kind: e.Kind, Taint: e.Taint, Doubt: e.Doubt, Pid: e.Pid, Rank: e.Rank, Sink: d.logPlace(e.Offset),
	}
	if a.Sink == nil && a.Op == "wrote" && e.Changed != 0 {
		a.Sink, a.Latest = d.between(e.Changed)
	}
	return a
}

// liveDelay is how long before it was written down a fault may have been
// printed: it is looked for while the run goes on, several times a second.
const liveDelay = int64(5e9)

// between bounds how much had been printed at a time, by the events that carry
// both. A fault was seen when its event says, and was not there yet well before.
func (d *Dir) between(wall int64) (least, most *evidence.Pos) {
	least = d.logPlace(new(int64))
	for i := range d.Events {
		e := &d.Events[i]
		if e.Offset == nil || e.Type == EventArtifact || e.Type == EventDiscontinuity {
			continue
		}
		early := e.Wall
		if e.Type == EventFault {
			early -= liveDelay
		}
		switch {
		case e.Wall <= wall && *e.Offset > least.Offset:
			least = d.logPlace(e.Offset)
			if e.Type == EventFault {
				least.Offset++ // the first byte of its line was there
			}
		case early >= wall && (most == nil || *e.Offset < most.Offset):
			most = d.logPlace(e.Offset)
		}
	}
	if most == nil {
		most = d.logPlace(new(int64))
		most.Offset = math.MaxInt64
	}
	return least, most
}

func (d *Dir) logPlace(offset *int64) *evidence.Pos {
	if offset == nil {
		return nil
	}
	return &evidence.Pos{Source: d.source(LogFile), Offset: *offset}
}

// Capture says what is proven about the source run.log.
func (d *Dir) Capture() evidence.Capture {
	c := evidence.Capture{Sealed: d.Sealed()}
	if m := d.Manifest; m != nil && d.manifestWhole {
		c.OneOrder, c.LineFlush = m.Capture.OneOrder, m.Capture.LineFlush
	}
	for i := range d.Events {
		c.ExitKnown = c.ExitKnown || d.Events[i].Type == EventExit
	}
	if damage := d.Verify(); len(damage) > 0 {
		c.Broken = damage[0].String()
	}
	return c
}

// Breaks are the places behind which run.log is not whole. A discontinuity
// without a place counts from the first byte.
func (d *Dir) Breaks() []evidence.Break {
	var breaks []evidence.Break
	for i := range d.Events {
		e := &d.Events[i]
		if e.Type != EventDiscontinuity {
			continue
		}
		at := evidence.Pos{Source: d.source(LogFile), Time: e.Wall}
		if e.Offset != nil {
			at.Offset = *e.Offset
		}
		breaks = append(breaks, evidence.Break{At: at, Kind: "discontinuity", Text: strings.TrimSpace(e.Kind + " " + e.Text)})
	}
	return breaks
}

// startSlack is how far two sources may disagree on when a process started:
// kernels count ticks of up to 10 ms from a boot time of whole seconds.
const startSlack = int64(2e9)

// addSilent names the processes that loaded the framework and said no boot. A
// forked child of a process that booted carries its hooks and is not silent.
func (d *Dir) addSilent(r *evidence.Run) {
	booted := map[int][]int64{}
	for i := range r.Boots {
		if b := &r.Boots[i]; len(b.Live) > 0 || b.Lang == "go" {
			booted[b.Pid] = append(booted[b.Pid], b.Start)
		}
	}
	spoke := func(pid int, started int64) bool {
		return slices.ContainsFunc(booted[pid], func(s int64) bool {
			return s == 0 || started == 0 || max(s-started, started-s) <= startSlack
		})
	}
	var silent, loaded []string
	for _, c := range d.children {
		if c.expect && !spoke(c.pid, 0) {
			silent = append(silent, fmt.Sprintf("process %d (%s), started by %d", c.pid, c.what, c.parent))
		} else if !c.expect && c.fork {
			booted[c.pid] = append(booted[c.pid], 0)
		}
	}
	heard := func(e *Event) bool { // whatever else it computes with
		return slices.ContainsFunc(r.Boots, func(b evidence.Boot) bool { return b.Pid == e.Pid })
	}
	for i := range d.Events {
		switch e := &d.Events[i]; {
		case e.Type != EventProcess:
		case e.Kind == "" && e.Library != "" && !spoke(e.Pid, e.Started):
			loaded = append(loaded, fmt.Sprintf("process %d (%s), which loaded %s", e.Pid, strings.Join(e.Argv, " "), e.Library))
		case e.Kind == KindAccelerator && !heard(e):
			loaded = append(loaded, fmt.Sprintf("process %d (%s), which opened %s", e.Pid, strings.Join(e.Argv, " "), e.Path))
		}
	}
	if promised := r.Python || len(r.Boots) > 0 || d.noRecords; promised {
		silent, loaded = append(silent, loaded...), nil
	}
	slices.Sort(silent)
	slices.Sort(loaded)
	r.Silent, r.Unheard = slices.Compact(silent), slices.Compact(loaded)
}

// child is a process that a guarded one started.
type child struct {
	pid, parent  int
	what         string
	expect, fork bool
}
