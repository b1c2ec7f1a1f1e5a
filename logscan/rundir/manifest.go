package rundir

import "github.com/trainvet/trainvet/logscan/evidence"

// Names of the files of a run directory.
const (
	ManifestFile = "manifest.json"
	LogFile      = "run.log"
	SidecarFile  = "sidecar.jsonl"
	TrailerFile  = "trailer.json"
	ReceiptFile  = "receipt.json"
	RecordsDir   = "records"
)

// Manifest says what was started, where and on which machine. It is written
// once, before the child.
type Manifest struct {
	Version   int      `json:"version"`
	ID        string   `json:"id"`
	Trainvet  string   `json:"trainvet"` // version that wrote it
	Wall      int64    `json:"wall"`     // Unix nanoseconds
	Mono      int64    `json:"mono"`     // monotonic clock of the machine, at the same moment
	Argv      []string `json:"argv"`
	Cwd       string   `json:"cwd"`
	Commit    *Commit  `json:"commit,omitempty"` // of the work tree that holds Cwd
	World     int      `json:"world,omitempty"`  // processes in the job; 0: not known
	Rank      *int     `json:"rank,omitempty"`   // where a launcher starts one run a rank
	Launcher  string   `json:"launcher,omitempty"`
	Env       []Var    `json:"env,omitempty"` // variables that choose devices, ranks, precision
	Host      Host     `json:"host"`
	BootID    string   `json:"boot_id"` // of the kernel; empty: not readable
	Devices   []Device `json:"devices,omitempty"`
	Machine   Machine  `json:"machine"`
	Python    bool     `json:"python"` // the child is a Python program: guards are required
	Capture   Capture  `json:"capture"`
	Before    []Seen   `json:"before,omitempty"`     // stuck processes, stale contexts, kernel fault lines
	Intent    string   `json:"intent,omitempty"`     // device asked for: gpu, cpu, auto, cuda, mps …; empty: nobody said
	Resolved  string   `json:"resolved,omitempty"`   // the line of trainvet device on that
	IntentMet bool     `json:"intent_met,omitempty"` // there was such a device
	BatchCap  int      `json:"batch_cap,omitempty"`  // most samples that a loader's batch may have; what came of it the records say
	Unseen    []Seen   `json:"unseen,omitempty"`     // what could not be looked at, and why
}

// Commit is the state of the code.
type Commit struct {
	ID    string `json:"id"`
	Dirty bool   `json:"dirty"`
	// Diff is the SHA-256 of the uncommitted changes; empty: clean, or not taken.
	Diff string `json:"diff,omitempty"`
}

// Var is an environment variable.
type Var struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Host is the machine as an operating system sees it.
type Host struct {
	Name   string `json:"name"`
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	Kernel string `json:"kernel,omitempty"`
	CPUs   int    `json:"cpus,omitempty"`
	Memory int64  `json:"memory,omitempty"` // bytes
	// InitialPids: the run stands in the machine's first pid namespace, so that
	// a kernel line's pid can name one of its processes.
	InitialPids bool `json:"initial_pids,omitempty"`
}

// Device is an accelerator.
type Device struct {
	UUID   string `json:"uuid"` // empty: it has none
	Index  int    `json:"index"`
	Name   string `json:"name"`
	Kind   string `json:"kind"` // cuda, rocm, mps, xpu …
	Driver string `json:"driver,omitempty"`
	Memory int64  `json:"memory,omitempty"` // bytes
	Bus    string `json:"bus,omitempty"`    // PCI address, by which drivers name it
	Parent string `json:"parent,omitempty"` // uuid of the device that it is a part of
}

// Machine is a snapshot of the machine state (C8). The audit reads only this,
// so that the same bytes give the same verdict everywhere.
type Machine struct {
	Taints []evidence.Taint `json:"taints,omitempty"` // uncleared
	Probes []evidence.Probe `json:"probes,omitempty"` // last of each device
	Why    string           `json:"why,omitempty"`    // why the state could not be read; empty: it was
}

// Capture says how the output was recorded.
type Capture struct {
	Mode      string `json:"mode"`       // file, tty, pipe
	OneOrder  bool   `json:"one_order"`  // both streams in one append-only sink
	LineFlush bool   `json:"line_flush"` // the child is made to flush by line
	Sinks     []Sink `json:"sinks"`
	Home      string `json:"home,omitempty"` // run directory, where the record was taken elsewhere and copied at the end
}

// Sink is a file that the child writes to, as the file system knows it.
type Sink struct {
	File    string   `json:"file"`    // within the run directory
	Streams []string `json:"streams"` // out, err
	Device  uint64   `json:"dev"`     // st_dev, where it was written
	Inode   uint64   `json:"ino"`     // st_ino
	Start   int64    `json:"start"`   // offset within the inode at which File begins
}

// Seen is one thing that was looked at before the child was started.
type Seen struct {
	Kind string `json:"kind"` // stuck-process, stale-context, kernel-line, taint …
	Text string `json:"text"`
}
