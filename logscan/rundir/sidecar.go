package rundir

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/trainvet/trainvet/guards/record"
)

// EventType names what a line of the sidecar says.
type EventType string

// The event types of version 1.
const (
	EventStart         EventType = "start"         // the child runs
	EventSink          EventType = "sink"          // output goes on in another inode
	EventProcess       EventType = "process"       // a process of the run was seen
	EventDiscontinuity EventType = "discontinuity" // the capture has a hole, or its order is lost
	EventFault         EventType = "fault"         // first fault marker, as seen live
	EventArtifact      EventType = "artifact"      // a file that the run wrote or read, digest taken after it was closed
	EventSignal        EventType = "signal"        // a signal was passed on or received
	EventSurvivor      EventType = "survivor"      // a process that still holds the capture
	EventExit          EventType = "exit"          // the child ended
	EventEnding        EventType = "ending"        // why, with the evidence
	EventEnd           EventType = "end"           // the sidecar is complete
)

// Kinds of a process event: what is known of its accelerator.
const (
	KindAccelerator   = "accelerator"    // it has one open, by the device file in Path
	KindNoAccelerator = "no-accelerator" // it loaded the framework and was never seen with one open
)

// Event is one line of sidecar.jsonl, in the line form of the run record: JSON
// closed by its CRC, appended by one write, numbered from 1.
type Event struct {
	Version int       `json:"v"`
	Type    EventType `json:"type"`
	Wall    int64     `json:"wall"`
	Mono    int64     `json:"mono"`
	Seq     uint64    `json:"seq"`
	Offset  *int64    `json:"offset,omitempty"` // of the capture at this moment

	Pid      int      `json:"pid,omitempty"`
	Parent   int      `json:"ppid,omitempty"`
	Group    int      `json:"pgid,omitempty"`
	Started  int64    `json:"started,omitempty"` // start of the process, Unix nanoseconds
	Argv     []string `json:"argv,omitempty"`
	Rank     *int     `json:"rank,omitempty"`
	State    string   `json:"state,omitempty"`   // of a survivor: R, S, D, Z …
	Library  string   `json:"library,omitempty"` // of a process: the framework that it has loaded
	Sink     *Sink    `json:"sink,omitempty"`
	Kind     string   `json:"kind,omitempty"`     // of a discontinuity, artifact, ending, process
	Lost     int64    `json:"lost,omitempty"`     // bytes; -1: not known
	Marker   string   `json:"marker,omitempty"`   // id of a fault marker
	Scope    string   `json:"scope,omitempty"`    // of a fault
	Device   string   `json:"device,omitempty"`   // uuid, of a fault
	Op       string   `json:"op,omitempty"`       // of an artifact: wrote, read
	Path     string   `json:"path,omitempty"`     // of an artifact; of a process: the device that it has open
	Size     int64    `json:"size,omitempty"`     // of an artifact
	Digest   string   `json:"sha256,omitempty"`   // of an artifact
	Changed  int64    `json:"changed,omitempty"`  // of an artifact: its last change, Unix nanoseconds
	Taint    string   `json:"taint,omitempty"`    // of an artifact: marker or run that tainted it
	Doubt    bool     `json:"doubt,omitempty"`    // of an artifact: Taint is not proven
	Signal   string   `json:"signal,omitempty"`   // of a signal, an exit
	From     string   `json:"from,omitempty"`     // of a signal: who sent it
	Code     *int     `json:"code,omitempty"`     // of an exit; nil with a signal
	Core     bool     `json:"core,omitempty"`     // of an exit: core dumped
	Evidence []string `json:"evidence,omitempty"` // of an ending
	Text     string   `json:"text,omitempty"`
}

// maxEvent bounds a line of the sidecar.
const maxEvent = record.MaxLine

// AppendEvent writes the line of an event behind b.
func AppendEvent(b []byte, e Event) ([]byte, error) {
	e.Version = Version
	text, err := json.Marshal(e)
	if err != nil {
		return b, fmt.Errorf("encoding a %s event: %w", e.Type, err)
	}
	if len(text)+32 > maxEvent {
		return b, fmt.Errorf("encoding a %s event: %d bytes, %d at most", e.Type, len(text), maxEvent-32)
	}
	start := len(b)
	b = append(b, text[:len(text)-1]...)
	return record.AppendCRC(b, start), nil
}

// readSidecar reads the events, and what is wrong with the file.
func readSidecar(text []byte) (events []Event, damage []Damage) {
	bad := func(kind DamageKind, format string, args ...any) {
		damage = append(damage, Damage{File: SidecarFile, Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	var last uint64
	for no := 1; len(text) > 0; no++ {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		text = rest
		if !ended {
			bad(Cut, "the last line is cut")
			break
		}
		if !record.CheckCRC(line) {
			bad(Changed, "line %d: no event, or its CRC does not hold", no)
			continue
		}
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			bad(Malformed, "line %d: %.200s", no, err)
			continue
		}
		if err := checkVersion(SidecarFile, e.Version); err != nil {
			bad(Malformed, "line %d: %v", no, err)
			continue
		}
		if e.Seq != last+1 {
			bad(Gap, "line %d: event %d comes after event %d", no, e.Seq, last)
		}
		last = e.Seq
		events = append(events, e)
	}
	return events, damage
}
