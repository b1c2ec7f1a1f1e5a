package logscan

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/marker"
	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/source"
)

const minAnchor = 8 // the filter takes no shorter literal

// spelling is how one source writes its metrics, learned from its head.
type spelling struct {
	eval      []string        // key and separator of evaluation values
	nonfinite []string        // key, separator and nan or inf
	nonzero   []string        // counters that read zero all the time, with another digit
	dense     []denseAnchor   // key and separator of training values
	mute      map[string]bool // marker anchors that stand in healthy lines all the time
}

// denseAnchor stands before every value of one training metric.
type denseAnchor struct {
	literal string
	every   int // of so many values one record is read whole
	seen    int
	last    float64
}

// keep parses the value and says whether its record is to be read: one in every
// few, and all that deviate or are not finite.
func (d *denseAnchor) keep(text []byte) bool {
	v, ok := leadingFloat(text)
	d.seen++
	notable := !ok || math.IsNaN(v) || math.IsInf(v, 0) || v == 0 && d.last != 0
	if ok {
		d.last = v
	}
	return notable || d.seen%d.every == 0
}

// leadingFloat parses the decimal number at the start of the text.
func leadingFloat(b []byte) (float64, bool) {
	i, neg := 0, false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	var mantissa uint64
	exp, digits, dot := 0, 0, false
	for ; i < len(b); i++ {
		ch := b[i]
		switch {
		case ch >= '0' && ch <= '9':
			if digits < 18 {
				mantissa = mantissa*10 + uint64(ch-'0')
				digits++
				if dot {
					exp--
				}
			} else if !dot {
				exp++
			}
			continue
		case ch == '.' && !dot:
			dot = true
			continue
		}
		break
	}
	if digits == 0 {
		return 0, false
	}
	if i+1 < len(b) && (b[i] == 'e' || b[i] == 'E') {
		end := i + 1
		for end < len(b) && (b[end] == '-' || b[end] == '+' || (b[end] >= '0' && b[end] <= '9')) {
			end++
		}
		if e, err := strconv.Atoi(string(b[i+1 : end])); err == nil {
			exp += e
		}
	}
	v := float64(mantissa) * math.Pow10(exp)
	if neg {
		v = -v
	}
	return v, true
}

// spelling notes what the metric lines of a sample look like.
func (e *engine) spelling(in *source.Input, sample [][]byte) *spelling {
	sp := &spelling{mute: map[string]bool{}}
	learn := &learner{e: e, sp: sp, reader: e.borrowReader(), seen: map[string]bool{}, anchors: map[string]int{}}
	for _, part := range sample {
		learn.part(in, part)
	}
	learn.finish()
	e.readers.Put(learn.reader)
	return sp
}

// learner collects a spelling.
type learner struct {
	e       *engine
	sp      *spelling
	reader  *metric.Reader
	line    *source.Line
	bytes   int64
	seen    map[string]bool
	anchors map[string]int  // marker anchors by how often they stood in healthy lines
	found   []string        // those of one line
	values  map[string]bool // keys of training losses
}

func (n *learner) part(in *source.Input, buf []byte) {
	n.bytes += int64(len(buf))
	var line source.Line
	var scratch []byte
	for raw := range records(buf) {
		line = source.Line{}
		scratch = in.Style.Parse(raw[:min(len(raw), maxRecord)], scratch, &line)
		n.line = &line
		n.reader.Line(&line, n.record)
		n.healthy(&line)
	}
}

// wholeLines drops what a part cut off at its ends.
func wholeLines(buf []byte) []byte {
	from, to := firstEnd(buf), lastEnd(buf)
	if from < 0 || from == to {
		return buf
	}
	return buf[from:to]
}

// record notes how each value of a record is written.
func (n *learner) record(r *metric.Record) {
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Role == evidence.Speed || f.Role == evidence.Item || f.Text == "" {
			continue
		}
		key := spelled(n.line.Text, f)
		if key == "" {
			continue
		}
		switch {
		case f.Role == evidence.Eval || f.Role == evidence.Final:
			n.once(&n.sp.eval, key)
		case f.Role == evidence.Series && f.Kind == evidence.KindLoss:
			n.dense(key)
		}
		if f.Kind == evidence.KindLoss || f.Kind == evidence.KindNorm || f.Kind == evidence.KindAccuracy || f.Kind == evidence.KindError {
			for _, word := range []string{"nan", "-nan", "inf", "-inf"} {
				n.once(&n.sp.nonfinite, key+word+behind(n.line.Text, key, f))
			}
		}
	}
}

func (n *learner) once(list *[]string, literal string) {
	literal = strings.ToLower(literal)
	if len(literal) >= minAnchor && !n.seen[literal] {
		n.seen[literal] = true
		*list = append(*list, literal)
	}
}

func (n *learner) dense(key string) {
	key = strings.ToLower(key)
	if len(key) < minAnchor {
		return
	}
	if n.values == nil {
		n.values = map[string]bool{}
	}
	n.values[key] = true
}

