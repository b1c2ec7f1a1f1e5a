package syntax

// print reads the statement of Python 2.
func (p *Parser) print(start uint32) Node {
	p.note("the print statement is Python 2: print()", int(start))
	var l list
	p.next()
	p.values(&l)
	return p.node(Print, start, l)
}

func (p *Parser) values(l *list) {
	for !p.endsSimple() && !p.failed {
		p.add(l, p.expression(), RoleValue)
		if !p.accept(tComma) {
			return
		}
	}
}

// exec reads the statement of Python 2: the code, in its namespaces.
func (p *Parser) exec(start uint32) Node {
	p.note("the exec statement is Python 2: exec()", int(start))
	var l list
	p.next()
	p.add(&l, p.binary(precBitOr), RoleValue)
	if p.accept(tIn) {
		p.values(&l)
	}
	return p.node(Exec, start, l)
}

// repr reads `x`.
func (p *Parser) repr() Node {
	start := p.at()
	var l list
	p.next()
	p.enter()
	p.add(&l, p.starExpressions(), RoleValue)
	p.leave()
	p.expect(tBackquote, "'`'")
	return p.node(Repr, start, l)
}

// name passes a name. async and await are names before Python 3.7.
func (p *Parser) name(what string) {
	switch p.kind() {
	case tName:
		p.next()
	case tAsync, tAwait:
		p.note(p.word()+" is a keyword since Python 3.7", int(p.at()))
		p.next()
	default:
		p.fail(Syntax, "expected "+what)
	}
}

// attributeName passes the name of an attribute. True and its like are names in
// Python 2.
func (p *Parser) attributeName() {
	switch p.kind() {
	case tTrue, tFalse, tNone:
		p.note(p.word()+" is a keyword since Python 3", int(p.at()))
		p.next()
	default:
		p.name("a name")
	}
}

// bareTuple goes on behind its first element: [x for x in 1, 2].
func (p *Parser) bareTuple(first Node) Node {
	start := p.nodes[first].start
	p.note("a tuple without parentheses here is Python 2", int(start))
	var l list
	p.add(&l, first, RoleElement)
	for p.accept(tComma) && startsExpression[p.kind()] {
		p.add(&l, p.binary(precOr), RoleElement)
	}
	return p.node(Tuple, start, l)
}
