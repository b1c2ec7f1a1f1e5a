package metric

import (
	"bytes"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// value reads the number at token k, with what stands around it, and gives
// the index of the token to go on with.
func (p *pairs) value(k int) int {
	t := p.at(k)
	if total, next := p.ratio(k); next > 0 {
		return p.ofTotal(k, total, next)
	}
	if t.percent && p.ofBar(k) && !p.drawnOver(t) {
		p.describe()
		p.clear()
		return k + 1
	}
	if !p.hasPhrase() {
		return p.nameless(k)
	}
	info := p.r.resolve(p.s[p.from:p.to], p.quotes())
	if p.sep == ' ' && info.standing < weak && p.at(k).val != p.at(k).val && !t.null && p.at(k+1).kind == tokWord {
		p.to = int(t.end) // "number of nan iterations"
		return k + 1
	}
	if info.standing == weak && p.sep == ' ' && p.sentence(k) {
		if said := p.r.resolve(p.s[p.from:p.to], '='); said.standing == strong {
			info = said
		}
	}
	opened := p.is(k-1, '[') || p.is(k-1, '(')
	sep := p.sep
	p.clear()
	switch {
	case info.counter != noCounter:
		if t.null {
			return k + 1
		}
		p.d.count(info, p.magnitude(t), 0, t.start, -1)
		return k + 1
	case info.standing == label:
		return p.ofLabel(k, info)
	case info.standing == rejected:
		p.reject(info, sep)
		return p.skipUnit(k)
	}
	if opened && sep == ' ' && t.whole {
		return k + 1 // "acc [16]byte" declares, it measures nothing
	}
	info = p.groupName(info)
	next := p.named(k, info)
	if opened {
		p.list, p.listN = len(p.d.fields)-1, 0
	}
	return next
}

// sentence: the line is a name and its value alone, "Mean IoU is 0.6407": a report, not prose.
func (p *pairs) sentence(k int) bool {
	t := p.at(k)
	if p.from != 0 || len(p.d.fields) > 0 || t.whole && !t.percent {
		return false
	}
	end := len(p.toks) - 1
	if p.is(end, '.') {
		end--
	}
	return k == end
}

func (p *pairs) reject(info *nameInfo, sep byte) {
	p.d.antis++
	if info.split != "" && sep == ' ' && len(p.d.fields) == 0 {
		p.d.phase = info.split
	}
	if info.name == "v_num" {
		p.d.placeholderBar = true
	}
}

// ratio: "n/N", "n / N" of whole numbers.
func (p *pairs) ratio(k int) (total float64, next int) {
	t, u := p.at(k), p.at(k+2)
	if !t.whole || t.percent || !p.is(k+1, '/') || u.kind != tokNum || !u.whole || u.percent || t.unitEnd != t.end {
		return 0, 0
	}
	return u.val, k + 3
}

// ofTotal reads n/N: a counter, or k of n.
func (p *pairs) ofTotal(k int, total float64, next int) int {
	t := p.at(k)
	bar := p.is(next, '[') && p.barBracket(next)
	keras := p.is(next, '[') && (p.is(next+1, '=') || p.is(next+1, '>') || p.is(next+1, '.') || p.is(next+1, '-')) ||
		k == 0 && p.is(next, '-') && p.at(next).gap == 1 && p.at(next+1).gap == 1 ||
		p.at(next).kind == tokPunct && p.at(next).punct == 0 && len(p.d.fields) == 0 && !bar
	if p.hasPhrase() {
		info := p.r.resolve(p.s[p.from:p.to], p.sep)
		switch {
		case info.counter != noCounter && !bar:
			p.clear()
			p.d.count(info, t.val, total, t.start, p.at(next-1).start)
			return next
		case isQuality(info.kind) && info.standing >= weak:
			p.clear()
			p.kOfN(k, info, total)
			return next
		}
		p.describe()
		p.clear()
	}
	switch {
	case p.at(next).kind == tokJunk: // a date: 08/14 13:37:26
	case bar:
		p.d.bar = true
		p.d.place(p.inEpoch(), rankBar, t.val, total, t.start, p.at(next-1).start)
	case keras:
		if len(p.d.fields) == 0 {
			p.d.bar, p.d.keras = true, true
			p.d.place("batch", rankBar, t.val, total, t.start, p.at(next-1).start)
		}
	case p.behindField(k):
		p.samples(&p.d.fields[len(p.d.fields)-1], t.val, total)
	case p.at(next).kind == tokWord && p.correct(next):
		info := p.r.resolve([]byte("correct"), ':')
		p.kOfN(k, info, total)
		return next + 1
	case p.behindEpoch(k):
		p.d.shiftToEpoch()
		p.d.place("batch", rankBracket, t.val, total, t.start, p.at(next-1).start)
	case !p.d.step.Has && p.is(k-1, '['): // "loss: 2.30  [   64/60000]"
		p.d.place(p.inEpoch(), rankBracket, t.val, total, t.start, p.at(next-1).start)
	case len(p.d.fields) == 0 && (p.d.epoch.Has || k <= 2 || p.d.phase != ""):
		p.d.place(p.inEpoch(), rankBracket, t.val, total, t.start, p.at(next-1).start)
	}
	return next
}

// behindEpoch: "[3/300][10/1251]": of two counters in brackets, one right behind
// the other, the first is the epoch.
func (p *pairs) behindEpoch(k int) bool {
	return p.is(k-1, '[') && p.at(k-1).gap == 0 && p.is(k-2, ']') && p.d.positional && p.d.stepRank == rankBracket && p.d.step.Total > 0 && !p.d.epoch.Has
}

func (p *pairs) inEpoch() string {
	if p.d.epoch.Has {
		return "batch"
	}
	return "step"
}

func (p *pairs) correct(k int) bool {
	t := p.at(k)
	w := lower(string(p.s[t.start:t.end]))
	return w == "correct"
}

// behindField: "%WER 6.11 [ 3212 / 52576": the fraction behind its own value.
func (p *pairs) behindField(k int) bool {
	n := len(p.d.fields)
	if n == 0 || !(p.is(k-1, '[') || p.is(k-1, '(')) || p.at(k-2).kind != tokNum {
		return false
	}
	f := &p.d.fields[n-1]
	return f.start == p.at(k-2).start && (f.info.kind == evidence.KindError || f.info.kind == evidence.KindAccuracy)
}

func (p *pairs) samples(f *draftField, good, n float64) {
	g, t := int64(good), int64(n)
	f.good, f.n = &g, &t
}

// kOfN reads "Accuracy: 9915/10000": the value is the fraction.
func (p *pairs) kOfN(k int, info *nameInfo, total float64) {
	t := p.at(k)
	f := p.add(info, t)
	f.end = p.at(k + 2).end
	p.samples(f, t.val, total)
	f.val = t.val / total
}

// describe takes the phrase before a bar as what the bar is of.
func (p *pairs) describe() {
	if !p.hasPhrase() {
		return
	}
	info := p.r.resolve(p.s[p.from:p.to], ' ')
	switch {
	case info.split != "" && (info.standing == label || info.counter != noCounter || p.splitFirst()):
		p.d.phase = info.split
	case info.standing == label, info.counter != noCounter, len(p.d.fields) > 0:
	default:
		p.d.foreign = true
	}
}

// ofBar: the percentage that a progress bar begins with.
func (p *pairs) ofBar(k int) bool {
	if p.is(k+1, '|') && p.at(k+1).gap == 0 || p.at(k+1).kind == tokPunct && p.at(k+1).punct == 0 {
		return true
	}
	_, next := p.ratio(k + 1)
	return next > 0
}

// drawnOver: "Accuracy: 0.52%██▊  | 148/151": the rest of a bar that a shorter line was written over.
// A bar's own percentage is whole and has no name of a metric.
func (p *pairs) drawnOver(t *token) bool {
	if t.whole || p.sep == ' ' || !p.hasPhrase() {
		return false
	}
	info := p.r.resolve(p.s[p.from:p.to], p.sep)
	return info.standing == strong && isQuality(info.kind)
}

// nameless reads a number that no name stands before.
func (p *pairs) nameless(k int) int {
	t := p.at(k)
	switch {
	case p.list >= 0 && p.is(k-1, ',') && p.list < len(p.d.fields):
		p.listItem(t)
		return k + 1
	case t.whole && k == 0 && p.is(1, '|'):
		p.d.place("step", rankLeading, t.val, 0, t.start, -1)
		return k + 1
	case t.whole && k == 1 && p.is(0, '[') && p.is(2, ']') && p.at(3).kind == tokWord:
		p.d.place("iter", rankLeading, t.val, 0, t.start, -1)
		return k + 1
	case t.unitEnd > t.end && p.is(k+1, '[') && p.barBracket(k+1):
		p.d.place(p.inEpoch(), rankBar, t.val, 0, t.start, -1)
		return k + 1
	}
	u, next := p.unitAt(k)
	if u != "" && !t.null {
		if info := p.r.unitInfo(u); info != nil && !p.has(info) {
			p.timed(p.add(info, t), t, u, next)
		}
	}
	return next
}

// maxList is how many values of a list are kept.
const maxList = 16

func (p *pairs) listItem(t *token) {
	if p.listN++; p.listN >= maxList {
		return
	}
	base := p.d.fields[p.list].info
	if p.listN == 1 {
		p.d.fields[p.list].name = p.r.item(base, 0)
	}
	p.d.fields = append(p.d.fields, draftField{
		info: base, name: p.r.item(base, p.listN), start: t.start, end: t.end, val: t.val, digits: t.digits, null: t.null,
	})
}

// ofLabel reads a number behind a bare split word: "Train: 12 [450/1251" is
// an epoch; "loss train: 1.2, val: 1.3" is the metric before, of another split.
func (p *pairs) ofLabel(k int, info *nameInfo) int {
	t := p.at(k)
	if t.whole && (p.is(k+1, '[') || p.is(k+1, '(')) {
		if _, next := p.ratio(k + 2); next > 0 {
			p.d.phase = info.split
			p.d.epoch, p.d.epochRank = Counter{Has: true, Name: "epoch", Value: t.val}, 7
			p.d.at[2] = t.start + 1
			p.d.counted = true
			return k + 1
		}
	}
	for i := len(p.d.fields) - 1; i >= 0; i-- {
		if b := p.d.fields[i].info; isQuality(b.kind) {
			return p.named(k, p.r.relabel(b, info))
		}
	}
	return p.skipUnit(k)
}

// magnitude is a counter's value: 425k.
func (p *pairs) magnitude(t *token) float64 {
	if t.unitEnd == t.end+1 {
		switch p.s[t.end] {
		case 'k', 'K':
			return t.val * 1e3
		case 'M':
			return t.val * 1e6
		}
	}
	return t.val
}

// named adds a field, with its unit and the average that may stand behind it.
func (p *pairs) named(k int, info *nameInfo) int {
	t := p.at(k)
	f := p.add(info, t)
	u, next := p.unitAt(k)
	if u == "z" {
		return next
	}
	if p.is(next, '*') && p.at(next+1).kind == tokWord && p.at(next+1).gap < 2 {
		p.d.fields = p.d.fields[:len(p.d.fields)-1] // "loss = 0.5 * criterion(x)" is source text
		return next
	}
	p.timed(f, t, u, next)
	avg, after := p.average(next)
	if avg == nil {
		return next
	}
	if avg.val < 0 && t.val > 0 {
		return after // "avg_loss: 2.91 (-0.10)": by how much it changed
	}
	i := len(p.d.fields) - 1
	p.d.fields = append(p.d.fields, draftField{info: info, name: info.name, start: avg.start, end: avg.end, val: avg.val, digits: avg.digits})
	g := &p.d.fields[len(p.d.fields)-1]
	g.average = true
	p.d.fields[i].batch = true
	if g.info.kind == evidence.KindStepTime && p.d.fields[i].val != p.at(k).val {
		p.timed(g, avg, u, 0)
	}
	return after
}

// average: "(3.5635)" or "( 0.418s )" behind a value.
func (p *pairs) average(k int) (t *token, next int) {
	t = p.at(k + 1)
	if !p.is(k, '(') || t.kind != tokNum || t.null || t.percent || p.s[t.start] == '+' {
		return nil, 0
	}
	if !p.is(k+2, ')') || string(p.s[t.end:t.unitEnd]) == "z" {
		return nil, 0
	}
	return t, k + 3
}

// unitAt is the unit behind the number at k, and the token behind both.
func (p *pairs) unitAt(k int) (string, int) {
	t, w := p.at(k), p.at(k+1)
	if t.unitEnd > t.end && !t.percent {
		return p.r.unitName(p.s[t.end:t.unitEnd]), k + 1
	}
	if w.kind == tokWord && w.gap == 1 && !p.is(k+2, '=') && !p.is(k+2, ':') && p.at(k+2).kind != tokNum {
		if u := p.r.unitName(p.s[w.start:w.end]); u != "" {
			return u, k + 2
		}
	}
	return "", k + 1
}

func (p *pairs) skipUnit(k int) int {
	_, next := p.unitAt(k)
	return next
}

// timed gives times in seconds: the unit behind the number or in the name.
func (p *pairs) timed(f *draftField, t *token, u string, next int) {
	if f.info.kind != evidence.KindStepTime {
		return
	}
	factor, inverse := f.info.factor, false
	if un, ok := p.r.cat.lex.units[u]; ok && un.kind == evidence.KindStepTime && un.factor != 0 {
		factor, inverse = un.factor, un.inverse
		if f.end = p.at(next - 1).unitEnd; next == 0 {
			f.end = t.unitEnd
		}
	}
	f.factor, f.inverse = factor, inverse
	f.convert()
}

// convert gives a time in seconds.
func (f *draftField) convert() {
	switch {
	case f.inverse && f.val != 0:
		f.val = 1 / f.val
	case f.factor != 0:
		f.val *= f.factor
	}
}

func (p *pairs) has(info *nameInfo) bool {
	for i := range p.d.fields {
		if p.d.fields[i].info == info {
			return true
		}
	}
	return false
}

// splitFirst: the phrase begins with a split word: "Validation DataLoader", not "Generating train split".
func (p *pairs) splitFirst() bool {
	phrase := p.s[p.from:p.to]
	if i := bytes.IndexByte(phrase, ' '); i > 0 {
		phrase = phrase[:i]
	}
	info := p.r.resolve(phrase, ' ')
	return info.standing == label && info.split != ""
}

// quotes is the separator, or quotedKey where the phrase is words in quotes, as a
// key of an object is.
func (p *pairs) quotes() byte {
	from, to := p.from, p.to
	if p.depth == 0 || p.sep != ':' || from == 0 || to >= len(p.s) {
		return p.sep
	}
	if q := p.s[to]; q != '"' && q != '\'' || p.s[from-1] != q || bytes.IndexByte(p.s[from:to], ' ') < 0 {
		return p.sep
	}
	return quotedKey
}
