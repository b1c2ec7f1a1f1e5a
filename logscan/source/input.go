package source

import (
	"io"
	"time"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// RanksInLines as Options.Ranks says that lines carry their rank in front, as
// srun -l writes it.
const RanksInLines = "lines"

// Options says how paths are understood.
type Options struct {
	// Ranks and Hosts tell where rank and host stand in file names, when the
	// known ways do not: a pattern with {rank} or {host} and *, matched from
	// the end of the path ("shard_{rank}.txt", "{host}/train.log"). Ranks may
	// also be RanksInLines.
	Ranks, Hosts string
	Each         bool           // several jobs in one folder are judged each on its own
	TZ           *time.Location // of stamps without a zone; nil: UTC
	Skew         time.Duration  // by which the clocks of two hosts may differ; not used here
	MaxFiles     int            // files looked at in folders; 0: 200,000
	MaxOutput    int64          // bytes that one compressed file may unfold to; 0: 64 GiB
}

// Input is one file to read.
type Input struct {
	ID     string // the path as it was named, unique within a set; "-" is standard input
	Path   string
	Kind   Kind
	Size   int64  // on disk; 0 for standard input
	Group  string // the job
	Host   string
	Rank   *int
	Stream string // out, err; empty: not known
	Member string // metric key of an MLflow file, relative to its metrics folder
	Style  Style  // how the lines of a text source look

	format format    // compression and encoding
	stdin  io.Reader // already sniffed; nil: a file
	limit  int64
}

// Set is the sources of one audit.
type Set struct {
	Inputs []Input
	Unread []evidence.Unread
	// RunDir is a trainvet run directory, if one of the paths is or holds one.
	// RunDirs names those of each group: a job has one for each rank or node that
	// had a trainvet of its own.
	RunDir  string
	RunDirs map[string][]string
	// Passed are files found in folders that are no logs: listed, not read.
	Passed []Passed
}

// Passed is a file that was found and is no source.
type Passed struct {
	Path string
	Why  string
}

// Groups lists the jobs of the set in order of their names.
func (s *Set) Groups() []string {
	var groups []string
	seen := map[string]bool{}
	for _, in := range s.Inputs {
		if !seen[in.Group] {
			seen[in.Group] = true
			groups = append(groups, in.Group)
		}
	}
	return groups
}
