package syntax

func (p *Parser) call(start uint32, n Node) Node {
	open := p.at()
	var l list
	p.add(&l, n, RoleFunc)
	p.next()
	p.arguments(&l, RoleArg)
	p.expect(tRParen, "')'")
	n = p.node(Call, start, l)
	if g := l.last; p.nodes[g].kind == GeneratorExp && p.nodes[g].flags&mark != 0 {
		p.nodes[g].start, p.nodes[g].end = open, p.end
		p.nodes[g].flags &^= mark
	}
	return n
}

// arguments is the state of a list of arguments that is being read.
type arguments struct{ keyword, unpack bool }

// arguments reads the arguments of a call or the bases of a class, up to the
// closing parenthesis.
func (p *Parser) arguments(l *list, role Role) {
	var s arguments
	first := true
	for !p.is(tRParen) && !p.failed {
		switch {
		case p.is(tStar):
			if s.unpack {
				p.fail(Syntax, "iterable argument unpacking follows keyword argument unpacking")
				return
			}
			p.add(l, p.starArgument(), role)
		case p.is(tPower):
			s.unpack = true
			p.add(l, p.unpackArgument(), RoleKeyword)
		case p.peek(1) == tAssign:
			s.keyword = true
			p.add(l, p.keywordArgument(), RoleKeyword)
		default:
			p.positional(l, role, s, first)
		}
		first = false
		if !p.accept(tComma) {
			return
		}
	}
}

// starArgument reads *x, where x may be any expression.
func (p *Parser) starArgument() Node {
	start := p.at()
	var l list
	p.next()
	p.add(&l, p.expression(), RoleValue)
	return p.node(Starred, start, l)
}

func (p *Parser) unpackArgument() Node {
	start := p.at()
	var l list
	p.next()
	p.add(&l, p.expression(), RoleValue)
	n := p.node(Keyword, start, l)
	p.nodes[n].op = Unpack
	return n
}

func (p *Parser) keywordArgument() Node {
	start := p.at()
	var l list
	p.name("the name of an argument")
	p.expect(tAssign, "'='")
	p.add(&l, p.expression(), RoleValue)
	return p.node(Keyword, start, l)
}

func (p *Parser) positional(l *list, role Role, s arguments, first bool) {
	start := p.at()
	var n Node
	if p.lone() {
		n = p.leaf(Name)
	} else if n = p.namedExpression(); p.is(tFor) || p.is(tAsync) {
		if n = p.bareGenerator(start, n, first && role == RoleArg); n == 0 {
			return
		}
	}
	switch {
	case p.is(tAssign):
		p.fail(Syntax, "expression cannot contain assignment")
	case s.unpack:
		p.fail(Syntax, "positional argument follows keyword argument unpacking")
	case s.keyword:
		p.fail(Syntax, "positional argument follows keyword argument")
	}
	p.add(l, n, role)
}

// bareGenerator reads a generator that is the only argument of a call: the
// parentheses of the call are its own.
func (p *Parser) bareGenerator(start uint32, n Node, alone bool) Node {
	var l list
	p.add(&l, n, RoleElement)
	for p.is(tFor) || p.is(tAsync) && p.peek(1) == tFor {
		p.add(&l, p.generator(false), RoleIterate)
	}
	if !alone || !p.is(tRParen) {
		p.fail(Syntax, "generator expression must be parenthesized")
		return 0
	}
	n = p.node(GeneratorExp, start, l)
	p.nodes[n].flags |= mark
	return n
}

func (p *Parser) subscript(start uint32, n Node) Node {
	var l list
	p.add(&l, n, RoleValue)
	p.next()
	p.add(&l, p.slices(), RoleSlice)
	p.expect(tRBracket, "']'")
	return p.node(Subscript, start, l)
}

// slices reads one index, or several as a tuple.
func (p *Parser) slices() Node {
	start := p.at()
	star := p.is(tStar)
	n := p.slice()
	if !star && !p.is(tComma) {
		return n
	}
	var l list
	p.add(&l, n, RoleElement)
	for p.accept(tComma) && !p.is(tRBracket) {
		p.add(&l, p.slice(), RoleElement)
	}
	return p.node(Tuple, start, l)
}

func (p *Parser) slice() Node {
	if p.is(tStar) {
		return p.starArgument()
	}
	start := p.at()
	var l list
	if !p.is(tColon) {
		n := p.namedExpression()
		if !p.is(tColon) {
			return n
		}
		if r := &p.nodes[n]; r.kind == NamedExpr && r.flags&parens == 0 {
			p.fail(Syntax, "invalid syntax")
			return 0
		}
		p.add(&l, n, RoleLower)
	}
	p.enter()
	p.next()
	if !p.endsSlice() {
		p.add(&l, p.expression(), RoleUpper)
	}
	if p.accept(tColon) && !p.endsSlice() {
		p.add(&l, p.expression(), RoleStep)
	}
	p.leave()
	return p.node(Slice, start, l)
}

func (p *Parser) endsSlice() bool {
	return p.is(tColon) || p.is(tComma) || p.is(tRBracket)
}
