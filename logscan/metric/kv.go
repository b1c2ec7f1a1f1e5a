package metric

import (
	"github.com/trainvet/trainvet/logscan/evidence"
)

// draft is a record while it is read: what the tokens of a line said so far.
type draft struct {
	step, epoch         Counter
	stepRank, epochRank int
	positional          bool // the step counter has no name: n/N of a bar or in brackets
	counted             bool // a counter that cannot be an announced total
	phase               Split
	bar                 bool // a progress bar: tqdm, Keras
	keras               bool
	placeholderBar      bool      // a Lightning bar: loss=nan beside v_num is no value
	foreign             bool      // a bar of something else than training
	later               *nameInfo // the split of the fields from here on, when it is not the record's
	object              bool      // a Python dict or a JSON object
	antis               int
	words               int // of the text that the record stands in
	fields              []draftField
	at                  [4]int32 // where step, its total, epoch and its total stand, plus 1; 0: not said
	known               *format  // the draft was accepted before: its format
	begin               int      // byte in the line at which the record starts
	end                 int
}

type draftField struct {
	info       *nameInfo
	name       string // differs from info.name for averages and list items
	start, end int32
	val        float64
	digits     int16
	null       bool
	factor     float64 // to seconds; 0: as printed
	inverse    bool
	average    bool // the value in parentheses behind another
	batch      bool // a value that has its average behind it
	good, n    *int64
}

func (d *draft) reset(at int) {
	f := d.fields[:0]
	*d = draft{fields: f, begin: at, end: at}
}

func (d *draft) empty() bool {
	return len(d.fields) == 0 && !d.step.Has && !d.epoch.Has && d.phase == ""
}

// count notes a counter; of several the one of the highest priority stays, the first among equals.
func (d *draft) count(info *nameInfo, val, total float64, at, totalAt int32) {
	c := Counter{Has: true, Name: info.name, Value: val, Total: total}
	if info.split != "" {
		d.phase = info.split
	}
	if !info.plural || total > 0 {
		d.counted = true
	}
	switch {
	case info.counter == epochCounter && info.priority > d.epochRank:
		d.epoch, d.epochRank = c, info.priority
		d.at[2], d.at[3] = at+1, totalAt+1
	case info.counter == stepCounter && info.priority > d.stepRank:
		d.step, d.stepRank, d.positional = c, info.priority, false
		d.at[0], d.at[1] = at+1, totalAt+1
	}
}

// place notes a counter that has no name.
func (d *draft) place(name string, rank int, val, total float64, at, totalAt int32) {
	if rank <= d.stepRank {
		return
	}
	d.step = Counter{Has: true, Name: name, Value: val, Total: total}
	d.stepRank, d.positional = rank, true
	d.at[0], d.at[1] = at+1, totalAt+1
	d.counted = true
}

// shiftToEpoch makes the counter that has no name the epoch.
func (d *draft) shiftToEpoch() {
	d.epoch, d.epochRank = d.step, rankBracket
	d.epoch.Name = "epoch"
	d.at[2], d.at[3] = d.at[0], d.at[1]
	d.step, d.stepRank, d.positional = Counter{}, 0, false
}

// Ranks of counters without a name, among the priorities of names.tsv: a
// bar's own n/N outranks a batch counter of its text, and any named step outranks it.
const (
	rankBracket = 2
	rankBar     = 4
	rankLeading = 4
)

// pairs walks the tokens of a line and makes records of them.
type pairs struct {
	r    *Reader
	s    []byte
	toks []token
	d    *draft

	from, to int  // bytes of the phrase before a value; from == to: none
	sep      byte // between phrase and value: ':' '=' or ' '
	sepAt    int

	group     *nameInfo // loss[ ... ]: what the names inside belong to
	bracketed bool      // the phrase stands in brackets of its own
	depth     int       // of braces
	barOpen   int       // bracket depth inside a tqdm bar
	list      int       // index of the field that a list began, -1: none
	listN     int
}

func (p *pairs) clear() { p.from, p.to, p.sep = 0, 0, ' ' }

func (p *pairs) hasPhrase() bool { return p.to > p.from }

func (p *pairs) at(k int) *token {
	if k < 0 || k >= len(p.toks) {
		return &noToken
	}
	return &p.toks[k]
}

var noToken = token{kind: tokPunct, punct: '\n'}

func (p *pairs) is(k int, c byte) bool {
	t := p.at(k)
	return t.kind == tokPunct && t.punct == c
}

