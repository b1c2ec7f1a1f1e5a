package verdict

import (
	"math"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/order"
)

// artifacts are the files that the run wrote: those of which a supervisor knows,
// with their digests, and those that the log names. One that was written after a
// fault, or after a tainted file was read, is tainted; one that was being written
// when the disk was full may be cut.
func (j *judge) artifacts() []Subject {
	known := j.recorded()
	out := make([]Subject, 0, len(known)+len(j.ev.Artifacts))
	for _, a := range known {
		out = append(out, j.artifactSubject(a, j.recordedReasons(a)))
	}
	for i := range j.ev.Artifacts {
		a := &j.ev.Artifacts[i]
		if a.Op != "wrote" || namesOneOf(known, a, out) {
			continue
		}
		var why []Reason
		v := order.Value{First: a.At, Last: a.At, Step: span(a.Step), Printer: a.Printer}
		by := evidence.Track{Source: a.At.Source, Printer: a.Printer} // who wrote it, as a table of values would have it
		for _, f := range j.faults {
			switch p := j.x.Place(&f.event, &v); j.reachesRank(f, &by) {
			case in:
				why = append(why, j.artifactAfter(f, a, a.At, p)...)
			case otherProcess:
				if p.Relation != order.Before {
					why = append(why, j.write(f, "other-process", &p)...)
				}
			}
		}
		out = append(out, j.artifactSubject(a, why))
	}
	out = append(out, j.unfinished()...)
	return append(out, j.cutArtifacts()...)
}

// unfinished are the files that a process began to write and, as far as its
// record says, did not end.
func (j *judge) unfinished() []Subject {
	if j.ev.Run == nil {
		return nil
	}
	type file struct {
		source, path string
		pid          int
	}
	open := map[file]*evidence.Artifact{}
	var order []file
	for i := range j.ev.Run.Artifacts {
		a := &j.ev.Run.Artifacts[i]
		key := file{a.At.Source, a.Path, a.Pid}
		switch a.Op {
		case "writing":
			open[key] = a
			order = append(order, key)
		case "wrote":
			delete(open, key)
		}
	}
	var out []Subject
	for _, key := range order {
		if a := open[key]; a != nil {
			delete(open, key)
			why := j.t.reason("artifact-cut", vars{"marker": "nothing says that it was written to its end; its process stopped"}, Ref{At: a.At, Text: a.Path})
			out = append(out, j.artifactSubject(a, []Reason{why}))
		}
	}
	return out
}

func (j *judge) artifactSubject(a *evidence.Artifact, why []Reason) Subject {
	done := settle(firstOfEach(why))
	log := a.At.Source
	if a.Sink != nil {
		log = a.Sink.Source
	}
	return Subject{Kind: "artifact", Name: a.Path, At: a.At, Step: span(a.Step), Digest: a.Digest, Verdict: done.verdict, Why: done.why, Level: j.captured(log)}
}

// captured is the assurance of what is no metric: no check of the guards is of
// its kind.
func (j *judge) captured(source string) Level {
	if c := j.source(source).Capture; c != nil && c.Sealed && c.OneOrder && c.ExitKnown && !ranksMissing(j.ev.Run) {
		return Captured
	}
	return Log
}

// recorded are the written files of the run directory, each once: a supervisor
// that took the digest knows more than the record.
func (j *judge) recorded() []*evidence.Artifact {
	if j.ev.Run == nil {
		return nil
	}
	var list []*evidence.Artifact
	index := map[string]int{}
	for i := range j.ev.Run.Artifacts {
		a := &j.ev.Run.Artifacts[i]
		if a.Op != "wrote" {
			continue
		}
		k, twice := index[a.Path]
		switch {
		case !twice:
			index[a.Path] = len(list)
			list = append(list, a)
		case list[k].Digest == "" || a.Digest != "" && list[k].At.Line < a.At.Line:
			list[k] = a
		}
	}
	return list
}

// namesOneOf reports whether a line of the log names a file that is recorded,
// and lends it its step.
func namesOneOf(known []*evidence.Artifact, a *evidence.Artifact, out []Subject) bool {
	found := false
	for i, k := range known {
		if sameFile(k.Path, a.Path) {
			found = true
			if !out[i].Step.Has {
				out[i].Step = span(a.Step)
			}
		}
	}
	return found
}

// recordedReasons places a recorded file against faults and tainted reads by
// how much had been printed when it was written.
func (j *judge) recordedReasons(a *evidence.Artifact) []Reason {
	var why []Reason
	for _, f := range j.faults {
		if a.Sink != nil && j.reaches(f, j.source(a.Sink.Source)) != in {
			continue
		}
		at := a.At
		if a.Sink != nil {
			at = *a.Sink
		}
		why = append(why, j.artifactAfter(f, a, at, j.placeRecorded(f, a))...)
	}
	for i := range j.ev.Run.Artifacts {
		r := &j.ev.Run.Artifacts[i]
		if r.Op == "read" && r.Taint != "" && !doneBefore(a, r) {
			why = append(why, j.taintedBy(r))
		}
	}
	return why
}

// placeRecorded: the bytes below a recorded place were printed before the file
// was written, those behind the latest one after it.
func (j *judge) placeRecorded(f *fault, a *evidence.Artifact) order.Proof {
	if a.Sink == nil {
		return order.Proof{Relation: order.Unproven, How: "when it was written is not recorded"}
	}
	latest := *a.Sink
	if a.Latest != nil {
		latest = *a.Latest
	}
	if f.event.At.Source != a.Sink.Source {
		return j.x.Place(&f.event, &order.Value{First: *a.Sink, Last: latest, Step: span(a.Step)})
	}
	switch {
	case f.event.At.Offset < a.Sink.Offset:
		return order.Proof{Relation: order.After, How: "it was written when the fault had been printed"}
	case f.event.At.Offset >= latest.Offset:
		return order.Proof{Relation: order.Before, How: "it was written before the fault was printed"}
	}
	return order.Proof{Relation: order.Unproven, How: "how much had been printed when it was written is not known exactly"}
}

// doneBefore: the file was complete when the other was read.
func doneBefore(w, r *evidence.Artifact) bool {
	if w.Sink == nil || r.Sink == nil || w.Sink.Source != r.Sink.Source {
		return false
	}
	latest := w.Sink.Offset
	if w.Latest != nil {
		latest = w.Latest.Offset
	}
	return latest < r.Sink.Offset
}

func span(step *float64) evidence.Span {
	if step == nil || math.IsNaN(*step) {
		return evidence.Span{}
	}
	return evidence.Span{Has: true, First: evidence.Num(*step), Last: evidence.Num(*step)}
}

func (j *judge) artifactAfter(f *fault, a *evidence.Artifact, at evidence.Pos, p order.Proof) []Reason {
	switch {
	case p.Relation == order.Before || j.cleared(f, a.Printer, &evidence.Row{First: at, Last: at}) == clear:
		return nil
	case p.Relation == order.Unproven:
		return []Reason{j.t.reason("order-unproven", vars{"marker": name(f.marker), "how": p.Why()}, markerRef(f.marker))}
	}
	return []Reason{j.t.reason("after-fault", vars{"marker": name(f.marker)}, markerRef(f.marker))}
}
