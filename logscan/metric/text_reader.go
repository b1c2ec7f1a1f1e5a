package metric

import (
	"bytes"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/source"
)

// Reader reads the metric records of one source's lines. It holds what lines
// say about later ones: epoch headers, open blocks, table headers. It is not
// safe for concurrent use; a source read in chunks has one Reader per chunk,
// each of which sees the chunk's lines in order.
//
// A line without a metric costs one pass over its bytes and no allocation; a
// record costs one string.
type Reader struct {
	cat     *Catalog
	names   [5]map[string]*nameInfo // by separator: space, colon, equals; of table columns; of keys in quotes
	ids     uint32
	units   map[string]string
	loggers map[string]Split
	kinds   map[string]*nameInfo // names of values that only a unit names
	items   map[itemKey]string
	group   map[groupKey]*nameInfo
	forms   map[uint64]*format // by the shape of a record

	toks []token
	p    pairs
	d    draft
	rec  Record

	line    *source.Line
	text    []byte
	str     string // the line as string, made when a record needs it
	emit    func(*Record)
	emitted bool // the pair scanner made something of the line

	temps templates
	head  header
	last  Counter // epoch of the last record that named one
	fit   kerasFit
	block block
	long  longTable
	tabs  tables
	later pending
	ahead promise
}

type itemKey struct {
	base *nameInfo
	n    int
}

type groupKey struct{ outer, inner *nameInfo }

// NewReader gives a reader for one source.
func (c *Catalog) NewReader() *Reader {
	r := &Reader{
		cat: c, units: map[string]string{}, loggers: map[string]Split{}, kinds: map[string]*nameInfo{}, items: map[itemKey]string{},
		group: map[groupKey]*nameInfo{}, forms: map[uint64]*format{},
	}
	for i := range r.names {
		r.names[i] = map[string]*nameInfo{}
	}
	r.p.r, r.p.d = r, &r.d
	return r
}

// Reset readies the reader for another source. It keeps what it learned of names
// and of the build of lines, which is the same in every source: of ten thousand
// logs of ranks each but the first is read at once as fast as it gets.
func (r *Reader) Reset() {
	*r = Reader{
		cat: r.cat, names: r.names, ids: r.ids, units: r.units, loggers: r.loggers, kinds: r.kinds, items: r.items,
		group: r.group, forms: r.forms, temps: r.temps, toks: r.toks[:0],
	}
	r.p.r, r.p.d = r, &r.d
}

// Line reads one cleaned line and emits the records on it: none, one, or
// several where lines were glued. A record is valid during emit only; its
// strings stay valid.
func (r *Reader) Line(l *source.Line, emit func(*Record)) {
	r.line, r.text, r.str, r.emit = l, l.Text, "", emit
	if l.Prefix.Kernel || ours(l.Text) {
		return
	}
	if !mayHoldValue(l.Text) {
		r.wordsOnly()
		return
	}
	r.emitted = false
	r.d.reset(0)
	r.d.phase = r.loggerPhase()
	if r.ahead.line > 0 {
		r.promised()
	}
	if r.known() {
		return
	}
	if r.block.open && !rowLike(l.Text) && !r.block.box && r.block.line != l.No {
		r.closeBlock()
	}
	if r.byTable() || r.byPattern() || quoted(l.Text) || r.cat.lex.led(l.Text) {
		return
	}
	r.scan()
}

// scan reads the line's pairs, and learns its shape when it repeats.
func (r *Reader) scan() {
	phase := r.loggerPhase()
	open := r.block.open
	r.d.reset(0)
	r.d.phase = phase
	r.temps.count, r.temps.refused, r.temps.varies, r.temps.format = 0, false, false, nil
	r.generic(0)
	if !r.emitted && wideGap(r.text) && r.header() {
		return
	}
	if !open && !r.block.open {
		r.learn(phase)
	}
}

// generic reads the pairs of the line from byte at on.
func (r *Reader) generic(at int) {
	r.toks = r.cat.lex.tokenise(r.toks[:0], r.text[at:])
	if at > 0 {
		for i := range r.toks {
			t := &r.toks[i]
			t.start, t.end, t.unitEnd = t.start+int32(at), t.end+int32(at), t.unitEnd+int32(at)
		}
	}
	p := &r.p
	p.s, p.toks, p.group, p.depth, p.barOpen = r.text, r.toks, nil, 0, 0
	p.run()
}

// Close emits what an open block still holds.
func (r *Reader) Close(emit func(*Record)) {
	r.emit = emit
	r.closeBlock()
	r.flushPending()
}

// mayHoldValue: a metric needs a digit, nan or inf. Bars and prose without
// one are the most frequent lines of chatty logs.
func mayHoldValue(s []byte) bool {
	for _, c := range s {
		if isDigit(c) {
			return true
		}
	}
	return bytes.Contains(s, []byte("nan")) || bytes.Contains(s, []byte("NaN")) || bytes.Contains(s, []byte("inf"))
}

// maxNames bounds the cache of phrases: log text is untrusted.
const maxNames = 4096

// sepColumn is the index of the cache for column names.
const sepColumn = 3

// maxPhraseBytes is how much before a value may be its name.
const maxPhraseBytes = 120

func sepIndex(sep byte) int {
	switch sep {
	case ':':
		return 1
	case '=':
		return 2
	case quotedKey:
		return 4
	}
	return 0
}