// run reads the whole line.
func (p *pairs) run() {
	p.clear()
	p.list = -1
	for k := 0; k < len(p.toks); {
		t := &p.toks[k]
		switch t.kind {
		case tokWord:
			if t.gap == 0 && len(p.d.fields) > 0 && p.at(k-1).kind == tokNum && p.barOpen == 0 {
				p.flush(int(t.start)) // "acc: 0.7892Epoch 00000: ...": another message begins
			}
			p.word(t)
			k++
		case tokNum:
			k = p.value(k)
		case tokJunk:
			p.labelled()
			p.clear()
			k++
		default:
			k = p.punct(k)
		}
	}
	p.labelled()
	p.flush(len(p.s))
}

func (p *pairs) word(t *token) {
	p.d.words++
	if p.option(t) {
		p.labelled()
		p.clear()
		p.d.antis++
		return
	}
	if p.hasPhrase() && p.sep == ' ' && t.gap < 2 {
		p.to = int(t.end)
		return
	}
	p.labelled()
	p.from, p.to, p.sep = int(t.start), int(t.end), ' '
	p.list = -1
}

// option: "--accuracy 0.9", an argument of a command that the line quotes.
func (p *pairs) option(t *token) bool {
	at := int(t.start)
	return at >= 3 && p.s[at-1] == '-' && p.s[at-2] == '-' && p.s[at-3] == ' '
}

// labelled: a phrase without a value may say which split the rest is of.
func (p *pairs) labelled() {
	if !p.hasPhrase() {
		return
	}
	info := p.r.resolve(p.s[p.from:p.to], ' ')
	if info.split == "" || info.standing >= weak && info.counter == noCounter {
		return
	}
	if len(p.d.fields) == 0 {
		p.d.phase = info.split
		return
	}
	// in the middle of a record only a label of its own counts: "[valid]", "VALID:"
	if info.standing == label && (p.sep != ' ' || p.bracketed) && info.split != p.d.phase {
		p.d.later = info
	}
}

// flush ends the record that was read up to byte end.
func (p *pairs) flush(end int) {
	p.d.end = end
	p.r.finish(p.d)
	p.d.reset(end)
	p.group = nil
	p.list = -1
}

func (p *pairs) punct(k int) int {
	t := p.at(k)
	switch t.punct {
	case ':', '=':
		if p.hasPhrase() && p.sep == ' ' {
			p.sep, p.sepAt = t.punct, k
		}
	case '\'', '"', '`', '#', '*':
	case '-', '>':
		if t.punct == '-' && t.gap == 0 && p.hasPhrase() && p.at(k+1).kind == tokNum && p.at(k+1).gap == 0 {
			break
		}
		if p.sep != ' ' && p.hasPhrase() && p.at(k+1).kind == tokPunct {
			p.clear() // "val: --"
			break
		}
		p.boundary()
	case '[', '(':
		return p.open(k)
	case ']', ')':
		if !p.inBrackets(k) {
			p.close(t)
		}
	case '{':
		p.openObject(k)
	case '}':
		p.closeObject(t)
	default:
		p.boundary()
	}
	return k + 1
}

func (p *pairs) boundary() {
	if p.hasPhrase() {
		p.labelled()
		p.clear()
	}
}

func (p *pairs) open(k int) int {
	t := p.at(k)
	if t.punct == '[' && p.barBracket(k) {
		p.d.bar = true
		p.barOpen = 1
		p.boundary()
		return k + 2
	}
	if p.barOpen > 0 && t.punct == '[' {
		p.barOpen++
	}
	if n := p.aside(k); n > 0 {
		p.to = int(p.at(n).end)
		return n + 1
	}
	if n := p.call(k); n > 0 {
		return n + 1
	}
	if p.hasPhrase() && p.sep == ' ' && t.gap == 0 && t.punct == '[' && p.at(k+1).kind == tokWord && (p.is(k+2, '=') || p.is(k+2, ':')) {
		p.group = p.r.resolve(p.s[p.from:p.to], ' ')
		p.clear()
		return k + 1
	}
	if p.hasPhrase() && p.at(k+1).kind != tokNum && !(p.is(k+1, '[') || p.is(k+1, '(')) {
		p.boundary()
	}
	return k + 1
}

// barBracket: "[00:41<00:00," opens what tqdm prints behind its counter.
func (p *pairs) barBracket(k int) bool {
	t := p.at(k + 1)
	if t.kind != tokJunk || !clockLike(p.s[t.start:t.unitEnd]) {
		return false
	}
	return p.is(k+2, '<') || p.is(k+2, ',') && p.at(k-1).kind == tokNum
}

func clockLike(b []byte) bool {
	for i, c := range b {
		if c == ':' {
			return i > 0
		}
		if !isDigit(c) {
			return false
		}
	}
	return false
}

