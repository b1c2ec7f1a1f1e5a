package record

import "math"

// Version is the version of the run record.
const Version = 1

// None stands for a number that is not known: a rank, a step, a row.
const None = -1

// MaxLine bounds a line, its line feed included. The encoder stays below it by
// cutting texts; the reader reports what is longer.
const MaxLine = 1 << 20

// Type names what a record says.
type Type string

// The record types of version 1.
const (
	TypeBoot     Type = "boot"     // the guards are live in this process
	TypeChild    Type = "child"    // this process started another one
	TypeSite     Type = "site"     // a place that is checked from now on
	TypeCount    Type = "count"    // how often a check ran, and what it tallied
	TypeFault    Type = "fault"    // the machine miscomputed, or may have
	TypeFinding  Type = "finding"  // anything else that bears on a metric
	TypeStep     Type = "step"     // the step ledger so far
	TypeSkip     Type = "skip"     // optimizer steps that were thrown away
	TypeMetric   Type = "metric"   // a value that the trainer reported
	TypeArtifact Type = "artifact" // a file that the trainer wrote or read
	TypeProbe    Type = "probe"    // the result of a check of the device
	TypeHeld     Type = "held"     // what a rank holds, for the audit to compare
	TypeResume   Type = "resume"   // the training goes on from a checkpoint
	TypeEnd      Type = "end"      // the process closed its record
)

// Head is what every record carries.
type Head struct {
	Wall int64  // Unix nanoseconds
	Mono int64  // nanoseconds of the machine's monotonic clock
	Pid  int    // of the process that wrote the record, in its own namespace
	Rank int    // None: not known, or not distributed
	Seq  uint64 // 1 for the first record of the process; a hole is a record that was lost
	Sink *Sink  // where the captured output stood; nil: not known
}

// Sink is a place in the captured output: all bytes below Offset were written
// before the record, all others were not.
type Sink struct {
	Device uint64 `json:"dev"` // st_dev
	Inode  uint64 `json:"ino"` // st_ino
	Offset int64  `json:"off"`
}

// Record is one line.
type Record struct {
	Head
	Type Type
	Body Body // *Boot, *Child … as Type says
}

// Body is the part of a record that its type decides: a pointer to one of the
// structs of this package.
type Body interface{ body() }

func (*Boot) body()     {}
func (*Child) body()    {}
func (*Site) body()     {}
func (*Count) body()    {}
func (*Fault) body()    {}
func (*Finding) body()  {}
func (*Step) body()     {}
func (*Skip) body()     {}
func (*Metric) body()   {}
func (*Artifact) body() {}
func (*Probe) body()    {}
func (*End) body()      {}

// newBody returns an empty body of a type, its numbers at "not known"; nil for
// a type that this version does not know.
func newBody(t Type) Body {
	switch t {
	case TypeBoot:
		return &Boot{LocalRank: None}
	case TypeChild:
		return &Child{}
	case TypeSite:
		return &Site{}
	case TypeCount:
		return &Count{}
	case TypeFault:
		return &Fault{Step: None, Row: None, Column: None, From: None, Until: None}
	case TypeFinding:
		return &Finding{From: None, Until: None}
	case TypeStep:
		return &Step{Step: None}
	case TypeSkip:
		return &Skip{From: None, Until: None, Step: None}
	case TypeMetric:
		return &Metric{N: None, Good: None, Step: None, Epoch: Float(math.NaN())}
	case TypeArtifact:
		return &Artifact{Size: None, Step: None}
	case TypeProbe:
		return &Probe{}
	case TypeHeld:
		return &Held{}
	case TypeResume:
		return &Resume{Size: None, Step: None}
	case TypeEnd:
		return &End{}
	}
	return nil
}
