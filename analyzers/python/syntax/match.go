package syntax

// startsMatch tells the match statement from an expression that begins with a
// name: only a header ends with a colon.
func (p *Parser) startsMatch() bool {
	t := &p.toks[p.i]
	if t.end-t.start != 5 || p.i+3 >= len(p.toks) || p.toks[len(p.toks)-2].kind != tColon {
		return false
	}
	return p.word() == "match" && startsExpression[p.peek(1)]
}

func (p *Parser) match() Node {
	start := p.at()
	var l list
	p.next()
	p.add(&l, p.subject(), RoleSubject)
	p.colon()
	if !p.failed && !p.is(tNewline) {
		p.fail(Syntax, "expected the end of the line")
	}
	if p.failed {
		return 0
	}
	p.nextLine()
	if !p.indented {
		p.report(fault{Indentation, "expected an indented block", uint32(p.first)})
		return p.node(Match, start, l)
	}
	p.cases(&l)
	return p.node(Match, start, l)
}

// subject is a tuple as soon as a comma or a star stands in it.
func (p *Parser) subject() Node {
	start := p.at()
	star := p.is(tStar)
	n := p.starNamed()
	if !p.is(tComma) {
		if star {
			p.fail(Syntax, "cannot use starred expression here")
		}
		return n
	}
	var l list
	p.add(&l, n, RoleElement)
	for p.accept(tComma) && startsExpression[p.kind()] {
		p.add(&l, p.starNamed(), RoleElement)
	}
	return p.node(Tuple, start, l)
}

func (p *Parser) cases(l *list) {
	if len(p.indents) >= maxIndents {
		p.skipBlock()
		return
	}
	p.indents = append(p.indents, indent{p.col, p.alt})
	p.indented = false
	level := len(p.indents)
	for len(p.indents) == level && !p.is(tEOF) {
		if p.indented || !p.is(tName) || p.word() != "case" {
			if !p.indented {
				p.report(fault{Syntax, "expected 'case'", p.at()})
			}
			p.statement(l, RoleCase)
			continue
		}
		at, made := p.at(), len(p.nodes)
		n := p.matchCase()
		if !p.lost(l, RoleCase, at, made) {
			p.add(l, n, RoleCase)
		}
	}
}

func (p *Parser) matchCase() Node {
	start := p.at()
	var l list
	p.next()
	p.add(&l, p.patterns(), RolePattern)
	if p.accept(tIf) {
		p.add(&l, p.namedExpression(), RoleGuard)
	}
	p.colon()
	if p.failed {
		return 0
	}
	p.enter()
	p.block(&l, RoleBody)
	p.leave()
	return p.node(MatchCase, start, l)
}

// patterns reads one pattern, or several as a sequence without brackets.
func (p *Parser) patterns() Node {
	start := p.at()
	star := p.is(tStar)
	n := p.maybeStar()
	if !star && !p.is(tComma) {
		return n
	}
	if star && !p.is(tComma) {
		p.fail(Syntax, "a starred pattern needs a sequence")
		return 0
	}
	var l list
	p.add(&l, n, RolePattern)
	for p.accept(tComma) && !p.is(tColon) && !p.is(tIf) {
		p.add(&l, p.maybeStar(), RolePattern)
	}
	return p.node(MatchSequence, start, l)
}

func (p *Parser) maybeStar() Node {
	if !p.is(tStar) {
		return p.pattern()
	}
	start := p.at()
	p.next()
	at := p.capture()
	n := p.node(MatchStar, start, list{})
	p.nodes[n].aux = at
	return n
}

// capture passes a name and gives its offset; of _ it is 0: nothing is bound.
func (p *Parser) capture() uint32 {
	at, wildcard := p.at(), p.word() == "_"
	p.name("a name")
	if wildcard {
		return 0
	}
	return at
}

// pattern reads alternatives and the name that the whole is bound to.
func (p *Parser) pattern() Node {
	p.enter()
	defer p.leave()
	start := p.at()
	n := p.closedPattern()
	if p.is(tBar) {
		var l list
		p.add(&l, n, RolePattern)
		for p.accept(tBar) {
			p.add(&l, p.closedPattern(), RolePattern)
		}
		n = p.node(MatchOr, start, l)
	}
	if !p.accept(tAs) {
		return n
	}
	at := p.capture()
	if at == 0 {
		p.fail(Syntax, "cannot use '_' as a target")
	}
	var l list
	p.add(&l, n, RolePattern)
	n = p.node(MatchAs, start, l)
	p.nodes[n].aux = at
	return n
}

func (p *Parser) closedPattern() Node {
	start := p.at()
	switch p.kind() {
	case tName:
		return p.namePattern(start)
	case tNumber, tMinus, tString, tFStart:
		var l list
		p.add(&l, p.literalPattern(), RoleValue)
		return p.node(MatchValue, start, l)
	case tNone, tTrue, tFalse:
		op := map[tok]Op{tNone: NoneValue, tTrue: True, tFalse: False}[p.kind()]
		n := p.leaf(MatchSingleton)
		p.nodes[n].op = op
		return n
	case tLParen:
		return p.groupPattern(start)
	case tLBracket:
		p.next()
		return p.sequencePattern(start, list{}, tRBracket)
	case tLBrace:
		return p.mappingPattern(start)
	}
	p.fail(Syntax, "invalid pattern")
	return 0
}
