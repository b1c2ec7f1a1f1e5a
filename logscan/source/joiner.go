package source

// joiner puts lines together again that a Kubernetes container runtime cut at
// its 16 KiB buffer: parts are marked P, the last one F, each stream its own.
type joiner struct {
	parts [2]part // out, err
}

type part struct {
	open bool
	text []byte
	line Line
}

func (j *joiner) waiting() bool { return j.parts[0].open || j.parts[1].open }

func (j *joiner) of(stream string) *part {
	if stream == "err" {
		return &j.parts[1]
	}
	return &j.parts[0]
}

// add takes a record while parts are open or when it is one. ends says that it
// is the last of its physical line: only there the mark P means that the next
// line goes on with it.
func (j *joiner) add(l *Lines, line *Line, ends bool, fn func(*Line) error) error {
	p := j.of(line.Prefix.Stream)
	goesOn := line.Prefix.Partial && (ends || line.More)
	line.Prefix.Partial = false
	if !p.open && !goesOn {
		l.stats.Records++
		return fn(line)
	}
	if !p.open {
		p.line = *line
		p.line.More, p.line.Overlap = false, line.Overlap
		p.text = p.text[:0]
		p.open = true
	}
	skip := 0
	if len(p.text) > 0 && line.Overlap > 0 {
		skip = min(line.Overlap, len(line.Text)) // already there
	}
	p.text = append(p.text, line.Text[skip:]...)
	p.line.End = line.End
	if goesOn || line.More {
		return j.spill(p, l, fn)
	}
	p.open = false
	return p.hand(l, fn, false)
}

// spill hands on what has grown too long and keeps its end.
func (j *joiner) spill(p *part, l *Lines, fn func(*Line) error) error {
	if len(p.text) <= maxRecord {
		return nil
	}
	cut := cutPoint(p.text)
	rest := append([]byte(nil), p.text[max(0, cut-pieceOverlap):]...)
	whole := p.text
	p.text = whole[:cut]
	err := p.hand(l, fn, true)
	p.text = append(whole[:0], rest...)
	p.line.Overlap = min(pieceOverlap, cut)
	return err
}

func (p *part) hand(l *Lines, fn func(*Line) error, more bool) error {
	line := p.line
	line.Text, line.More = p.text, more
	if l != nil {
		l.stats.Records++
	}
	return fn(&line)
}

// flush hands on what never got its last part.
func (j *joiner) flush(fn func(*Line) error) error {
	for i := range j.parts {
		p := &j.parts[i]
		if !p.open {
			continue
		}
		p.open = false
		if err := p.hand(nil, fn, false); err != nil {
			return err
		}
	}
	return nil
}
