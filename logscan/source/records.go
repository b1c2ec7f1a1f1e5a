package source

import (
	"bytes"
	"unicode/utf8"
)

// record hands on the record at pos, or a piece of it, and says how many bytes
// of the buffer are done with.
func (l *Lines) record(pos int, fn func(*Line) error) (int, error) {
	if l.buf[pos] == 0 && l.overlap == 0 {
		n := runLen(l.buf[pos:], 0)
		l.hole(l.base+int64(pos), n)
		l.open = true
		return n, nil
	}
	end, width := l.findEnd(pos)
	switch {
	case end < 0 && len(l.buf)-pos <= maxRecord: // the source ends without a line end
		end, width = len(l.buf), 0
	case end < 0 || end-pos > maxRecord:
		return l.piece(pos, fn)
	}
	closer := byte('\n')
	switch {
	case width == 0:
		closer = 0
	case l.buf[end] == '\b' || l.buf[end] == '\r' && width == 1:
		closer = l.buf[end]
	}
	err := l.emit(pos, end, closer, false, fn)
	l.overlap = 0
	l.open = closer != '\n'
	l.bar = l.open
	if !l.open {
		l.no++
	}
	return end - pos + width, err
}

// piece hands on the start of a record that is too long.
func (l *Lines) piece(pos int, fn func(*Line) error) (int, error) {
	cut := cutPoint(l.buf[pos : pos+maxRecord])
	if err := l.emit(pos, pos+cut, 0, true, fn); err != nil {
		return 0, err
	}
	l.open = true
	from := cut - pieceOverlap
	for from < cut && !utf8.RuneStart(l.buf[pos+from]) {
		from++
	}
	l.overlap = cut - from
	return from, nil
}

// cutPoint finds where to cut a full buffer: behind the last blank, so that no
// word is torn, else at its end; never inside an escape sequence.
func cutPoint(b []byte) int {
	cut := len(b)
	if i := bytes.LastIndexByte(b[len(b)/2:], ' '); i >= 0 {
		cut = len(b)/2 + i + 1
	}
	for cut > len(b)/2 && cut < len(b) && !utf8.RuneStart(b[cut]) {
		cut--
	}
	near := max(0, cut-64)
	if i := bytes.LastIndexByte(b[near:cut], 0x1b); i >= 0 {
		if n, _ := escapeLen(b[near+i:]); near+i+n > cut {
			cut = near + i
		}
	}
	return cut
}

// emit cleans one record and hands it on. closer is the byte that ended it.
func (l *Lines) emit(pos, end int, closer byte, more bool, fn func(*Line) error) error {
	raw := l.buf[pos:end]
	line := &l.line
	*line = Line{
		Offset: l.base + int64(pos), End: l.base + int64(end), No: l.no,
		Bar: l.bar || closer == '\r' || closer == '\b', More: more, Overlap: l.overlap,
	}
	text, nuls := clean(raw, l.scratch)
	if len(text) > 0 && len(raw) > 0 && &text[0] != &raw[0] {
		l.scratch = text[:0]
	}
	if nuls > 0 {
		l.holesIn(raw[l.overlap:], line.Offset+int64(l.overlap))
	}
	if l.overlap > 0 {
		line.Overlap = len(Clean(raw[:l.overlap], nil))
	}
	if len(text) == 0 && line.Bar {
		return nil // the bare end of a bar
	}
	switch {
	case l.overlap > 0:
		line.Text, line.Prefix = text, l.inherited
	default:
		l.read(text, line)
	}
	if line.Prefix.Partial || l.joiner.waiting() {
		return l.joiner.add(l, line, closer == '\n' || closer == 0, fn)
	}
	l.stats.Records++
	return fn(line)
}

// read takes the prefix off. Bars that follow on the same physical line have
// what their line began with.
func (l *Lines) read(text []byte, line *Line) {
	line.Text = l.prefix.read(&l.style, text)
	if l.joiner.waiting() && !l.bar && l.joiner.of(l.prefix.p.Stream).open {
		line.Text = l.prefix.runtimeOnly(&l.style, text)
	}
	line.Prefix = l.prefix.p
	if l.bar {
		line.Prefix.inherit(&l.inherited)
	} else {
		line.Text, l.scratch = mend(text, line.Text, l.scratch)
	}
	l.inherited = line.Prefix
}

func (p *Prefix) inherit(from *Prefix) {
	if p.Rank == noRank {
		p.Rank = from.Rank
	}
	if p.Time == 0 {
		p.Time, p.Resolution, p.Clock = from.Time, from.Resolution, from.Clock
		p.Zone, p.NoYear = from.Zone, from.NoYear
	}
	if p.Host == "" {
		p.Host = from.Host
	}
	if p.Stream == "" {
		p.Stream = from.Stream
	}
	if p.Pid == 0 {
		p.Pid = from.Pid
	}
	p.Partial = p.Partial || from.Partial
}

// Parse cleans one record and reads its prefix, for readers that find records
// on their own: it sets Text and Prefix. scratch is used as by Clean and
// returned for the next call.
func (st *Style) Parse(raw, scratch []byte, line *Line) []byte {
	text, _ := clean(raw, scratch)
	if len(text) > 0 && len(raw) > 0 && &text[0] != &raw[0] {
		scratch = text[:0]
	}
	line.Prefix, line.Text = st.Prefix(text)
	line.Text, scratch = mend(text, line.Text, scratch)
	return scratch
}

// mend joins what torchrun's tee tore: it prints a header for every read, so
// that a line that was written in two parts has its header in the middle too
// ("[default0]:command bu[default0]:ffer").
func mend(text, rest, scratch []byte) ([]byte, []byte) {
	if len(text) < 8 || text[0] != '[' || !isLetter(text[1]) || len(rest) == len(text) {
		return rest, scratch
	}
	end := bytes.IndexByte(text[:min(len(text), 40)], ']')
	if end < 0 || end+1 >= len(text) || text[end+1] != ':' || !isDigit(text[end-1]) || hasText(text, "[rank") {
		return rest, scratch
	}
	label := text[:end+2]
	if !bytes.Contains(rest, label) {
		return rest, scratch
	}
	mended := make([]byte, 0, len(rest))
	for {
		i := bytes.Index(rest, label)
		if i < 0 {
			return append(mended, rest...), scratch
		}
		mended = append(mended, rest[:i]...)
		rest = rest[i+len(label):]
	}
}

// hole notes a stretch of NUL; one that goes on from the last makes it longer.
func (l *Lines) hole(at int64, n int) {
	l.stats.NULs += int64(n)
	if k := len(l.stats.Holes); k > 0 {
		last := &l.stats.Holes[k-1]
		if last.Offset+last.Len == at {
			last.Len += int64(n)
			return
		}
		if last.Len < minHole { // stray bytes are no hole
			l.stats.Holes = l.stats.Holes[:k-1]
		}
	}
	if len(l.stats.Holes) < maxHoles {
		l.stats.Holes = append(l.stats.Holes, Hole{at, int64(n)})
	}
}

func (l *Lines) holesIn(raw []byte, at int64) {
	for i := 0; i < len(raw); {
		k := bytes.IndexByte(raw[i:], 0)
		if k < 0 {
			return
		}
		n := runLen(raw[i+k:], 0)
		l.hole(at+int64(i+k), n)
		i += k + n
	}
}
