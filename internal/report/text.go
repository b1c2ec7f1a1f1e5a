package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// Text prints for people.
func Text(o Options) Printer {
	if o.Remedy == nil {
		o.Remedy = standardRemedy()
	}
	return &textPrinter{o: o, texts: texts()}
}

type textPrinter struct {
	o     Options
	texts map[string]string
}

// sheet is one report while it is written.
type sheet struct {
	page
	r     *verdict.Result
	texts map[string]string
	said  map[string]bool // remedies already given
}

func (t *textPrinter) Result(w io.Writer, r *verdict.Result) error {
	s := &sheet{page: page{o: t.o}, r: r, texts: t.texts, said: map[string]bool{}}
	switch {
	case t.o.Quiet:
		s.headlines()
	case !t.o.Verbose && s.healthy():
		s.threeLines()
	default:
		s.full()
	}
	if _, err := w.Write(s.b.Bytes()); err != nil {
		return fmt.Errorf("writing the text report: %w", err)
	}
	return nil
}

func (s *sheet) full() {
	s.overall()
	for _, part := range []func(){
		s.decisions, s.claims, s.runAndMachine, s.lastBefore,
		s.events, s.ending, s.steps, s.series, s.artifacts, s.others, s.values,
		s.quality, s.notes, s.notChecked, s.sources,
	} {
		part()
	}
}

func (s *sheet) headlines() {
	s.overall()
	for _, c := range s.r.Claims {
		s.headline(c.Verdict, c.Level, subject(c))
	}
	s.runAndMachine()
}

// overall is the first line: the worst over the claims.
func (s *sheet) overall() {
	r, n, worst := s.r, len(s.r.Claims), 0
	for _, c := range r.Claims {
		if c.Verdict == r.Headline {
			worst++
		}
	}
	text := fmt.Sprintf("%d of %s", worst, plural(int64(n), "claim", "claims"))
	switch {
	case n == 0:
		text = "no claim was found"
	case worst == n && n > 1:
		text = fmt.Sprintf("all %d claims", n)
	case worst == n:
		text = "1 claim"
	case worst == 0: // the run itself is worse than every claim
		text = "the run; " + plural(int64(n), "claim", "claims")
	}
	if i := slices.IndexFunc(r.Crashes, s.endedIt); i >= 0 { // its numbers may stand, and are not those of a whole run
		text += "; ended early (" + short(r.Crashes[i].ID) + ")"
	}
	s.headline(r.Headline, r.Level, text)
	s.unread()
}

// unread names right below the first line what could not be read: the verdict
// is over the rest alone, and the exit code says so.
func (s *sheet) unread() {
	list := slices.DeleteFunc(slices.Clone(s.r.Skipped), isRead)
	shown := len(list)
	if !s.o.Verbose && shown > shownRefs+1 { // never hide a single line: the hint is as long
		shown = shownRefs
	}
	for _, n := range list[:shown] {
		s.emit(0, "could not be read: "+n.Text)
	}
	if n := len(list) - shown; n > 0 {
		s.emit(0, fmt.Sprintf("could not be read: %d more (-v shows them)", n))
	}
}

func isRead(n verdict.Note) bool { return n.Code != unreadSource }

// notSeen is what the report says last of what was left out.
func (s *sheet) notSeen() []verdict.Note {
	return slices.DeleteFunc(slices.Clone(s.r.Skipped), func(n verdict.Note) bool { return !isRead(n) })
}

// endedIt reports whether no value of its file stands behind a crash: a batch
// for which there was no memory can be left out, and the run goes on.
func (s *sheet) endedIt(e verdict.Event) bool {
	end := e.First.At
	if e.Count > 1 {
		end = e.Last.At
	}
	behind := func(p evidence.Pos) bool { return p.Source == end.Source && p.Offset > end.Offset }
	for _, x := range s.r.Series {
		if slices.ContainsFunc(x.Stretches, func(st verdict.Stretch) bool { return behind(st.To) }) {
			return false
		}
	}
	return counts(e) && !slices.ContainsFunc(s.r.Claims, func(c verdict.Subject) bool { return behind(c.At) })
}

