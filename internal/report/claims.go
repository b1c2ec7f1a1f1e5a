package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/verdict"
)

const (
	shownRefs     = 3  // lines of evidence per reason, unless verbose
	shownPerGroup = 10 // headlines per group when there are many claims
)

// claims prints every claim. Claims with the same verdict for the same reasons
// share one block of evidence.
func (s *sheet) claims() {
	s.section("claims")
	if len(s.r.Claims) == 0 {
		s.emit(2, "none: no evaluation, final or training value was found")
		return
	}
	for _, g := range s.groups() {
		s.group(g)
	}
}

func (s *sheet) groups() [][]verdict.Subject {
	many := len(s.r.Claims) > manyClaims
	var out [][]verdict.Subject
next:
	for _, c := range s.r.Claims {
		for i, g := range out {
			near := many || i == len(out)-1 // few claims keep their order
			if near && sameStory(g[0], c) {
				out[i] = append(g, c)
				continue next
			}
		}
		out = append(out, []verdict.Subject{c})
	}
	return out
}

// sameStory reports whether two subjects can share a block of evidence.
func sameStory(a, b verdict.Subject) bool {
	return a.Verdict == b.Verdict && a.Level == b.Level && reflect.DeepEqual(a.Why, b.Why)
}

func (s *sheet) group(g []verdict.Subject) {
	shown := len(g)
	if len(s.r.Claims) > manyClaims && !s.o.Verbose {
		shown = min(shown, shownPerGroup)
	}
	for _, c := range g[:shown] {
		s.headline(c.Verdict, c.Level, subject(c))
		s.remarks(c)
	}
	if rest := g[shown:]; len(rest) > 0 {
		var names []string
		for _, c := range rest {
			names = append(names, name(c))
		}
		s.headline(g[0].Verdict, g[0].Level,
			fmt.Sprintf("%d more: %s", len(rest), strings.Join(names, ", ")))
	}
	s.reasons(g[0].Why)
}

func (s *sheet) remarks(c verdict.Subject) {
	if w := sample(c); w != "" {
		s.emit(2, w)
	}
	for _, m := range c.Remarks {
		s.emit(2, "remark: "+m)
	}
}

// reasons prints why, with the lines that prove it, then what to do. A remedy
// is given once a report, where it is first needed.
func (s *sheet) reasons(why []verdict.Reason) {
	var remedies []string
	for _, r := range why {
		text, do := s.o.Remedy(r.Code)
		text, do = firstOf(r.Text, text, r.Code), firstOf(do, named(r.Do))
		if r.Verdict == verdict.Trusted {
			text = "note: " + text
		}
		s.withRefs(2, text, r.Refs)
		if do != "" && s.first(do) {
			remedies = append(remedies, do)
		}
	}
	for _, do := range remedies {
		s.emit(2, "do: "+do)
	}
}

// first reports whether text is new to this report.
func (s *sheet) first(text string) bool {
	if s.said[text] {
		return false
	}
	s.said[text] = true
	return true
}

// withRefs prints a sentence and its evidence: one line of evidence beside it,
// more of them below.
func (s *sheet) withRefs(indent int, text string, refs []verdict.Ref) {
	switch len(refs) {
	case 0:
		s.emit(indent, text)
		return
	case 1:
		s.emit(indent, text+": "+ref(refs[0]))
		return
	}
	s.emit(indent, text+":")
	shown := len(refs)
	if !s.o.Verbose && shown > shownRefs+1 { // never hide a single line: the hint is as long
		shown = shownRefs
	}
	for _, r := range refs[:shown] {
		s.emit(indent+2, ref(r))
	}
	if n := len(refs) - shown; n > 0 {
		s.emit(indent+2, fmt.Sprintf("and %d more lines (-v shows them)", n))
	}
}

// lastBefore answers the first question after a fault: what still stands.
func (s *sheet) lastBefore() {
	s.b.WriteByte('\n')
	const label = "Last value before the fault: "
	switch {
	case len(s.r.LastBefore) > 0:
		for _, v := range s.r.LastBefore {
			line := label + subject(v)
			if v.Verdict != verdict.Trusted {
				line += "  " + v.Verdict.String()
			}
			s.emit(0, line)
		}
	default:
		s.emit(0, label+Standing(s.r))
	}
}

// Standing says what stands where no value is the last one before a fault: all,
// without one, or the claims that it left alone.
func Standing(r *verdict.Result) string {
	if !slices.ContainsFunc(r.Faults, counts) {
		return "no fault was seen"
	}
	trusted := 0
	for _, c := range r.Claims {
		if c.Verdict == verdict.Trusted {
			trusted++
		}
	}
	switch trusted {
	case 0:
		return "none was printed"
	case len(r.Claims):
		return "the claims above stand"
	}
	return "none was printed of the metrics in doubt, the TRUSTED claims above stand"
}

// runAndMachine prints the other subjects where there is something to say.
func (s *sheet) runAndMachine() {
	s.standing(s.r.Run)
	if s.r.Machine != nil {
		s.standing(*s.r.Machine)
	}
}

// asClaims reports whether some claim has the very same reasons.
func (s *sheet) asClaims(why []verdict.Reason) bool {
	return len(why) > 0 && !s.o.Quiet && slices.ContainsFunc(s.r.Claims, func(c verdict.Subject) bool {
		return reflect.DeepEqual(c.Why, why)
	})
}

func (s *sheet) standing(x verdict.Subject) {
	if x.Verdict == verdict.Trusted && len(x.Why) == 0 && !s.o.Verbose {
		return
	}
	line := x.Kind + " " + name(x)
	if x.Kind == x.Name || x.Name == "" {
		line = firstOf(x.Kind, "(no name)")
	}
	if s.asClaims(x.Why) {
		s.headline(x.Verdict, x.Level, line+", for the reasons above")
		return
	}
	s.headline(x.Verdict, x.Level, line)
	if s.o.Quiet {
		return
	}
	s.reasons(x.Why)
	if text := s.texts[x.Kind+"."+x.Verdict.String()]; text != "" {
		s.emit(2, "consequence: "+text)
	}
}
