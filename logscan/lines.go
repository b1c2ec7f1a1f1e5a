package logscan

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/scan"
	"github.com/trainvet/trainvet/logscan/source"
)

//go:embed lines.tsv
var linesTSV string

// lineForm is a row of lines.tsv: a line in which the run says what it got, or
// which file it wrote or read.
type lineForm struct {
	kind, topic string
	pattern     func() *linePattern // compiled when a line first needs it; a test compiles all
	fromAnchor  bool                // the pattern begins with the anchor
}

// linePattern is an expression and the numbers of its groups; 0: it has none of
// that name. A run that writes a checkpoint in each minute says so in ten thousand
// lines, and asking the expression by name took as long as matching it.
type linePattern struct {
	*regexp.Regexp
	path, step, asked, got int
}

func newLinePattern(expr string) *linePattern {
	re := regexp.MustCompile(expr)
	group := func(name string) int { return max(0, re.SubexpIndex(name)) }
	return &linePattern{re, group("path"), group("step"), group("asked"), group("got")}
}

// lineForms knows the lines that are neither markers nor metrics.
type lineForms struct {
	forms   []lineForm
	anchors []string
	filter  *scan.Filter
}

func loadLineForms() (*lineForms, error) {
	r := csv.NewReader(strings.NewReader(linesTSV))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, 5
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading lines.tsv: %w", err)
	}
	lf := &lineForms{}
	for _, f := range rows[1:] {
		pattern := sync.OnceValue(func() *linePattern { return newLinePattern(f[3]) })
		lf.forms = append(lf.forms, lineForm{
			kind: f[0], topic: f[1], pattern: pattern, fromAnchor: strings.HasPrefix(f[3], "(?i)"+regexp.QuoteMeta(f[2])),
		})
		lf.anchors = append(lf.anchors, f[2])
	}
	if lf.filter, err = scan.New(lf.anchors, nil); err != nil {
		return nil, fmt.Errorf("lines.tsv: %w", err)
	}
	return lf, nil
}

// line looks for every form in a cleaned line.
func (lf *lineForms) line(l *source.Line, c *collector) {
	seen := uint64(0) // forms of this line, by index
	lf.filter.Find(l.Text, func(pos, i int) {
		if i < 64 && seen&(1<<i) != 0 {
			return
		}
		seen |= 1 << i
		f := &lf.forms[i]
		if !f.fromAnchor {
			pos = 0
		}
		p := f.pattern()
		if m := p.FindSubmatch(l.Text[pos:]); m != nil {
			f.take(p, m, l, c)
		}
	})
}

func (f *lineForm) take(p *linePattern, m [][]byte, l *source.Line, c *collector) {
	pos := evidence.Pos{Source: c.src.ID, Offset: l.Offset, Line: l.No, Time: l.Prefix.Time, Segment: c.procs.index[l.Prefix.Printer]}
	switch f.kind {
	case "decision":
		c.decision(evidence.Decision{At: pos, Topic: f.topic, Asked: group(m, p.asked), Got: group(m, p.got), Text: clip(l.Text, 0)})
	case "end":
		c.src.EndShown = true
	default:
		a := evidence.Artifact{At: pos, Op: f.kind, Path: group(m, p.path), Printer: l.Prefix.Printer}
		if f.kind == evidence.ResumeKind {
			a.Op, a.Kind = "read", evidence.ResumeKind
		}
		if p.step > 0 {
			if step, err := strconv.ParseFloat(group(m, p.step), 64); err == nil {
				a.Step = &step
			}
		}
		if a.Path == "" {
			a.Path = f.topic
		}
		if a.Op == "read" {
			c.starts.loads(pos, clip(l.Text, 0))
		}
		c.artifact(a)
	}
}

func group(m [][]byte, i int) string {
	if i == 0 {
		return ""
	}
	return strings.TrimRight(string(m[i]), ".,;")
}

const maxKept = 1024 // decisions and artifacts of one source

// decision keeps the last line of each topic and wording: the last one wins.
func (c *collector) decision(d evidence.Decision) {
	for i := range c.out.Decisions {
		if old := &c.out.Decisions[i]; old.Topic == d.Topic && old.Got == d.Got && old.Asked == d.Asked {
			*old = d
			return
		}
	}
	if len(c.out.Decisions) < maxKept {
		c.out.Decisions = append(c.out.Decisions, d)
	}
}

// artifactKey: what was done to which file.
type artifactKey struct{ op, path string }

// artifact keeps each file once per operation: its last time.
func (c *collector) artifact(a evidence.Artifact) {
	key := artifactKey{a.Op, a.Path}
	if i, known := c.named[key]; known {
		if old := &c.out.Artifacts[i]; a.Kind == "" && old.At == a.At { // two forms read one line
			a.Kind, a.Step = old.Kind, old.Step
		}
		c.out.Artifacts[i] = a
		return
	}
	if len(c.out.Artifacts) < maxKept {
		c.named[key] = len(c.out.Artifacts)
		c.out.Artifacts = append(c.out.Artifacts, a)
	}
}