// healthy reports whether nothing at all stands against the run.
func (s *sheet) healthy() bool {
	r := s.r
	bad := func(x verdict.Subject) bool { return x.Verdict != verdict.Trusted || len(x.Why) > 0 }
	return r.Headline == verdict.Trusted && len(r.Claims) > 0 &&
		!slices.ContainsFunc(r.Claims, bad) && !slices.ContainsFunc(r.Artifacts, bad) &&
		!slices.ContainsFunc(r.Others, bad) && r.Run.Verdict == verdict.Trusted &&
		(r.Machine == nil || r.Machine.Verdict == verdict.Trusted) && (r.Ending == nil || r.Ending.Whole) &&
		!slices.ContainsFunc(r.Series, troubled) &&
		!slices.ContainsFunc(r.Faults, counts) && !slices.ContainsFunc(r.Crashes, counts) &&
		!slices.ContainsFunc(r.Losses, counts) && len(r.Quality) == 0
}

func troubled(x verdict.Series) bool {
	return slices.ContainsFunc(x.Stretches, func(st verdict.Stretch) bool { return st.Verdict != verdict.Trusted })
}

// counts reports whether an event was not set aside.
func counts(e verdict.Event) bool { return e.Note == "" }

// threeLines is the report of a healthy run: verdict, values, what was not
// seen. Notes and remarks that a reader should not miss follow.
func (s *sheet) threeLines() {
	s.o.Width = 0 // three lines, however narrow: the terminal wraps them
	head := plural(int64(len(s.r.Claims)), "claim", "claims")
	said := map[string]bool{}
	for _, d := range s.r.Decisions {
		if w := ", " + short(d.Topic) + " " + short(d.Got); !said[w] {
			said[w] = true
			head += w
		}
	}
	s.headline(s.r.Headline, s.r.Level, head)
	s.unread()
	s.emit(0, inOneLine(s.r.Claims))
	s.emit(0, s.notSeenInOneLine())
	for _, c := range s.r.Claims {
		for _, m := range c.Remarks {
			s.emit(0, "remark: "+name(c)+": "+m)
		}
	}
	for _, n := range s.r.Notes {
		if _, quiet := s.texts["quiet."+n.Code]; !quiet {
			s.note(0, n)
		}
	}
	s.values()
}

const (
	manyClaims   = 20
	curveSkip    = "curve-not-checked"
	unreadSource = "unread"
)

func inOneLine(list []verdict.Subject) string {
	var items []string
	for i, c := range list {
		if i == manyClaims {
			items = append(items, fmt.Sprintf("and %d more (-v shows them)", len(list)-i))
			break
		}
		item := name(c) + " " + value(c.Text, c.Value)
		var in []string
		for _, w := range []string{when(c), sample(c)} {
			if w != "" {
				in = append(in, w)
			}
		}
		if len(in) > 0 {
			item += " (" + strings.Join(in, "; ") + ")"
		}
		items = append(items, item)
	}
	return strings.Join(items, ", ")
}

// checksOf counts the checks in a note "title, title: what they lack".
func checksOf(n verdict.Note) int {
	titles, _, _ := strings.Cut(n.Text, ": ")
	return 1 + strings.Count(titles, ", ")
}

func curveChecks(n int) string {
	return plural(int64(n), "curve check", "curve checks") + " (-v says why)"
}

func sample(c verdict.Subject) string {
	if c.Sample == "" {
		return ""
	}
	return "one sample is worth " + c.Sample
}

func (s *sheet) notSeenInOneLine() string {
	out := "read " + plural(int64(len(s.r.Sources)), "source", "sources") + "; "
	if len(s.r.Skipped) == 0 {
		return out + "nothing was left out"
	}
	notes := s.notSeen()
	if len(notes) == 0 {
		return strings.TrimSuffix(out, "; ")
	}
	var seen, do []string
	curves := 0
	for _, n := range notes {
		if n.Code == curveSkip { // a run that logs little has many of them: -v names them
			curves += checksOf(n)
			continue
		}
		seen = append(seen, firstOf(s.texts["missing."+n.Code], n.Text))
		if n.Do != "" && !slices.Contains(do, n.Do) {
			do = append(do, n.Do)
		}
	}
	if curves > 0 {
		seen = append(seen, curveChecks(curves))
	}
	out += "not checked: " + strings.Join(seen, ", ")
	if len(do) > 0 {
		out += "; to check more: " + strings.Join(do, "; ")
	}
	return out
}
