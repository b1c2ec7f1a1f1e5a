package syntax

// setTarget makes what was read as an expression the target of an assignment
// or a del, or fails.
func (p *Parser) setTarget(n Node, c Context) {
	if n == 0 || p.failed {
		return
	}
	r := &p.nodes[n]
	switch r.kind {
	case Name, Attribute, Subscript:
	case Tuple, List:
		for e := r.first; e != 0; e = p.nodes[e].next {
			p.setTarget(e, c)
		}
	case Starred:
		if c == Del {
			p.failAt(Syntax, "cannot delete starred", r.start)
			return
		}
		p.setTarget(r.first, c)
	case Constant:
		if (r.op == True || r.op == False) && c == Store && r.flags&parens == 0 {
			p.note(r.op.String()+" is a keyword since Python 3", int(r.start))
			return
		}
		p.failAt(Syntax, "cannot assign to a literal", r.start)
		return
	default:
		p.failAt(Syntax, "cannot assign to "+r.kind.String(), r.start)
		return
	}
	r.flags |= flags(c)
}

// starTarget reads one target where no operator may follow.
func (p *Parser) starTarget() Node {
	if !p.is(tStar) {
		return p.primary()
	}
	start := p.at()
	var l list
	p.next()
	p.add(&l, p.primary(), RoleValue)
	return p.node(Starred, start, l)
}

// loopTargets reads the targets of a loop, up to in.
func (p *Parser) loopTargets() Node {
	start := p.at()
	n := p.starTarget()
	if p.is(tComma) {
		var l list
		p.add(&l, n, RoleElement)
		for p.accept(tComma) && !p.is(tIn) {
			p.add(&l, p.starTarget(), RoleElement)
		}
		n = p.node(Tuple, start, l)
	}
	p.setTarget(n, Store)
	return n
}
