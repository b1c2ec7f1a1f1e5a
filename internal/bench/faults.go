package bench

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/marker"
)

// Faults are fault lines to choose from, each of which the catalogue takes for
// just the row that it is filed under.
type Faults struct {
	catalog *marker.Catalog
	lines   []Fault
}

// ReadFaults reads a table of marker lines (id, line), such as that of the
// catalogue's own tests, and keeps those of faults.
func ReadFaults(path string) (*Faults, error) {
	c, err := marker.Load()
	if err != nil {
		return nil, fmt.Errorf("loading the markers: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading fault lines: %w", err)
	}
	defer f.Close()
	out := &Faults{catalog: c}
	if err := out.read(f); err != nil {
		return nil, fmt.Errorf("reading fault lines of %s: %w", path, err)
	}
	if len(out.lines) == 0 {
		return nil, fmt.Errorf("reading fault lines: %s holds none", path)
	}
	return out, nil
}

func (f *Faults) read(r io.Reader) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		id, line, ok := strings.Cut(sc.Text(), "\t")
		if ok && f.is(line, id) {
			f.lines = append(f.lines, Fault{ID: id, Line: line})
		}
	}
	return sc.Err()
}

// is reports whether the line is the fault and nothing else.
func (f *Faults) is(line, id string) bool {
	found := f.catalog.Match([]byte(line), nil, marker.Context{})
	return len(found) == 1 && found[0].Def.ID == id && found[0].Class == evidence.Fault && found[0].Quoted == ""
}

// beside is what stands around a fault inside a line.
const beside = "step=311 loss=1.2034; "

// Choose takes n faults for a log of a shape, by seed.
func (f *Faults) Choose(shape string, n int, seed uint64) ([]Fault, error) {
	s, err := shapeOf(shape)
	if err != nil {
		return nil, err
	}
	fit := f.lines
	if s.inline {
		fit = nil
		for _, l := range f.lines {
			if f.is(beside+l.Line+"; "+beside, l.ID) {
				fit = append(fit, l)
			}
		}
	}
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	out := make([]Fault, n)
	for i := range out {
		out[i] = fit[r.IntN(len(fit))]
	}
	return out, nil
}

// Missed lists what of the truth the evidence does not hold: fault lines by
// marker, and evaluation lines.
func (t *Truth) Missed(ev *evidence.Evidence) []string {
	want, found := map[string]int64{}, map[string]int64{}
	for _, f := range t.Faults {
		want[f.ID]++
	}
	if t.Storm > 0 {
		want["cuda-kernel-assert"] = t.Storm
	}
	for i := range ev.Markers {
		if m := &ev.Markers[i]; m.Quoted == "" {
			found[m.ID] += m.Count
		}
	}
	var missed []string
	for id, n := range want {
		if found[id] < n {
			missed = append(missed, fmt.Sprintf("%s: %d of %d", id, found[id], n))
		}
	}
	if n := evalRows(ev); n < t.Evals {
		missed = append(missed, fmt.Sprintf("evaluations: %d of %d", n, t.Evals))
	}
	return missed
}

// evalRows counts the records that hold an evaluation, those of merged rows too.
func evalRows(ev *evidence.Evidence) int {
	n := 0
	for ti := range ev.Tracks {
		t := &ev.Tracks[ti]
		for ri := range t.Rows {
			for ci := range t.Rows[ri].Cells {
				if t.Rows[ri].Cells[ci].N > 0 && t.Columns[ci].Role == evidence.Eval {
					n += int(t.Rows[ri].N)
					break
				}
			}
		}
	}
	return n
}