// aside: "name (unit):", a note in parentheses that is part of a name. It gives the token of the closing one.
func (p *pairs) aside(k int) int {
	if !p.hasPhrase() || p.sep != ' ' || !p.is(k, '(') || p.at(k).gap != 1 {
		return 0
	}
	for n := k + 1; n < k+8; n++ {
		if p.at(n).kind == tokNum {
			return 0
		}
		if p.is(n, ')') {
			if p.is(n+1, ':') || p.is(n+1, '=') || p.at(n+1).kind == tokNum && p.at(n-1).kind == tokWord {
				return n
			}
			return 0
		}
	}
	return 0
}

// inBrackets: "[Loss] 0.52", "[step]   89": a name that stands in brackets of its own before its value.
func (p *pairs) inBrackets(k int) bool {
	next := p.at(k + 1)
	if !p.is(k, ']') || p.barOpen > 0 || p.sep != ' ' || !p.hasPhrase() || next.kind != tokNum || next.gap == 0 || next.null {
		return false
	}
	if p.from == 0 || p.s[p.from-1] != '[' {
		return false
	}
	info := p.r.resolve(p.s[p.from:p.to], ' ')
	return info.counter != noCounter || info.standing == strong && isQuality(info.kind)
}

// call: "accuracy(valX, valY) = 0.119" alone on its line, which Julia's @show
// prints. It gives the token of the closing parenthesis.
func (p *pairs) call(k int) int {
	if !p.is(k, '(') || p.from != 0 || int(p.at(k).start) != p.to || p.sep != ' ' || len(p.toks) < k+5 {
		return 0
	}
	end := len(p.toks) - 3
	if !p.is(end, ')') || !p.is(end+1, '=') || p.at(end+1).gap == 0 || p.at(end+2).kind != tokNum {
		return 0
	}
	for n := k + 1; n < end; n++ {
		if p.at(n).kind != tokWord && !p.is(n, ',') {
			return 0
		}
	}
	return end
}

func (p *pairs) close(t *token) {
	p.bracketed = true
	p.labelled()
	p.bracketed = false
	p.clear()
	p.list = -1
	if t.punct != ']' {
		return
	}
	p.group = nil
	if p.barOpen > 0 {
		if p.barOpen--; p.barOpen == 0 {
			p.flush(int(t.end))
		}
	}
}

func (p *pairs) openObject(k int) {
	next := p.at(k + 1)
	object := next.kind == tokPunct && (next.punct == '\'' || next.punct == '"') || next.kind == tokWord
	settings := p.hasPhrase() && p.sep != ' ' && p.r.resolve(p.s[p.from:p.to], p.sep).ofSettings()
	p.labelled()
	p.clear()
	if !object {
		return
	}
	if p.depth == 0 && len(p.d.fields) > 0 {
		p.flush(int(p.at(k).start))
	}
	if settings { // loss_coefficients={'rgb_loss': 1.0}
		p.d.antis += maxFields
	}
	p.depth++
	p.d.object = true
}

func (p *pairs) closeObject(t *token) {
	p.clear()
	if p.depth == 0 {
		return
	}
	if p.depth--; p.depth == 0 && len(p.d.fields) > 0 {
		p.flush(int(t.end))
	}
}

// groupName is the name of a value inside loss[...], which icefall and its kin print.
func (p *pairs) groupName(info *nameInfo) *nameInfo {
	if p.d.later != nil && info.split == "" {
		info = p.r.relabel(info, p.d.later)
	}
	g := p.group
	if g == nil || g.name == "" || info.standing == rejected {
		return info
	}
	return p.r.inGroup(g, info)
}

func (p *pairs) add(info *nameInfo, t *token) *draftField {
	if p.barOpen == 0 && p.depth == 0 && isQuality(info.kind) && p.list < 0 && p.has(info) {
		p.flush(int(t.start)) // the same value again: two records were glued
	}
	if len(p.d.fields) >= maxFields {
		p.flush(int(t.start))
	}
	p.d.fields = append(p.d.fields, draftField{
		info: info, name: info.name, start: t.start, end: t.end, val: t.val, digits: t.digits, null: t.null,
	})
	f := &p.d.fields[len(p.d.fields)-1]
	if t.percent {
		f.end = t.unitEnd
	}
	return f
}

// maxFields bounds a record: a line of more is text of another kind.
const maxFields = 512

func isQuality(k evidence.Kind) bool {
	return k == evidence.KindLoss || k == evidence.KindAccuracy || k == evidence.KindError || k == evidence.KindReward
}
