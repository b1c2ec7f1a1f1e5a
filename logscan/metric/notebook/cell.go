package notebook

import (
	"strconv"
	"strings"
	"time"

	"github.com/trainvet/trainvet/logscan/metric/tolerant"
)

// cell is what is known of the cell that is being read. Its text is held until
// the members that describe it are known, for they may stand behind.
type cell struct {
	index   int
	count   int
	start   time.Time
	outputs int
	texts   []Output
	held    int
	counted bool // its count was compared with the ones before
	back    bool
}

// output is what is known of one output while it is read.
type output struct {
	kind   string // output_type
	stream string // name of the stream
	texts  []Output
	begun  bool // a string was taken
	result bool // its text came from data
	trace  bool
}

func (n *reader) cellItem(tok tolerant.Token) error {
	n.cell = cell{index: n.index}
	n.index++
	if tok.Kind != tolerant.Object {
		return n.drop(tok)
	}
	if err := n.members(n.cellMember); err != nil {
		return err
	}
	return n.flush()
}

func (n *reader) cellMember(key string, tok tolerant.Token) error {
	switch {
	case (key == "execution_count" || key == "prompt_number") && tok.Kind == tolerant.Number:
		n.cell.count = smallInt(tok)
	case key == "metadata" && tok.Kind == tolerant.Object:
		return n.members(n.metadataMember)
	case key == "outputs" && tok.Kind == tolerant.Array:
		return n.items(n.outputItem)
	default:
		return n.drop(tok)
	}
	return nil
}

func smallInt(tok tolerant.Token) int {
	c, err := strconv.Atoi(string(tok.Text))
	if err != nil || c < 0 {
		return 0
	}
	return c
}

// metadataMember takes the time at which the cell began: JupyterLab writes it
// under execution, papermill under its own name.
func (n *reader) metadataMember(key string, tok tolerant.Token) error {
	if tok.Kind == tolerant.Object && (key == "execution" || key == "papermill") {
		return n.members(n.metadataMember)
	}
	if tok.Kind == tolerant.String {
		t, err := parseTime(string(tok.Text))
		if err == nil && (n.cell.start.IsZero() || t.Before(n.cell.start)) {
			n.cell.start = t
		}
		return nil
	}
	return n.drop(tok)
}

// parseTime reads an ISO time; without a zone it is UTC, as Jupyter means it.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Parse("2006-01-02T15:04:05.999999999", s)
	}
	return t, nil
}

func (n *reader) outputItem(tok tolerant.Token) error {
	if tok.Kind != tolerant.Object {
		return n.drop(tok)
	}
	var o output
	err := n.members(func(key string, tok tolerant.Token) error { return n.outputMember(&o, key, tok) })
	n.keep(o)
	return err
}

func (n *reader) outputMember(o *output, key string, tok tolerant.Token) error {
	switch {
	case key == "output_type" && tok.Kind == tolerant.String:
		o.kind = string(tok.Text)
	case (key == "name" || key == "stream") && tok.Kind == tolerant.String:
		o.stream = string(tok.Text)
	case key == "data" && tok.Kind == tolerant.Object:
		return n.members(func(key string, tok tolerant.Token) error {
			if key != "text/plain" {
				return n.drop(tok)
			}
			o.result = true
			return n.strings(o, tok, "")
		})
	case key == "text":
		return n.strings(o, tok, "")
	case key == "traceback":
		o.trace = true
		return n.strings(o, tok, "\n")
	default:
		return n.drop(tok)
	}
	return nil
}

// strings takes a string or a list of strings; each gets end behind it.
func (n *reader) strings(o *output, tok tolerant.Token, end string) error {
	switch tok.Kind {
	case tolerant.String:
		return n.hold(o, tok, end)
	case tolerant.Array:
		return n.items(func(tok tolerant.Token) error {
			if tok.Kind != tolerant.String {
				return n.drop(tok)
			}
			return n.hold(o, tok, end)
		})
	}
	return n.drop(tok)
}

// hold keeps a string until its output is complete; beyond the limit what is
// held goes out as it is known.
func (n *reader) hold(o *output, tok tolerant.Token, end string) error {
	o.texts = append(o.texts, Output{
		Offset: tok.Offset, End: tok.End, Line: tok.Line, Text: string(tok.Text) + end,
		First: !o.begun, Cut: tok.Cut, Index: n.cell.outputs,
	})
	o.begun = true
	n.cell.held += len(tok.Text) + 128
	if n.cell.held <= maxHeld {
		return nil
	}
	n.cell.texts = append(n.cell.texts, n.label(*o)...)
	o.texts = nil
	return n.flush()
}

// label gives the strings of an output the name of their stream.
func (n *reader) label(o output) []Output {
	stream := "out"
	switch {
	case o.trace || o.kind == "error" || o.kind == "pyerr":
		stream = "traceback"
	case o.stream == "stderr":
		stream = "err"
	case o.result || o.kind == "execute_result" || o.kind == "pyout" || o.kind == "display_data":
		stream = "result"
	}
	for i := range o.texts {
		o.texts[i].Stream = stream
	}
	return o.texts
}

// keep moves a complete output to its cell.
func (n *reader) keep(o output) {
	texts := n.label(o)
	if len(texts) > 0 {
		last := &texts[len(texts)-1]
		last.Last = true
		if last.Stream == "result" && !strings.HasSuffix(last.Text, "\n") {
			last.Text += "\n"
		}
	}
	n.cell.texts = append(n.cell.texts, texts...)
	n.cell.outputs++
}

// flush hands over what the cell printed.
func (n *reader) flush() error {
	c := &n.cell
	n.compare(c)
	texts := c.texts
	c.texts, c.held = nil, 0
	for _, o := range texts {
		o.Cell, o.Count, o.Kernel, o.Backward, o.Start = c.index, c.count, n.kernel, c.back, c.start
		if err := n.fn(o); err != nil {
			return err
		}
	}
	return nil
}

// compare sets the cell's count against those above it: one that was there
// before is of another kernel, for a kernel counts each run once.
func (n *reader) compare(c *cell) {
	if c.count == 0 || c.counted {
		return
	}
	c.counted = true
	if _, again := n.counts[c.count]; again {
		n.kernel++
		n.last = 0
		clear(n.counts)
	}
	if len(n.counts) < maxCounts {
		n.counts[c.count] = struct{}{}
	}
	c.back = c.count < n.last
	n.last = max(n.last, c.count)
}
