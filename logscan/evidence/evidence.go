// Package evidence is the contract between reading and judging (C4).
//
// Everything that a scan of one run's sources found is an [Evidence]: which
// sources there were and how whole they are, the markers, the metric values as
// tables of rows, the process boundaries, the clocks. It is plain data: it
// merges (shards are whole sources), it serialises, and a verdict is computed
// from it alone, by package verdict, without any I/O.
//
// State is aggregated, never a list of all events: a marker keeps its first,
// its last and a count; a table merges neighbouring plain rows once it holds
// more than its limit, and never across anything that a verdict may turn on.
package evidence

import "strings"

// Version is the version of the evidence JSON.
const Version = 1

// Evidence is what the sources of one run say.
type Evidence struct {
	Version    int        `json:"version"`
	Sources    []Source   `json:"sources"`
	Boundaries []Boundary `json:"boundaries,omitempty"`
	Markers    []Marker   `json:"markers,omitempty"`
	Tracks     []Track    `json:"tracks,omitempty"`
	Decisions  []Decision `json:"decisions,omitempty"`
	Artifacts  []Artifact `json:"artifacts,omitempty"`
	Run        *Run       `json:"run,omitempty"`
	Unread     []Unread   `json:"unread,omitempty"`
}

// Source is one file (or stream, or archive member) of the run.
type Source struct {
	ID     string `json:"id"`               // path as named, unique within the evidence
	Kind   string `json:"kind"`             // console, trainer-state, tfevents, csv, jsonl, kernel, ...
	Stream string `json:"stream,omitempty"` // out, err, both; empty: not known
	Group  string `json:"group"`            // the job that the source belongs to
	Host   string `json:"host,omitempty"`
	Rank   *int   `json:"rank,omitempty"`

	Bytes int64 `json:"bytes"`
	Lines int64 `json:"lines"`
	// Sampled: dense training series were read in samples, everything else whole.
	Sampled bool `json:"sampled,omitempty"`
	// FlushShown: a stretch of the source's own bytes under 4 KiB stood
	// between foreign lines, so its writer flushes by line.
	FlushShown bool `json:"flush_shown,omitempty"`
	// StderrShown: something in the source can only have come from standard error.
	StderrShown bool `json:"stderr_shown,omitempty"`
	// EndShown: the run's own end line was seen.
	EndShown bool `json:"end_shown,omitempty"`

	// Begins is the first line that is no kernel's, with the first time stamp of such a line.
	Begins *Pos `json:"begins,omitempty"`
	// Printers are the processes that its lines name, in the order in which they first printed.
	Printers []Printer `json:"printers,omitempty"`

	Capture *Capture `json:"capture,omitempty"`
	Clock   Clock    `json:"clock"`
	Breaks  []Break  `json:"breaks,omitempty"`
	Notes   []string `json:"notes,omitempty"` // what its reader has to say: a last row cut off, an encoding guessed
}

// Capture says what is proven about a source that trainvet itself recorded.
type Capture struct {
	Sealed    bool   `json:"sealed"`     // header and trailer present, digests and sizes match
	OneOrder  bool   `json:"one_order"`  // both streams in one append-only sink
	LineFlush bool   `json:"line_flush"` // the child was made to flush by line
	ExitKnown bool   `json:"exit_known"`
	Broken    string `json:"broken,omitempty"` // why it is not sealed
}

// Printer is a process that printed lines of a source.
type Printer struct {
	Name  string `json:"name"` // see Apart
	First Pos    `json:"first"`
}

// Clock describes the time stamps of a source.
type Clock struct {
	Kind       string `json:"kind,omitempty"`       // wall, monotonic, since-start; empty: none
	Zone       bool   `json:"zone,omitempty"`       // stamps name their zone
	Resolution int64  `json:"resolution,omitempty"` // nanoseconds
	Backward   bool   `json:"backward,omitempty"`   // the stamps step back somewhere
}

// Break is a place behind which a source that should be whole is not.
type Break struct {
	At   Pos    `json:"at"`
	Kind string `json:"kind"` // truncated, gap, discontinuity, nul-hole, undecodable
	Text string `json:"text,omitempty"`
}

