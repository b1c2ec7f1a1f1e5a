package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/trainvet/trainvet/internal/plain"
)

const lineWidth = 400 // of untrusted text, in runes

// printer writes lines; untrusted text goes through plain.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, plain.Line(fmt.Sprintf(format, args...), lineWidth))
	}
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer, verbose bool) error {
	p := &printer{w: w}
	for _, x := range r.Refused {
		what := x.Metric
		if what == "" {
			what = "the run"
		}
		p.line("REFUSED  arm %s, %s: %s is POISONED", x.Arm, x.Run, what)
		for _, why := range x.Why {
			p.line("  %s", why)
		}
	}
	if len(r.Refused) > 0 {
		p.line("no comparison was made: a POISONED value is not the measurement that its name claims")
		p.line("  do: choose metrics whose claims are not POISONED (--metric), or run that arm again")
	}
	for i := range r.Metrics {
		r.Metrics[i].write(p, verbose)
	}
	r.writeTraining(p)
	for _, n := range r.Notes {
		p.line("note: %s", n)
	}
	return p.err
}

func (m *Metric) write(p *printer, verbose bool) {
	p.line("%s  %s: A %s, B %s; B - A = %s%s", m.head(), m.Name, m.A.show(), m.B.show(), signed(m.Difference), m.Interval.in())
	p.line("  %s", m.testLine())
	if g := m.Granularity; g != nil {
		p.line("  one item is worth %s (1 of %d, %s)", figure(g.Step), g.N, g.How)
	}
	m.side(p, "A", &m.A)
	m.side(p, "B", &m.B)
	if m.Bootstrap != nil {
		p.line("  bootstrap over runs: difference of the means%s", m.Bootstrap.in())
	}
	m.writeFlips(p, verbose)
	for _, n := range m.Notes {
		p.line("  note: %s", n)
	}
}

func (m *Metric) head() string {
	switch m.Verdict {
	case Same:
		return fmt.Sprintf("%s %s", Same, figure(m.Within))
	case CannotTell:
		if m.More == 0 {
			return string(CannotTell)
		}
		return fmt.Sprintf("%s (needs %d more %s an arm to show a difference of %s)", CannotTell, m.More, m.Unit, figure(m.Aim))
	}
	return string(m.Verdict)
}

func (m *Metric) testLine() string {
	text := "no test: "
	if m.P != nil {
		text = fmt.Sprintf("%s: p = %s", m.Test, figure(*m.P))
		if *m.Adjusted != *m.P {
			text += fmt.Sprintf(", %s after Holm", figure(*m.Adjusted))
		}
		text += "; "
	}
	if m.Detectable == nil {
		return text + "no difference, however large, could have been shown by this design"
	}
	return text + fmt.Sprintf("the smallest difference that this design could have shown: %s", figure(*m.Detectable))
}

func (m *Metric) side(p *printer, arm string, s *Side) {
	var parts []string
	if s.K != nil {
		parts = append(parts, fmt.Sprintf("%d of %d", *s.K, s.N))
	} else if s.N > 0 {
		parts = append(parts, fmt.Sprintf("%d items", s.N))
	}
	if s.Interval != nil {
		parts = append(parts, strings.TrimPrefix(s.Interval.in(), ", "))
	}
	if s.Spread != nil {
		parts = append(parts, fmt.Sprintf("%d runs from %s to %s", len(s.Runs), figure(s.Spread.Lo), figure(s.Spread.Hi)))
	}
	parts = append(parts, s.Verdicts...)
	if len(parts) > 0 {
		p.line("  %s", arm+": "+strings.Join(parts, "; "))
	}
}

// writeFlips lists the items that only one arm got right, a few of them unless all
// are asked for.
func (m *Metric) writeFlips(p *printer, verbose bool) {
	if m.FlippedAll == 0 {
		return
	}
	show := min(len(m.Flipped), 10)
	if verbose {
		show = len(m.Flipped)
	}
	var names []string
	for _, f := range m.Flipped[:show] {
		names = append(names, fmt.Sprintf("%s (%s)", f.Item, f.Right))
	}
	text := fmt.Sprintf("%d items flipped, with the arm that got it right: %s", m.FlippedAll, strings.Join(names, ", "))
	if show < m.FlippedAll {
		text += " ..."
	}
	p.line("  %s", text)
}

func (r *Report) writeTraining(p *printer) {
	for _, t := range r.Training {
		steps := "optimizer steps are not told"
		least := ""
		if t.AtLeast {
			least = "at least "
		}
		switch {
		case t.Attempted > 0:
			steps = fmt.Sprintf("%d steps attempted, %s%d skipped, %d applied", t.Attempted, least, t.Skipped, t.Applied)
		case t.Skipped > 0:
			steps = fmt.Sprintf("%s%d steps skipped", least, t.Skipped)
		}
		p.line("%s  %s: %s; %s", t.Arm, t.Run, t.Verdict, steps)
	}
}

// WriteText writes the report for people.
func (r *ExactReport) WriteText(w io.Writer, verbose bool) error {
	p := &printer{w: w}
	what := fmt.Sprintf("%s, %s, %s compared", counted(r.Values, "value"), counted(r.Files, "file"), counted(r.Items, "prediction"))
	switch {
	case r.Identical():
		p.line("IDENTICAL  %s", what)
	case r.Values+r.Files+r.Items == 0:
		p.line("NOT IDENTICAL  nothing was found that could be compared")
	default:
		p.line("NOT IDENTICAL  %s", what)
	}
	show := 20
	if verbose {
		show = len(r.Parts)
	}
	for _, x := range r.Parts[:min(show, len(r.Parts))] {
		p.line("  %s parts at %s: A %s, B %s", x.What, x.Where, x.A, x.B)
	}
	if len(r.Parts) > show {
		p.line("  and %d more (-v)", len(r.Parts)-show)
	}
	for _, x := range r.OnlyA {
		p.line("  only in A: %s", x)
	}
	for _, x := range r.OnlyB {
		p.line("  only in B: %s", x)
	}
	for _, n := range r.Notes {
		p.line("note: %s", n)
	}
	return p.err
}

func (s *Side) show() string {
	if s.Text != "" {
		return s.Text
	}
	return figure(s.Value)
}

func (i *Interval) in() string {
	if i == nil {
		return ""
	}
	return fmt.Sprintf(", 95 %% [%s, %s]", figure(i.Lo), figure(i.Hi))
}

func figure(x float64) string { return fmt.Sprintf("%.4g", x) }

func signed(x float64) string { return fmt.Sprintf("%+.4g", x) }

// counted is "1 file" or "2 files".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
