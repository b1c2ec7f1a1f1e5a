package syntax

// strings reads string literals in a row: one Constant, JoinedStr or
// TemplateStr.
func (p *Parser) strings() Node {
	start := p.at()
	var l list
	var s joined
	for {
		switch p.kind() {
		case tString:
			p.plainString(&s)
		case tFStart:
			p.formatString(&l, &s)
		default:
			return p.joinStrings(start, l, s)
		}
	}
}

// joined is what kinds of literals stand in a row.
type joined struct{ str, bytes, format, template bool }

// plainString passes a literal without fields.
func (p *Parser) plainString(s *joined) {
	t := &p.toks[p.i]
	for _, c := range p.text[t.start:t.end] {
		if c == '"' || c == '\'' {
			s.str = true
			break
		}
		if c|0x20 == 'b' {
			s.bytes = true
			break
		}
	}
	p.next()
}

// formatString reads one f-string or t-string.
func (p *Parser) formatString(l *list, s *joined) {
	kind := FormattedValue
	s.format = true
	t := &p.toks[p.i]
	if readPrefix(p.text[t.start:t.end]).template {
		s.template, s.format = true, false
		kind = Interpolation
	}
	p.next()
	for p.is(tFOpen) {
		p.add(l, p.replacementField(kind), RoleValue)
	}
	p.expect(tFEnd, "the end of the f-string")
}

func (p *Parser) joinStrings(start uint32, l list, s joined) Node {
	switch {
	case s.bytes && (s.str || s.format || s.template):
		p.fail(Syntax, "cannot mix bytes and nonbytes literals")
		return 0
	case s.template && (s.str || s.format):
		p.fail(Syntax, "cannot mix t-string literals with string or f-string literals")
		return 0
	case s.template:
		return p.node(TemplateStr, start, l)
	case s.format:
		return p.node(JoinedStr, start, l)
	}
	n := p.node(Constant, start, list{})
	p.nodes[n].op = Str
	if s.bytes {
		p.nodes[n].op = Bytes
	}
	return n
}

// replacementField reads {expression = !conversion :spec}. With = alone the
// conversion is r.
func (p *Parser) replacementField(kind Kind) Node {
	start := p.at()
	var l list
	p.enter()
	defer p.leave()
	p.next()
	p.add(&l, p.yieldOrStar(), RoleValue)
	shown := p.accept(tAssign)
	conversion := p.conversion()
	if shown && conversion == 0 && !p.is(tFSpec) {
		conversion = 'r'
	}
	if p.accept(tFSpec) {
		for p.is(tFOpen) {
			p.add(&l, p.replacementField(FormattedValue), RoleFormat)
		}
	}
	p.expect(tFClose, "'}' of the replacement field")
	n := p.node(kind, start, l)
	p.nodes[n].aux = uint32(conversion)
	return n
}

// conversion reads !r, where it stands; 0: none.
func (p *Parser) conversion() byte {
	if !p.is(tFConv) {
		return 0
	}
	p.next()
	adjacent := p.at() == p.end
	if w := p.word(); !p.is(tName) || !adjacent || w != "r" && w != "s" && w != "a" {
		p.fail(Syntax, "f-string: invalid conversion character: expected 's', 'r', or 'a'")
		return 0
	}
	c := p.text[p.at()]
	p.next()
	return c
}