// Pos is a place in a source.
type Pos struct {
	Source  string `json:"source"`
	Offset  int64  `json:"offset"`
	Line    int64  `json:"line,omitempty"`    // from 1; 0: the source has no lines
	Time    int64  `json:"time,omitempty"`    // Unix nanoseconds; 0: none
	Segment int    `json:"segment,omitempty"` // number of the process within the source, from 0
}

// PerhapsKind is the kind of a boundary where another program may have begun: an
// exception that looks uncaught stands before it, and what looks like a start.
const PerhapsKind = "perhaps"

// Boundary is where one process ends and another begins in a source.
type Boundary struct {
	At   Pos    `json:"at"`   // first place of the new process
	Kind string `json:"kind"` // restart, counter-back, cell, reset, reboot, probe-passed, perhaps
	// NewProcess: it is proven that the device contexts are fresh.
	NewProcess bool `json:"new_process,omitempty"`
	// Printer is the process that begins, where its lines name it; empty: all that follows.
	Printer string `json:"printer,omitempty"`
	// DeviceReset: a reset, a reboot or a passing probe lies here.
	DeviceReset bool `json:"device_reset,omitempty"`
	// Resumed is the step from which the new process went on; nil: not known, 0: from scratch.
	Resumed *float64 `json:"resumed,omitempty"`
	Text    string   `json:"text,omitempty"`
}

// Marker is a kind of evidence line, aggregated over one segment of one source.
type Marker struct {
	ID     string            `json:"id"`
	Title  string            `json:"title,omitempty"` // what it is, for people
	Class  Class             `json:"class"`
	Scope  Scope             `json:"scope"`
	Effect string            `json:"effect,omitempty"` // steps, data, precision, speed, completeness, value
	Clears string            `json:"clears,omitempty"` // process, device-reset, reboot, probe
	Goes   Continues         `json:"continues,omitempty"`
	Origin string            `json:"origin,omitempty"` // driver, runtime, python, kernel, launcher, scheduler, framework
	Block  string            `json:"block,omitempty"`  // markers of one block are one event
	First  Pos               `json:"first"`
	Last   Pos               `json:"last"`
	Count  int64             `json:"count"`
	Text   string            `json:"text"`             // first line, at most 240 bytes
	Attrs  map[string]string `json:"attrs,omitempty"`  // pid, name, code, scale, steps, device ...
	Quoted string            `json:"quoted,omitempty"` // why this is a quotation and no event
	Step   *float64          `json:"step,omitempty"`   // step clock at the first occurrence, if it says so itself

	Printer string `json:"printer,omitempty"` // the process that printed it, or that a kernel line names; see Apart
}

// SkipFormat begins the format of tables that are made of markers which count
// skipped steps; the marker's ID follows.
const SkipFormat = "skip:"

// CallFormat begins the format of tables of one value that was reported by a
// call and read from a run record; the caller follows.
const CallFormat = "call:"

// Called reports whether a table holds what was reported by a call.
func Called(t *Track) bool { return strings.HasPrefix(t.Format, CallFormat) }

