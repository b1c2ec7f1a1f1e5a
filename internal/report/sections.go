package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// decisions prints what the run says of itself: the device it got, the epochs
// it was to do. Only where it also says what it asked for is the other "got".
func (s *sheet) decisions() {
	for _, d := range s.r.Decisions {
		line := short(d.Topic) + ": "
		if d.Asked != "" {
			line += "asked " + short(d.Asked) + ", got "
		}
		line += short(d.Got)
		s.emit(0, line+"  "+ref(verdict.Ref{At: d.At, Text: d.Text}))
	}
}

// events prints faults, crashes and losses, each event once.
func (s *sheet) events() {
	s.eventList("faults", s.r.Faults)
	s.eventList("crashes", s.r.Crashes)
	s.eventList("degraded", s.r.Losses)
}

func (s *sheet) eventList(title string, events []verdict.Event) {
	if len(events) == 0 {
		return
	}
	s.section(title)
	for _, e := range events {
		s.event(e)
	}
}

func (s *sheet) event(e verdict.Event) {
	head := short(e.ID)
	if e.Scope != "" {
		head += " (" + string(e.Scope) + ")"
	}
	if e.Effect != "" {
		head += ", effect on " + e.Effect
	}
	if e.Count != 1 {
		head += ", " + plural(e.Count, "time", "times")
	}
	s.emit(2, head)
	if e.Count > 1 && e.Last.At != e.First.At {
		s.emit(4, "first "+ref(e.First))
		s.emit(4, "last  "+ref(e.Last))
	} else {
		s.emit(4, ref(e.First))
	}
	if e.Text != "" {
		s.emit(4, e.Text)
	}
	if e.Note != "" {
		s.emit(4, "set aside: "+e.Note)
	}
}

// ending is how a recorded run ended, with what shows it. One that ended as it
// should is no news.
func (s *sheet) ending() {
	e := s.r.Ending
	if e == nil || e.Whole && !s.o.Verbose {
		return
	}
	s.section("ending")
	s.emit(2, short(e.Text))
	for _, line := range e.Evidence {
		s.emit(4, short(line))
	}
	if len(e.Evidence) == 0 {
		s.emit(4, "nothing that shows more was recorded")
	}
}

func (s *sheet) steps() {
	st := s.r.Steps
	if st == nil {
		return
	}
	s.section("steps")
	if st.Text != "" { // it holds the numbers
		s.emit(2, st.Text)
		return
	}
	if st.Attempted == 0 && st.Skipped == 0 && st.Effective == 0 {
		return
	}
	line := fmt.Sprintf("skipped %d", st.Skipped)
	if st.LowerBound {
		line = fmt.Sprintf("skipped at least %d", st.Skipped)
	}
	if st.Attempted > 0 {
		line += fmt.Sprintf(" of %d attempted, %d applied", st.Attempted, st.Effective)
	}
	s.emit(2, line)
}

func (s *sheet) series() {
	if len(s.r.Series) == 0 {
		return
	}
	s.section("series")
	for _, x := range s.r.Series {
		s.emit(2, short(firstOf(x.Printed, x.Name))+"  "+stretches(x.Stretches)+"  "+short(x.Source))
		for _, st := range x.Stretches {
			if s.o.Verbose && len(st.Why) > 0 {
				s.emit(4, st.Verdict.String()+" "+extent(st, false))
				for _, r := range st.Why {
					s.withRefs(6, r.Text, r.Refs)
				}
			}
		}
	}
}

