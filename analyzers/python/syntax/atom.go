package syntax

// primary reads an atom with what follows it at once: attributes, calls,
// subscripts.
func (p *Parser) primary() Node {
	start := p.at()
	n := p.atom()
	for {
		switch p.kind() {
		case tDot:
			n = p.attribute(start, n)
		case tLParen:
			n = p.call(start, n)
		case tLBracket:
			n = p.subscript(start, n)
		default:
			return n
		}
	}
}

func (p *Parser) attribute(start uint32, n Node) Node {
	p.next()
	at := p.at()
	p.attributeName()
	var l list
	p.add(&l, n, RoleValue)
	n = p.node(Attribute, start, l)
	p.nodes[n].aux = at
	return n
}

// atom reads an expression that no operator parts.
func (p *Parser) atom() Node {
	switch p.kind() {
	case tName:
		return p.leaf(Name)
	case tNumber:
		return p.constant(p.numberType())
	case tString, tFStart:
		return p.strings()
	case tLParen:
		return p.parens()
	case tLBracket:
		return p.listDisplay()
	case tLBrace:
		return p.braces()
	case tNone:
		return p.constant(NoneValue)
	case tTrue:
		return p.constant(True)
	case tFalse:
		return p.constant(False)
	case tEllipsis:
		return p.constant(Ellipsis)
	case tBackquote:
		return p.repr()
	case tAsync, tAwait:
		start := p.at()
		p.name("a name")
		return p.node(Name, start, list{})
	}
	p.fail(Syntax, "invalid syntax")
	return 0
}

func (p *Parser) constant(op Op) Node {
	n := p.leaf(Constant)
	p.nodes[n].op = op
	return n
}

// numberType tells the type of the current number from its letters.
func (p *Parser) numberType() Op {
	t := &p.toks[p.i]
	s := p.text[t.start:t.end]
	if len(s) > 1 && s[0] == '0' && isRadix(s[1]|0x20) {
		return Int
	}
	op := Int
	for _, c := range s {
		switch c {
		case 'j', 'J':
			return Imaginary
		case '.', 'e', 'E':
			op = Float
		}
	}
	return op
}

// parens reads what stands in parentheses: a tuple, a generator, a yield, or
// an expression, which the parentheses are no part of.
func (p *Parser) parens() Node {
	start := p.at()
	p.next()
	if p.accept(tRParen) {
		return p.node(Tuple, start, list{})
	}
	var n Node
	if p.is(tYield) {
		p.enter()
		n = p.yield()
		p.leave()
	} else {
		n = p.starNamed()
		switch p.kind() {
		case tComma:
			return p.tupleRest(start, n)
		case tFor, tAsync:
			return p.comprehension(GeneratorExp, start, n, 0, tRParen)
		}
		if p.nodes[n].kind == Starred {
			p.fail(Syntax, "cannot use starred expression here")
		}
	}
	p.expect(tRParen, "')'")
	p.nodes[n].flags |= parens
	return n
}

func (p *Parser) tupleRest(start uint32, first Node) Node {
	var l list
	p.add(&l, first, RoleElement)
	p.elements(&l, tRParen)
	return p.node(Tuple, start, l)
}

// elements reads the elements behind the first one, and the closing bracket.
func (p *Parser) elements(l *list, closing tok) {
	for p.accept(tComma) && !p.is(closing) {
		p.add(l, p.starNamed(), RoleElement)
	}
	p.expect(closing, "the closing bracket")
}

func (p *Parser) listDisplay() Node {
	start := p.at()
	p.next()
	if p.accept(tRBracket) {
		return p.node(List, start, list{})
	}
	n := p.starNamed()
	if p.is(tFor) || p.is(tAsync) {
		return p.comprehension(ListComp, start, n, 0, tRBracket)
	}
	var l list
	p.add(&l, n, RoleElement)
	p.elements(&l, tRBracket)
	return p.node(List, start, l)
}

// braces reads a dict, a set, or a comprehension of either.
func (p *Parser) braces() Node {
	start := p.at()
	p.next()
	if p.accept(tRBrace) {
		return p.node(Dict, start, list{})
	}
	if p.is(tPower) {
		return p.dictRest(start, list{})
	}
	n := p.starNamed()
	switch p.kind() {
	case tColon:
		return p.dict(start, n)
	case tFor, tAsync:
		return p.comprehension(SetComp, start, n, 0, tRBrace)
	}
	var l list
	p.add(&l, n, RoleElement)
	p.elements(&l, tRBrace)
	return p.node(Set, start, l)
}

// dict goes on behind its first key.
func (p *Parser) dict(start uint32, key Node) Node {
	value := p.dictValue(key)
	if p.is(tFor) || p.is(tAsync) {
		return p.comprehension(DictComp, start, key, value, tRBrace)
	}
	var l list
	p.add(&l, key, RoleKey)
	p.add(&l, value, RoleValue)
	if p.accept(tComma) {
		return p.dictRest(start, l)
	}
	p.expect(tRBrace, "'}'")
	return p.node(Dict, start, l)
}

// dictValue reads the colon and the value behind a key.
func (p *Parser) dictValue(key Node) Node {
	if k := &p.nodes[key]; k.kind == Starred || k.kind == NamedExpr && k.flags&parens == 0 {
		p.fail(Syntax, "cannot use this as the key of a dict")
		return 0
	}
	p.expect(tColon, "':'")
	return p.expression()
}

// dictRest reads pairs and **mappings, a value without a key.
func (p *Parser) dictRest(start uint32, l list) Node {
	for !p.is(tRBrace) && !p.failed {
		if p.accept(tPower) {
			p.add(&l, p.binary(precBitOr), RoleValue)
		} else {
			key := p.expression()
			value := p.dictValue(key)
			p.add(&l, key, RoleKey)
			p.add(&l, value, RoleValue)
		}
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRBrace, "'}'")
	return p.node(Dict, start, l)
}

// comprehension goes on behind its element, or its key and value.
func (p *Parser) comprehension(k Kind, start uint32, n, value Node, closing tok) Node {
	if e := &p.nodes[n]; e.kind == Starred {
		p.fail(Syntax, "iterable unpacking cannot be used in comprehension")
		return 0
	}
	var l list
	if value != 0 {
		p.add(&l, n, RoleKey)
		p.add(&l, value, RoleValue)
	} else {
		p.add(&l, n, RoleElement)
	}
	for p.is(tFor) || p.is(tAsync) && p.peek(1) == tFor {
		p.add(&l, p.generator(k == ListComp), RoleIterate)
	}
	p.expect(closing, "the closing bracket")
	return p.node(k, start, l)
}

// generator reads for x in y with its conditions. In the brackets of a list
// Python 2 needs no parentheses around several y.
func (p *Parser) generator(brackets bool) Node {
	start := p.at()
	var l list
	async := p.accept(tAsync)
	p.next()
	p.add(&l, p.loopTargets(), RoleTarget)
	p.expect(tIn, "'in'")
	in := p.binary(precOr)
	if brackets && p.is(tComma) {
		in = p.bareTuple(in)
	}
	p.add(&l, in, RoleIter)
	for p.accept(tIf) {
		p.add(&l, p.binary(precOr), RoleIf)
	}
	n := p.node(Comprehension, start, l)
	if async {
		p.nodes[n].flags |= mark
	}
	return n
}
