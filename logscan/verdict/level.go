package verdict

import (
	_ "embed"
	"slices"
	"strings"

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
	if run == nil || j.lines.gap() || !j.guardedFor(run, col) {
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

// guardedFor: the checks for the kind of a value ran in the processes behind it,
// without gap or hook error. A process in which no check had anything to do, a
// loader's worker or a compiler's, is behind no value. Text is made by one process
// of many; steps are made by each. Of a process that was killed no more is behind
// a value than the checkpoint that the next one goes on from, which it recorded.
func (j *judge) guardedFor(run *evidence.Run, col *evidence.Column) bool {
	if len(run.Silent) > 0 {
		return false
	}
	check, behind, processes := checkFor(run, col), 0, 0
	for i := range run.Boots {
		b := &run.Boots[i]
		if b.Errors > 0 {
			return false
		}
		if len(b.Checks) == 0 && !b.Gap {
			continue
		}
		if b.Gap || !b.Ended && !j.lines.goesOn(b) {
			return false
		}
		if !b.Ended {
			continue // the one that goes on from it counts
		}
		processes++
		switch {
		case slices.Contains(b.Checks, check):
			behind++
		case check == checkFinite && slices.Contains(b.Checks, checkSteps):
			return false
		}
	}
	if check == checkDecode && behind > 0 {
		behind = processes
	}
	return behind > 0 && behind >= run.World
}

// Checks of the run record that a value can need.
const (
	checkDecode = "decode"
	checkSteps  = "steps"
	checkFinite = "finite"
)

// checkFor names the check that a metric's kind needs. What is computed from
// text needs a look at the ids, where a library that makes text was loaded.
func checkFor(run *evidence.Run, col *evidence.Column) string {
	switch {
	case col.Role != evidence.Eval && col.Role != evidence.Final:
		return checkSteps
	case ofText(col.Name) && slices.ContainsFunc(run.Boots, func(b evidence.Boot) bool { return b.Lang == "go" || slices.Contains(b.Live, checkDecode) }):
		return checkDecode
	}
	return checkFinite
}

//go:embed oftext.txt
var ofTextWords string

// ofText reports whether a metric compares texts: then the ids behind them count.
func ofText(name string) bool {
	for word := range strings.SplitSeq(strings.ToLower(name), "_") {
		for known := range strings.FieldsSeq(ofTextWords) {
			if stem, open := strings.CutSuffix(known, "*"); word == known || open && strings.HasPrefix(word, stem) {
				return true
			}
		}
	}
	return false
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
// directory, guarded where a Python process trained: what its guards saw, or
// would have seen, can be known.
func (j *judge) defaultLevel() Level {
	switch {
	case j.ev.Run == nil, j.ev.Run.Loose:
		return Log
	case j.ev.Run.Python, slices.ContainsFunc(j.ev.Run.Boots, trained):
		return Guarded
	}
	return Captured
}

// trained: PyTorch was loaded and optimizers stepped, or records are missing
// that may have said so. A process that only reads data, or launches others, has
// nothing that guards could look at.
//
// One that was killed has no end, and values from before it are as good as they
// were: for them a capture does.
func trained(b evidence.Boot) bool {
	switch {
	case b.Lang != "python":
		return false
	case b.Gap:
		return slices.Contains(b.Live, checkSteps)
	}
	return b.Ended && slices.Contains(b.Checks, checkSteps)
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