// stretches is "TRUSTED 1-4000, POISONED from 4010".
func stretches(list []verdict.Stretch) string {
	var out []string
	list, anew := joined(byEpoch(list))
	for i, st := range list {
		open := i > 0 && i == len(list)-1
		text := st.Verdict.String() + " " + extent(st, open)
		if anew[i] > 0 {
			text += fmt.Sprintf(", begun anew %d times", anew[i])
		}
		if i == len(list)-1 {
			text += " (last " + value(st.Text, st.Last) + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// joined makes one stretch of neighbours with one verdict, and counts how often
// the counter begins anew within it.
func joined(list []verdict.Stretch) (out []verdict.Stretch, anew []int) {
	for _, st := range list {
		n := len(out) - 1
		if n < 0 || out[n].Verdict != st.Verdict {
			out, anew = append(out, st), append(anew, 0)
			continue
		}
		to := &out[n]
		if back(&to.Step, st.Step) || !to.Step.Has && back(&to.Epoch, st.Epoch) {
			anew[n]++
		}
		to.To, to.Last, to.Text, to.N = st.To, st.Last, st.Text, to.N+st.N
	}
	return out, anew
}

// byEpoch leaves the steps out where they begin anew in each epoch: there the
// epoch says where a stretch lies, and "from step 0" would mean any of them.
func byEpoch(list []verdict.Stretch) []verdict.Stretch {
	again := false
	for i, st := range list {
		if !st.Epoch.Has {
			return list
		}
		again = again || i > 0 && st.Step.Has && st.Step.First <= list[i-1].Step.Last && st.Epoch.First > list[i-1].Epoch.First
	}
	if !again {
		return list
	}
	out := slices.Clone(list)
	for i := range out {
		out[i].Step = evidence.Span{}
	}
	return out
}

// back widens a counter's range by the one that follows, and reports whether
// the counter went back.
func back(s *evidence.Span, next evidence.Span) bool {
	if !s.Has || !next.Has {
		return false
	}
	behind := next.First < s.Last
	s.First, s.Last = min(s.First, next.First), max(s.Last, next.Last)
	return behind
}

// extent is where a stretch lies: by step, else by epoch, else by line.
func extent(st verdict.Stretch, open bool) string {
	what, s := "", st.Step
	if !s.Has && st.Epoch.Has {
		what, s = "epoch ", st.Epoch
	}
	if !s.Has {
		what = "line "
		s = evidence.Span{Has: true, First: evidence.Num(st.From.Line), Last: evidence.Num(st.To.Line)}
	}
	from, to := number(float64(s.First)), number(float64(s.Last))
	switch {
	case open:
		return "from " + what + from
	case from == to:
		return what + from
	}
	return what + from + "-" + to
}

// artifacts prints the tainted ones with the consequence, and names the others:
// they are what a run can be resumed from.
func (s *sheet) artifacts() {
	if len(s.r.Artifacts) == 0 {
		return
	}
	s.section("artifacts")
	var clean []string
	for _, a := range s.r.Artifacts {
		if a.Verdict == verdict.Trusted && !s.o.Verbose {
			clean = append(clean, artifact(a))
			continue
		}
		s.headline(a.Verdict, a.Level, subject(a)+digest(a))
		s.reasons(a.Why)
		if text := s.texts["artifact."+a.Verdict.String()]; text != "" {
			s.emit(2, "consequence: "+text)
		}
	}
	if n := len(clean); n > manyClaims { // the last ones are those that a run resumes from
		clean = append([]string{fmt.Sprintf("%d earlier ones", n-manyClaims)}, clean[n-manyClaims:]...)
	}
	if len(clean) > 0 {
		s.emit(2, "nothing against: "+strings.Join(clean, ", "))
	}
}

// shownDigest is how much of a digest tells files apart for people; JSON has all of it.
const shownDigest = 16

func digest(a verdict.Subject) string {
	if a.Digest == "" {
		return ""
	}
	return "  sha256 " + short(a.Digest[:min(len(a.Digest), shownDigest)])
}

func artifact(a verdict.Subject) string {
	if w := when(a); w != "" {
		return name(a) + " (" + w + ")"
	}
	return name(a)
}

// others prints diagnostics and speed: evidence, and no claim. Few readers look
// for them, so that without -v a verdict has one line.
func (s *sheet) others() {
	if len(s.r.Others) == 0 {
		return
	}
	s.section("other values (no claims)")
	if !s.o.Verbose {
		s.othersByVerdict()
		return
	}
	for _, x := range s.r.Others {
		s.emit(2, verdictWords(x.Verdict, x.Level)+"  "+subject(x))
		for _, r := range x.Why {
			s.withRefs(4, r.Text, r.Refs)
		}
	}
}

func (s *sheet) othersByVerdict() {
	var order []string
	groups := map[string][]verdict.Subject{}
	for _, x := range s.r.Others {
		w := verdictWords(x.Verdict, x.Level)
		if groups[w] == nil {
			order = append(order, w)
		}
		groups[w] = append(groups[w], x)
	}
	for _, w := range order {
		s.emit(2, w+"  "+inOneLine(groups[w]))
	}
}

// values prints every value, where --all asked for them.
func (s *sheet) values() {
	if len(s.r.Values) == 0 {
		return
	}
	s.section("all values")
	for _, x := range s.r.Values {
		s.emit(2, verdictWords(x.Verdict, x.Level)+"  "+subject(x))
	}
}

func (s *sheet) quality() {
	s.noteList("quality of the training (changes no verdict)", s.r.Quality)
}

func (s *sheet) notes() { s.noteList("notes", s.r.Notes) }

func (s *sheet) notChecked() {
	title := "assurance " + s.r.Level.String() + ": "
	if len(s.r.Skipped) == 0 {
		s.section(title + "nothing was left out")
		return
	}
	notes := s.notSeen()
	if len(notes) == 0 {
		return
	}
	s.section(title + "not checked")
	var remedies []string
	curves := 0
	for _, n := range notes {
		if n.Code == curveSkip && !s.o.Verbose { // most logs lack something for most of them: one line for all
			curves += checksOf(n)
			continue
		}
		s.withRefs(2, n.Text, n.Refs)
		if n.Do != "" && !slices.Contains(remedies, n.Do) {
			remedies = append(remedies, n.Do)
		}
	}
	if curves > 0 {
		s.emit(2, curveChecks(curves))
	}
	if len(remedies) > 0 {
		s.emit(2, "to check more: "+strings.Join(remedies, "; "))
	}
}

func (s *sheet) noteList(title string, notes []verdict.Note) {
	if len(notes) == 0 {
		return
	}
	s.section(title)
	for _, n := range notes {
		s.note(2, n)
	}
}

func (s *sheet) note(indent int, n verdict.Note) {
	s.withRefs(indent, n.Text, n.Refs)
	if n.Do != "" && n.Do != noneNeeded && s.first(n.Do) {
		s.emit(indent+2, "do: "+n.Do)
	}
}

func (s *sheet) sources() {
	if !s.o.Verbose {
		return
	}
	s.section("sources")
	for _, x := range s.r.Sources {
		line := fmt.Sprintf("%s  %s, %s", short(x.ID), short(x.Kind), plural(x.Bytes, "byte", "bytes"))
		if x.Lines > 0 {
			line += ", " + plural(x.Lines, "line", "lines")
		}
		if x.Note != "" {
			line += ": " + x.Note
		}
		s.emit(2, line)
	}
}