// spelled is the text of a field's key up to its value, with a little of what
// stands before it where the key alone is short.
func spelled(line []byte, f *metric.Field) string {
	at := 0
	for {
		i := bytes.Index(line[at:], []byte(f.Printed))
		if i < 0 || f.Printed == "" {
			return ""
		}
		i += at
		behind := i + len(f.Printed)
		j := bytes.Index(line[behind:min(len(line), behind+16+len(f.Text))], []byte(f.Text))
		if j >= 0 && j <= 16 && !bytes.ContainsAny(line[behind:behind+j], "0123456789") {
			return string(line[max(0, i-max(1, minAnchor-(behind-i)-j)) : behind+j])
		}
		at = i + 1
	}
}

// behind is what stands after the value: a little of it makes the literal of a
// value that is not finite differ from healthy lines in every gram.
func behind(line []byte, key string, f *metric.Field) string {
	i := bytes.Index(line, []byte(key+f.Text))
	if i < 0 {
		return ""
	}
	rest := line[i+len(key)+len(f.Text):]
	end := 0
	for end < len(rest) && end < 2 && !isNumeral(rest[end]) && rest[end] < 0x80 {
		end++
	}
	return string(rest[:end])
}

// healthy counts the marker anchors in a line that holds no marker: a counter
// that reads zero in every line would make every line a hit.
func (n *learner) healthy(l *source.Line) {
	n.found = n.found[:0]
	n.e.markers.FindAnchors(l.Text, func(a string) {
		if stem(a) == a {
			n.found = append(n.found, a)
		}
	})
	n.e.huge.probe.Find(l.Text, func(_, i int) { n.found = append(n.found, n.e.huge.stems[i]) })
	if len(n.found) == 0 || len(n.e.markers.Match(l.Text, nil, marker.Context{})) > 0 {
		return
	}
	for _, a := range n.found {
		n.anchors[a]++
		if n.anchors[a] == 1 {
			n.counter(l.Text, a)
		}
	}
}

// inPlace is the text in small letters of ASCII, each byte at its place, which
// bytes.ToLower does not promise: bytes that are no UTF-8 become three.
func inPlace(text []byte) []byte {
	low := bytes.Clone(text)
	for i, c := range low {
		if 'A' <= c && c <= 'Z' {
			low[i] = c + 'a' - 'A'
		}
	}
	return low
}

// counter spells the other values that a counter may have which reads zero. The
// literals hold so much of what stands on both sides of the digits that each
// gram of the filter may hold a digit: healthy lines then lack them.
func (n *learner) counter(text []byte, anchor string) {
	i := bytes.Index(inPlace(text), []byte(anchor))
	if i < 0 {
		return
	}
	j := i + len(anchor)
	for j < len(text) && j-i-len(anchor) < 12 && (text[j] < '0' || text[j] > '9') {
		j++
	}
	if j == len(text) || text[j] != '0' || (j+1 < len(text) && isNumeral(text[j+1])) {
		return
	}
	left, right := string(text[max(0, j-16):j]), string(text[j+1:min(len(text), j+6)])
	for d := 1; d <= 9; d++ {
		n.once(&n.sp.nonzero, left+strconv.Itoa(d)+right)
	}
	left, padded := strings.CutSuffix(left, " ")
	for d := 10; padded && strings.HasSuffix(left, " ") && d <= 99; d++ {
		n.once(&n.sp.nonzero, left+strconv.Itoa(d)+right)
	}
}

func isNumeral(c byte) bool { return c >= '0' && c <= '9' || c == '.' || c == 'e' || c == 'E' }

// finish decides which anchors are too common.
func (n *learner) finish() {
	for a, k := range n.anchors {
		if n.bytes > 0 && int64(k)*4096 > n.bytes {
			n.sp.mute[a] = true
		}
	}
	keys := make([]string, 0, len(n.values))
	for key := range n.values {
		keys = append(keys, key)
	}
	for _, key := range sortedUnique(keys) {
		n.sp.dense = append(n.sp.dense, denseAnchor{literal: key})
	}
}

// stem is an anchor without the digits at its end: anchors that name a counter
// with each of its values stand or fall together.
func stem(anchor string) string {
	if s := strings.TrimRight(anchor, "0123456789"); len(s) >= minAnchor {
		return s
	}
	return anchor
}

// anchors is everything that the filter looks for in a source of this spelling.
func (e *engine) anchors(sp *spelling) []string {
	var out []string
	for _, a := range e.markers.Anchors() {
		if !sp.mute[stem(a)] {
			out = append(out, a)
		}
	}
	out = append(out, e.metrics.EvalAnchors()...)
	out = append(out, e.lines.anchors...)
	out = append(out, sp.eval...)
	out = append(out, sp.nonfinite...)
	out = append(out, sp.nonzero...)
	return sortedUnique(out)
}
