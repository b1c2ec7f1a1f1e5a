package syntax

func (p *Parser) tryStatement() Node {
	start, level := p.at(), len(p.indents)
	var l list
	p.next()
	p.colon()
	if p.failed {
		return 0
	}
	p.block(&l, RoleBody)
	kind := p.handlers(&l, level)
	handled := l.last != 0 && p.nodes[l.last].role == RoleHandler
	if handled {
		p.elseClause(&l, level)
	}
	if p.clause(tFinally, level) {
		handled = true
		at, made := p.at(), len(p.nodes)
		p.next()
		p.colon()
		if !p.lost(&l, RoleFinal, at, made) {
			p.block(&l, RoleFinal)
		}
	}
	if !handled {
		p.report(fault{Syntax, "expected 'except' or 'finally' block", uint32(p.first)})
	}
	return p.node(kind, start, l)
}

// handlers reads the except clauses, all of them plain or all with a star.
func (p *Parser) handlers(l *list, level int) Kind {
	kind, plain := Try, false
	for p.clause(tExcept, level) {
		start, made := p.at(), len(p.nodes)
		star := p.peek(1) == tStar
		if star && plain || !star && kind == TryStar {
			p.report(fault{Syntax, "cannot have both 'except' and 'except*' on the same 'try'", start})
		}
		if star {
			kind = TryStar
		} else {
			plain = true
		}
		n := p.handler(star)
		if !p.lost(l, RoleHandler, start, made) {
			p.add(l, n, RoleHandler)
		}
	}
	return kind
}

func (p *Parser) handler(star bool) Node {
	start := p.at()
	var l list
	name := uint32(0)
	p.next()
	if star {
		p.next()
	}
	if !p.is(tColon) || star {
		name = p.caught(&l)
	}
	p.colon()
	if p.failed {
		return 0
	}
	p.block(&l, RoleBody)
	n := p.node(ExceptHandler, start, l)
	p.nodes[n].aux = name
	return n
}

// caught reads the types of a handler and gives the offset of its name. Since
// Python 3.14 several types need no parentheses; in Python 2 what stands
// behind the comma is the name. A lower-case name is taken for the latter:
// classes are not written so.
func (p *Parser) caught(l *list) uint32 {
	start := p.at()
	n := p.expression()
	if !p.is(tComma) {
		p.add(l, n, RoleType)
		if p.accept(tAs) {
			return p.bindName()
		}
		return 0
	}
	if p.peek(1) == tName && p.peek(2) == tColon {
		if t := p.toks[p.i+1]; p.text[t.start] >= 'a' && p.text[t.start] <= 'z' {
			p.note("except E, e is Python 2: except E as e", int(p.at()))
			p.next()
			p.add(l, n, RoleType)
			return p.bindName()
		}
	}
	var types list
	p.add(&types, n, RoleElement)
	for p.accept(tComma) && !p.is(tColon) {
		p.add(&types, p.expression(), RoleElement)
	}
	p.add(l, p.node(Tuple, start, types), RoleType)
	return 0
}

// bindName passes a name and gives its offset.
func (p *Parser) bindName() uint32 {
	at := p.at()
	p.name("a name")
	return at
}
