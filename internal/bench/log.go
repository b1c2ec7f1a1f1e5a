package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Log says what to write. The same Log is the same bytes.
type Log struct {
	Shape  string
	Size   int64 // about so many bytes
	Seed   uint64
	Faults []Fault // spread evenly over the bytes, each a line of its own
}

// Fault is a line that holds one fault marker.
type Fault struct {
	ID   string `json:"id"` // row of the catalogue
	Line string `json:"line"`
}

// Truth is what an audit of a written log has to find.
type Truth struct {
	Shape  string  `json:"shape"`
	Bytes  int64   `json:"bytes"`
	Lines  int64   `json:"lines"`
	Evals  int     `json:"evals"`            // evaluation lines
	Losses int     `json:"losses"`           // training-loss values
	Faults []Place `json:"faults,omitempty"` // in the order of the bytes
	Storm  int64   `json:"storm,omitempty"`  // lines that are all the same fault
}

// Place is where a fault was written.
type Place struct {
	ID     string `json:"id"`
	Offset int64  `json:"offset"` // of its line, or of its text where there are no lines
}

// Write writes the log.
func (l *Log) Write(to io.Writer) (*Truth, error) {
	s, err := shapeOf(l.Shape)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(to, 1<<20)
	p := &page{rand: rand.New(rand.NewPCG(l.Seed, uint64(len(l.Shape))))}
	t := &Truth{Shape: l.Shape}
	for t.Bytes < l.Size {
		p.text = p.text[:0]
		s.print(p)
		for !s.storm && l.due(t, int64(len(p.text))) {
			f := l.Faults[len(t.Faults)]
			t.Faults = append(t.Faults, Place{f.ID, t.Bytes + int64(len(p.text))})
			p.fault(f.Line, s.inline)
		}
		t.Lines += int64(bytes.Count(p.text, []byte{'\n'}))
		t.Bytes += int64(len(p.text))
		if _, err := out.Write(p.text); err != nil {
			return nil, fmt.Errorf("writing a log of shape %s: %w", l.Shape, err)
		}
	}
	t.Evals, t.Losses = p.evals, p.loss
	if s.storm {
		t.Storm = t.Lines
	}
	return t, out.Flush()
}

// due: the next fault's share of the bytes is reached.
func (l *Log) due(t *Truth, more int64) bool {
	n := int64(len(l.Faults))
	k := int64(len(t.Faults))
	return k < n && t.Bytes+more >= (k+1)*l.Size/(n+1)
}

func (p *page) fault(line string, inline bool) {
	p.str(line)
	if inline {
		p.str("; ")
	} else {
		p.end()
	}
}

// WriteFile writes the log to a file.
func (l *Log) WriteFile(path string) (*Truth, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("writing a log: %w", err)
	}
	t, err := l.Write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return t, err
}

const (
	// rankFiles logs of rankLines lines each hold about 1 GiB.
	rankFiles = 10_000
	rankLines = 1000
)

// WriteRanks writes the logs of the ranks of one job into a folder, as many as
// make the size: 10,000 for 1 GiB. The faults are spread over the ranks, one each.
func (l *Log) WriteRanks(dir string) (files []string, t *Truth, err error) {
	n := int(max(8, l.Size*rankFiles>>30))
	t = &Truth{Shape: "ranks"}
	for rank := range n {
		p := &page{rand: rand.New(rand.NewPCG(l.Seed, uint64(rank)))}
		name := fmt.Sprintf("rank_%05d.log", rank)
		for k := range rankLines {
			if due := len(t.Faults); k == rankLines/2 && due < len(l.Faults) && rank >= n*(due+1)/(len(l.Faults)+1) {
				f := l.Faults[due]
				t.Faults = append(t.Faults, Place{f.ID, int64(len(p.text))})
				p.fault(f.Line, false)
			}
			p.rankLine()
		}
		if err := os.WriteFile(filepath.Join(dir, name), p.text, 0o644); err != nil {
			return nil, nil, fmt.Errorf("writing the log of rank %d: %w", rank, err)
		}
		files = append(files, name)
		t.Bytes, t.Losses = t.Bytes+int64(len(p.text)), t.Losses+p.loss
		t.Lines += int64(bytes.Count(p.text, []byte{'\n'}))
	}
	return files, t, nil
}
