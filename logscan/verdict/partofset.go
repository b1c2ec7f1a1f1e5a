package verdict

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// partOfSet: the evaluation was measured on the share of one process, n =
// evaluation set / world, and printed as if it were the whole.
func (j *judge) partOfSet(r ref, ci int) []Reason {
	row := j.row(r)
	if role := j.track(r).Columns[ci].Role; role != evidence.Eval && role != evidence.Final {
		return nil
	}
	if m := j.countedPart(r); m != nil {
		v := vars{"how": fmt.Sprintf("%s of %s samples were evaluated", m.Attrs["got"], m.Attrs["of"])}
		return []Reason{j.t.reason("part-of-set", v, markerRef(m))}
	}
	n := row.Cells[ci].Samples
	if n == nil {
		return nil
	}
	set, world := j.decided(row, "evaluation set"), j.decided(row, "world")
	if set == nil || world == nil || !isShare(float64(*n), number64(set.Got), number64(world.Got)) {
		return nil
	}
	v := vars{"how": fmt.Sprintf("%d samples were evaluated, which is the set of %s divided by %s processes", *n, set.Got, world.Got)}
	return []Reason{j.t.reason("part-of-set", v, j.lineRef(r), Ref{At: set.At, Text: set.Text}, Ref{At: world.At, Text: world.Text})}
}

// countedPart finds a marker in which the trainer itself counts the samples that
// it evaluated, where they are the share of one of several processes.
func (j *judge) countedPart(r ref) *evidence.Marker {
	for _, a := range j.actingOn(j.track(r).Source) {
		m := a.marker
		if m.Effect != "data" || m.Attrs["got"] == "" || m.Attrs["of"] == "" || !j.produced(a, r) {
			continue
		}
		got, of := number64(m.Attrs["got"]), number64(m.Attrs["of"])
		if got > 0 && isShare(got, of, math.Round(of/got)) {
			return m
		}
	}
	return nil
}

// isShare reports whether n is what one of several processes gets of a set,
// rounded to either side.
func isShare(n, set, world float64) bool {
	return world >= 2 && n > 0 && math.Abs(n*world-set) < world
}

// decided is the last line of a topic that gives a number, before a row in its source.
func (j *judge) decided(row *evidence.Row, topic string) *evidence.Decision {
	var last *evidence.Decision
	for _, d := range j.near.decisions[row.First.Source] {
		if d.Topic == topic && d.At.Offset < row.First.Offset && number64(d.Got) > 0 {
			last = d
		}
	}
	return last
}

// number64 reads a count, with or without separators of thousands; 0 if it is none.
func number64(s string) float64 {
	f, err := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "").Replace(s), 64)
	if err != nil {
		return 0
	}
	return f
}