// resolve looks a phrase up, through the cache.
func (r *Reader) resolve(phrase []byte, sep byte) *nameInfo {
	if len(phrase) > maxPhraseBytes {
		phrase = phrase[len(phrase)-maxPhraseBytes:]
		phrase = phrase[bytes.IndexByte(phrase, ' ')+1:]
	}
	m := r.names[sepIndex(sep)]
	if info, ok := m[string(phrase)]; ok {
		return info
	}
	if len(m) >= maxNames {
		clear(m)
	}
	return r.remember(m, string(phrase), r.cat.lex.resolve(string(phrase), sep))
}

func (r *Reader) remember(m map[string]*nameInfo, key string, info nameInfo) *nameInfo {
	r.ids++
	info.cacheID = r.ids
	m[key] = &info
	return &info
}

// unitName is the unit as units are listed; empty: it is none.
func (r *Reader) unitName(b []byte) string {
	if u, ok := r.units[string(b)]; ok {
		return u
	}
	if len(b) > 16 {
		return ""
	}
	u := lower(string(b))
	if _, ok := r.cat.lex.units[u]; !ok {
		u = ""
	}
	if len(r.units) < maxNames {
		r.units[string(b)] = u
	}
	return u
}

// unitInfo names a value that only its unit describes.
func (r *Reader) unitInfo(u string) *nameInfo {
	if info, ok := r.kinds[u]; ok {
		return info
	}
	un := r.cat.lex.units[u]
	var info nameInfo
	switch {
	case un.kind == evidence.KindStepTime && (u == "ms" || bytes.IndexByte([]byte(u), '/') >= 0):
		info = nameInfo{name: "step_time", printed: u, kind: un.kind, standing: weak}
	case u == "/s", u == "/s/gpu":
		info = nameInfo{name: "per_second" + u[2:], printed: u, kind: un.kind, standing: weak}
	case un.kind == evidence.KindSpeed && bytes.ContainsAny([]byte(u), "/_"):
		info = nameInfo{name: u, printed: u, kind: un.kind, standing: weak}
	default:
		r.kinds[u] = nil
		return nil
	}
	return r.remember(r.kinds, u, info)
}

// item names the n-th value of a list.
func (r *Reader) item(base *nameInfo, n int) string {
	k := itemKey{base, n}
	if s, ok := r.items[k]; ok {
		return s
	}
	s := base.name + "_" + string(appendInt(nil, n))
	if len(r.items) < maxNames {
		r.items[k] = s
	}
	return s
}

func appendInt(b []byte, n int) []byte {
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, byte('0'+n%10))
}

// inGroup names a value inside outer[...]: the group's own value has the
// group's name, the others its first word: tot_loss[loss=, simple_loss=]
// holds tot_loss and tot_simple_loss, train_loss[loss=, acc=] train_loss and train_acc.
func (r *Reader) inGroup(outer, inner *nameInfo) *nameInfo {
	k := groupKey{outer, inner}
	if info, ok := r.group[k]; ok {
		return info
	}
	if len(r.group) >= maxNames {
		clear(r.group)
	}
	o, n := outer.name, inner.name
	info := *inner
	switch {
	case o == n:
	case outer.standing == label:
		info = r.cat.lex.classify(o + "_" + n)
	case len(o) > len(n) && o[len(o)-len(n):] == n && o[len(o)-len(n)-1] == '_':
		info = r.cat.lex.classify(o)
		if w := r.cat.lex.stats[o[:len(o)-len(n)-1]].window; w != "" {
			info.window = w // tot_loss[...] is a running mean, a plain tot_loss a sum of losses
		}
	case len(o) > 5 && o[len(o)-5:] == "_loss" && (outer.window != "" || outer.split != ""):
		info = r.cat.lex.classify(o[:len(o)-4] + n)
	}
	r.ids++
	info.cacheID = r.ids
	r.group[k] = &info
	return &info
}

// relabel is the metric base of another split.
func (r *Reader) relabel(base, to *nameInfo) *nameInfo {
	k := groupKey{to, base}
	if info, ok := r.group[k]; ok {
		return info
	}
	words := splitWords(base.name)
	name := to.name + "_" + base.name
	for i, w := range words {
		if r.cat.lex.splits[w] != "" && to.split != "" {
			words[i] = to.name
			name = joinWords(words)
			break
		}
	}
	info := r.cat.lex.classify(name)
	r.ids++
	info.cacheID = r.ids
	r.group[k] = &info
	return &info
}

func joinWords(w []string) string {
	var b []byte
	for i, s := range w {
		if i > 0 {
			b = append(b, '_')
		}
		b = append(b, s...)
	}
	return string(b)
}

// wideGap: cells of a table's header stand apart.
func wideGap(s []byte) bool {
	return len(s) > 8 && len(s) < 1024 && (bytes.Contains(s, []byte("   ")) || bytes.IndexByte(s, '\t') >= 0 || bytes.IndexByte(s, '|') >= 0 || bytes.IndexByte(s, ',') >= 0)
}

// loggerPhase: some trainers log each split through a logger of its own:
// "| INFO | valid | ...".
func (r *Reader) loggerPhase() Split {
	name := r.line.Prefix.Logger
	if name == "" || len(name) > 16 {
		return ""
	}
	if s, ok := r.loggers[name]; ok {
		return s
	}
	split := ""
	if w := splitWords(lower(name)); len(w) == 1 || len(w) == 2 && w[1] == "inner" {
		split = r.cat.lex.splits[w[0]]
	}
	if len(r.loggers) < maxNames {
		r.loggers[name] = split
	}
	return split
}
