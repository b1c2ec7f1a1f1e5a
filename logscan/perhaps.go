package logscan

import (
	"bytes"
	"regexp"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/source"
)

// endWatch looks for an exception that nothing seems to have caught: its
// traceback goes down to the module, and no logger printed it. A script may catch
// one there too, so it only makes it likely that its program ended.
type endWatch struct {
	frames int
	module bool // the outermost frame is the module
	died   bool // such an exception was printed, and no record came since
}

func (w *endWatch) head() { *w = endWatch{} }

func (w *endWatch) frame(l *source.Line) {
	if bytes.Contains(l.Text, []byte("File \"")) {
		w.frames++
		w.module = w.module || w.frames == 1 && bytes.HasSuffix(l.Text, []byte("in <module>"))
	}
}

func (w *endWatch) exception(l *source.Line) {
	w.died = w.module && l.Prefix.Level == 0 && l.Prefix.Rank < 0 && l.Prefix.Printer == ""
}

// perhaps sees the lines behind such an exception: what looks like the start of
// a program may be that of another one. Nothing proves it.
func (c *collector) perhaps(l *source.Line) {
	if !c.ending.died || !c.procs.trouble || l.Bar || !looksLikeStart(l.Text) {
		return
	}
	c.ending.died = false
	at := evidence.Pos{Source: c.src.ID, Offset: l.Offset, Line: l.No, Time: l.Prefix.Time}
	c.boundary(evidence.Boundary{At: at, Kind: evidence.PerhapsKind, Text: clip(l.Text, 0)})
}

// startWords begin a program's output: what it does, which script it is, its
// arguments, what it loads.
var startWords = regexp.MustCompile(`(?i)^\W*(?:running|start(?:ing|ed)?|launching|executing|evaluat(?:e|ing|ion)|testing|begin(?:ning)?|load(?:ing|ed)|resum(?:e|ing|ed)|restor(?:ing|ed)|using device|(?:global )?seed set)\b` +
	`|\b[\w./-]+\.(?:py|sh)(?::?\s|$|[;,)])` +
	`|^(?:Namespace|\w*Args|\w*Arguments|\w*Config)\(`)

const maxStartLine = 400

func looksLikeStart(text []byte) bool {
	return len(text) <= maxStartLine && startWords.Match(text)
}
