package verdict

import (
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// level is how much was looked at behind a value.
func (j *judge) level(source string, col *evidence.Column) Level {
	c := j.source(source).Capture
	if c == nil || !c.Sealed || !c.OneOrder || !c.ExitKnown { // a buffer delays a value and moves none: what it hides is a matter of order
		return Log
	}
	run := j.ev.Run
	if ranksMissing(run) {
		return Log
	}
	if run == nil || !guardedFor(run, col) {
		return Captured
	}
	for _, p := range run.Probes {
		if p.Passed && p.Current {
			return Probed
		}
	}
	return Guarded
}

// ranksMissing: each rank had a trainvet of its own, and the directory of one is
// not here. The ranks exchange gradients: what went wrong there went wrong here.
func ranksMissing(run *evidence.Run) bool {
	return run != nil && len(run.Ranks) > 0 && len(run.Ranks) < run.World
}

// guardedFor: in every process behind the value the checks for its kind ran,
// without gap or hook error. A process in which no check had anything to do, a
// loader's worker or a compiler's, is behind no value.
func guardedFor(run *evidence.Run, col *evidence.Column) bool {
	if len(run.Silent) > 0 {
		return false
	}
	behind := 0
	for i := range run.Boots {
		b := &run.Boots[i]
		if b.Errors > 0 {
			return false
		}
		if len(b.Checks) == 0 && !b.Gap {
			continue
		}
		if b.Gap || !b.Ended || !slices.Contains(b.Checks, checkFor(col)) {
			return false
		}
		behind++
	}
	return behind > 0 && behind >= run.World
}

// checkFor names the check that a metric's kind needs.
func checkFor(col *evidence.Column) string {
	switch {
	case col.Role == evidence.Eval || col.Role == evidence.Final:
		if col.Kind == evidence.KindError {
			return "decode"
		}
		return "finite"
	}
	return "steps"
}

// applyLevel makes a value UNPROVEN that would be TRUSTED below the level that
// the configuration, or the kind of its source, requires.
func (j *judge) applyLevel(s *Subject) {
	if s.Verdict != Trusted || (s.Role != evidence.Eval && s.Role != evidence.Final && s.Role != evidence.Series) {
		return
	}
	need := j.cfg.required(s.Name, j.defaultLevel())
	if s.Level >= need {
		return
	}
	r := j.t.reason("level-too-low", vars{"have": s.Level.String(), "need": need.String(), "do": howToReach(need)})
	s.Verdict, s.Why = Unproven, append([]Reason{r}, s.Why...)
}

// defaultLevel: log for files that trainvet did not record, captured for a run
// directory, guarded for a Python trainer under trainvet run.
func (j *judge) defaultLevel() Level {
	switch {
	case j.ev.Run == nil, j.ev.Run.Loose:
		return Log
	case j.ev.Run.Python:
		return Guarded
	}
	return Captured
}

func howToReach(l Level) string {
	switch l {
	case Captured:
		return "record the run with trainvet run"
	case Guarded:
		return "record the run with trainvet run and let the guards load in every process"
	case Probed:
		return "run trainvet probe on this machine"
	}
	return ""
}
