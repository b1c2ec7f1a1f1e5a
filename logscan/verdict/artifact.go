package verdict

import (
	"path"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/order"
)

// byArtifact answers what a new process loaded from the files that the log
// names: one that was written before the fault clears, one written after it
// carries the fault on.
func (j *judge) byArtifact(b *evidence.Boundary, f *fault) (clearing, bool) {
	for i := range j.ev.Artifacts {
		read := &j.ev.Artifacts[i]
		if read.Op != "read" || read.At.Source != b.At.Source || read.At.Segment != b.At.Segment {
			continue
		}
		if w := j.writtenBefore(read); w != nil {
			other := f.marker.Scope == evidence.Process && evidence.Apart(w.Printer, f.marker.Printer)
			if w.At.Offset > f.event.At.Offset && !other {
				return stays, true
			}
			return clear, true
		}
	}
	return loadUnknown, false
}

// writtenBefore is the last time that the file of a read was written, as far as
// the same source says.
func (j *judge) writtenBefore(read *evidence.Artifact) *evidence.Artifact {
	var last *evidence.Artifact
	for i := range j.ev.Artifacts {
		w := &j.ev.Artifacts[i]
		if w.Op == "wrote" && w.At.Source == read.At.Source && w.At.Offset < read.At.Offset && sameFile(w.Path, read.Path) {
			last = w
		}
	}
	return last
}

// sameFile compares paths as logs write them: one may be longer than the other.
func sameFile(a, b string) bool {
	a, b = strings.TrimPrefix(path.Clean(a), "./"), strings.TrimPrefix(path.Clean(b), "./")
	if len(a) < len(b) {
		a, b = b, a
	}
	return a == b || (b != "." && strings.HasSuffix(a, "/"+b))
}

// taintedReads: a file that a supervisor knows to be tainted was read before
// the value was computed.
func (j *judge) taintedReads(r ref) []Reason {
	var why []Reason
	for i := range j.ev.Run.Artifacts {
		a := &j.ev.Run.Artifacts[i]
		if a.Op != "read" || a.Taint == "" {
			continue
		}
		e := order.Event{At: a.At, Sink: a.Sink, Step: a.Step}
		v := j.value(r, false)
		if j.x.Place(&e, &v).Relation != order.Before {
			why = append(why, j.taintedBy(a))
		}
	}
	return why
}

func (j *judge) taintedBy(read *evidence.Artifact) Reason {
	code := "tainted-artifact"
	if read.Doubt {
		code = "doubtful-artifact"
	}
	return j.t.reason(code, vars{"artifact": read.Path, "taint": read.Taint}, Ref{At: read.At, Text: read.Path})
}