// Track is a table of metric values: one record shape of one source.
type Track struct {
	Source  string   `json:"source"`
	Format  string   `json:"format"`
	Rank    *int     `json:"rank,omitempty"`       // that its lines name, in a log of several ranks
	Printer string   `json:"printer,omitempty"`    // the process that its lines name; see Apart its lines name, in a log of several processes; see Apart
	Flush   bool     `json:"flush,omitempty"`      // the format's writer is known to flush by line
	Process bool     `json:"process,omitempty"`    // the record aggregates the whole process
	Clock   string   `json:"step_clock,omitempty"` // name of the step counter; bar counters of evaluations are none
	Planned float64  `json:"planned,omitempty"`    // total steps announced
	Epochs  float64  `json:"epochs,omitempty"`     // total epochs announced
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Column is one metric of a track.
type Column struct {
	Name    string `json:"name"`    // normalised: lower case, words joined by _
	Printed string `json:"printed"` // as the log writes it
	Role    Role   `json:"role"`
	Kind    Kind   `json:"kind"`
	Split   string `json:"split,omitempty"` // train, val, test; empty: not known
	Window  Window `json:"window,omitempty"`
}

// Row is one record, or several neighbouring plain records merged.
type Row struct {
	First Pos     `json:"first"`
	Last  Pos     `json:"last"`
	N     int64   `json:"n"` // records
	Step  Span    `json:"step"`
	Epoch Span    `json:"epoch"`
	Cells []Cell  `json:"cells"` // parallel to Track.Columns, may be shorter
	Note  RowNote `json:"note,omitempty"`
	Said  *Said   `json:"said,omitempty"`
}

// Said is where a run record holds a value that was reported by a call. First
// and Last of its row are then what the capture held at that moment, where that
// is known, else the same place.
type Said struct {
	At Pos `json:"at"`
	// Where is the file and line of the trainer that called; empty: not known.
	Where string `json:"where,omitempty"`
	// Since is the record behind which the call came, where it was written later
	// than it was made; nil: it was written at once.
	Since *Pos `json:"since,omitempty"`
}

// Span is a closed range of a counter; Has is false where there is none.
type Span struct {
	Has   bool `json:"has,omitempty"`
	First Num  `json:"first,omitempty"`
	Last  Num  `json:"last,omitempty"`
}

// Cell is the values of one column in one row.
type Cell struct {
	N         int64  `json:"n"` // values; 0: the record did not name the metric
	First     Num    `json:"first"`
	Last      Num    `json:"last"`
	Min       Num    `json:"min"`
	Max       Num    `json:"max"`
	Sum       Num    `json:"sum,omitempty"` // of counts of skipped steps only
	NonFinite int64  `json:"nonfinite,omitempty"`
	Text      string `json:"text,omitempty"`    // the last value as printed: exact digits survive
	Samples   *int64 `json:"samples,omitempty"` // how many samples the value was computed from, if said
	Good      *int64 `json:"good,omitempty"`    // k of "k of n"
}

// RowNote marks rows that must not be merged with plain ones.
type RowNote uint16

// What a row's neighbours or values make notable.
const (
	NoteNonFinite   RowNote = 1 << iota // a value is not finite
	NoteZero                            // a loss is exactly 0
	NoteRepeat                          // a value with 8 or more digits repeats the one before
	NoteDeviates                        // loss or step time leaves the run of the ones before
	NoteEdge                            // first or last of a segment, or next to an event
	NotePlaceholder                     // a value that this format prints before it has one
	NoteSkip                            // the record counts skipped steps
	NoteAbsent                          // the loss field that this format always prints is missing
)

// Decision is a line in which the run says which device or precision it got.
type Decision struct {
	At    Pos    `json:"at"`
	Topic string `json:"topic"` // device, precision, world, batch
	Asked string `json:"asked,omitempty"`
	Got   string `json:"got"`
	Text  string `json:"text"`
}

// ResumeKind is the kind of an artifact that was read in order to go on from it.
const ResumeKind = "resume"

// Artifact is a file that the run wrote or read, as far as the sources tell.
type Artifact struct {
	At   Pos      `json:"at"`
	Op   string   `json:"op"` // wrote, read
	Path string   `json:"path"`
	Step *float64 `json:"step,omitempty"`
	Size int64    `json:"size,omitempty"`

	Printer string `json:"printer,omitempty"` // the process whose line tells of it

	// What only a run directory knows of it, the kind resume excepted.
	Sink   *Pos   `json:"sink,omitempty"`   // place in the capture: it was written or read when at least so much was printed
	Latest *Pos   `json:"latest,omitempty"` // and at most so much; nil: Sink is the place
	Digest string `json:"sha256,omitempty"` // taken by the supervisor after the file was closed
	Sample string `json:"sample,omitempty"` // digest of pieces of it, taken by the process that wrote or read it
	Kind   string `json:"kind,omitempty"`   // checkpoint, resume, predictions, state, data
	Taint  string `json:"taint,omitempty"`  // code or run that tainted it
	Doubt  bool   `json:"doubt,omitempty"`  // Taint is not proven
	Pid    int    `json:"pid,omitempty"`
	Rank   *int   `json:"rank,omitempty"`
}

// Unread is a source, or part of one, that could not be looked at.
type Unread struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}
