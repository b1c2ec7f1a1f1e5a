package syntax

// namePattern reads a capture, the wildcard, a dotted value or a class.
func (p *Parser) namePattern(start uint32) Node {
	if k := p.peek(1); k != tDot && k != tLParen {
		at := p.capture()
		n := p.node(MatchAs, start, list{})
		p.nodes[n].aux = at
		return n
	}
	n := p.leaf(Name)
	for p.is(tDot) {
		n = p.attribute(start, n)
	}
	var l list
	if p.accept(tLParen) {
		p.add(&l, n, RoleClass)
		p.classPatterns(&l)
		return p.node(MatchClass, start, l)
	}
	p.add(&l, n, RoleValue)
	return p.node(MatchValue, start, l)
}

// classPatterns reads positional patterns, then keyword patterns.
func (p *Parser) classPatterns(l *list) {
	keywords := false
	for !p.is(tRParen) && !p.failed {
		if p.is(tName) && p.peek(1) == tAssign {
			keywords = true
			p.add(l, p.keywordPattern(), RoleKeywordPattern)
		} else {
			if keywords {
				p.fail(Syntax, "positional patterns follow keyword patterns")
				return
			}
			p.add(l, p.pattern(), RolePattern)
		}
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRParen, "')'")
}

func (p *Parser) keywordPattern() Node {
	start := p.at()
	var l list
	p.next()
	p.next()
	p.add(&l, p.pattern(), RolePattern)
	return p.node(Keyword, start, l)
}

// groupPattern reads a pattern in parentheses or a sequence.
func (p *Parser) groupPattern(start uint32) Node {
	p.next()
	if p.accept(tRParen) {
		return p.node(MatchSequence, start, list{})
	}
	star := p.is(tStar)
	n := p.maybeStar()
	if !star && p.accept(tRParen) {
		return n
	}
	if !p.is(tComma) {
		p.fail(Syntax, "invalid pattern")
		return 0
	}
	var l list
	p.add(&l, n, RolePattern)
	p.next()
	return p.sequencePattern(start, l, tRParen)
}

// sequencePattern reads patterns up to the closing bracket.
func (p *Parser) sequencePattern(start uint32, l list, closing tok) Node {
	for !p.is(closing) && !p.failed {
		p.add(&l, p.maybeStar(), RolePattern)
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(closing, "the closing bracket")
	return p.node(MatchSequence, start, l)
}

func (p *Parser) mappingPattern(start uint32) Node {
	var l list
	rest := uint32(0)
	p.next()
	for !p.is(tRBrace) && !p.failed {
		if rest != 0 {
			p.fail(Syntax, "a pattern behind **rest")
			return 0
		}
		if p.accept(tPower) {
			if rest = p.capture(); rest == 0 {
				p.fail(Syntax, "cannot use '_' as a target")
			}
		} else {
			p.add(&l, p.patternKey(), RoleKey)
			p.expect(tColon, "':'")
			p.add(&l, p.pattern(), RolePattern)
		}
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRBrace, "'}'")
	n := p.node(MatchMapping, start, l)
	p.nodes[n].aux = rest
	return n
}

// patternKey reads a literal or a dotted name.
func (p *Parser) patternKey() Node {
	start := p.at()
	switch p.kind() {
	case tNone:
		return p.constant(NoneValue)
	case tTrue:
		return p.constant(True)
	case tFalse:
		return p.constant(False)
	case tName:
		n := p.leaf(Name)
		if !p.is(tDot) {
			p.fail(Syntax, "the key of a mapping pattern is a literal or a dotted name")
		}
		for p.is(tDot) {
			n = p.attribute(start, n)
		}
		return n
	}
	return p.literalPattern()
}

// literalPattern reads strings, a number with its sign, a complex number.
func (p *Parser) literalPattern() Node {
	if p.is(tString) || p.is(tFStart) {
		return p.strings()
	}
	start := p.at()
	n := p.signedNumber()
	var op Op
	switch p.kind() {
	case tPlus:
		op = Add
	case tMinus:
		op = Sub
	default:
		return n
	}
	if p.isImaginary(n) {
		p.fail(Syntax, "real number required in complex literal")
		return 0
	}
	p.next()
	if !p.is(tNumber) || p.numberType() != Imaginary {
		p.fail(Syntax, "imaginary number required in complex literal")
		return 0
	}
	var l list
	p.add(&l, n, RoleLeft)
	p.add(&l, p.constant(Imaginary), RoleRight)
	n = p.node(BinOp, start, l)
	p.nodes[n].op = op
	return n
}

func (p *Parser) isImaginary(n Node) bool {
	if p.nodes[n].kind == UnaryOp {
		n = p.nodes[n].first
	}
	return p.nodes[n].op == Imaginary
}

func (p *Parser) signedNumber() Node {
	start := p.at()
	minus := p.accept(tMinus)
	if !p.is(tNumber) {
		p.fail(Syntax, "invalid pattern")
		return 0
	}
	n := p.constant(p.numberType())
	if !minus {
		return n
	}
	var l list
	p.add(&l, n, RoleOperand)
	n = p.node(UnaryOp, start, l)
	p.nodes[n].op = USub
	return n
}
