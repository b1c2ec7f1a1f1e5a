package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

func name(s verdict.Subject) string {
	if n := strings.TrimSpace(short(withSplit(firstOf(s.Printed, s.Name), s.Split))); n != "" {
		return n
	}
	return "(no name)"
}

func short(s string) string { return plain.Line(s, maxName) }

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// value is the number as the log printed it; only what was never text is
// formatted here.
func value(text string, n evidence.Num) string {
	if text != "" {
		return short(text)
	}
	return number(float64(n))
}

func number(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+")
	case f == math.Trunc(f) && math.Abs(f) < 1e15:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// span is "step 4000" or "steps 10-4000"; empty where there is no counter.
func span(what string, s evidence.Span) string {
	switch {
	case !s.Has:
		return ""
	case s.First == s.Last:
		return what + " " + number(float64(s.Last))
	}
	return fmt.Sprintf("%ss %s-%s", what, number(float64(s.First)), number(float64(s.Last)))
}

// when is where in the run a value stands. A step may begin anew in each epoch,
// so that both are given where both are known.
func when(s verdict.Subject) string {
	step, epoch := span("step", s.Step), span("epoch", s.Epoch)
	if step != "" && epoch != "" {
		return epoch + ", " + step
	}
	return step + epoch
}

// place is "file:line", "file (byte n)" for files without lines, or the file.
func place(at evidence.Pos) string {
	src := short(at.Source)
	switch {
	case src == "":
		return ""
	case at.Line > 0:
		return src + ":" + strconv.FormatInt(at.Line, 10)
	case at.Offset > 0:
		return fmt.Sprintf("%s (byte %d)", src, at.Offset)
	}
	return src
}

// ref is a place with the line that stands there.
func ref(r verdict.Ref) string {
	out := place(r.At)
	if r.Text == "" {
		return out
	}
	return strings.TrimLeft(out+" "+quote(r.Text), " ")
}

func quote(text string) string { return `"` + plain.Line(text, maxQuote) + `"` }

// subject is one judged thing behind its verdict.
func subject(s verdict.Subject) string {
	out := name(s)
	if s.Kind == "metric" || s.Text != "" {
		out += " " + value(s.Text, s.Value)
	}
	if w := when(s); w != "" {
		out += " (" + w + ")"
	}
	if s.NoApplied {
		out += ", 0 steps applied"
	}
	if s.Ranks != "" {
		out += ", ranks " + short(s.Ranks)
	}
	if at := place(s.At); at != "" {
		out += "  " + at
	}
	if s.Caller != "" {
		out += ", reported at " + short(s.Caller)
	}
	return out
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + many
}

// withSplit names the split of an evaluation value whose printed name does not.
func withSplit(name, split string) string {
	if (split != "val" && split != "test") || strings.Contains(strings.ToLower(name), split) || strings.Contains(strings.ToLower(name), "eval") {
		return name
	}
	return split + " " + name
}
