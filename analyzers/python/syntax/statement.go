package syntax

// statement reads a compound statement or a line of simple ones, and what
// damage makes of them.
func (p *Parser) statement(l *list, role Role) {
	if p.indented {
		p.unexpectedIndent(l, role)
		return
	}
	start, mark := p.at(), len(p.nodes)
	p.enter()
	n, is := p.compound()
	p.leave()
	switch {
	case p.failed:
		p.nodes = p.nodes[:mark]
		p.add(l, p.recover(start), role)
	case is:
		p.add(l, n, role)
	default:
		p.simpleLine(l, role)
	}
}

// unexpectedIndent reads a block that nothing opens.
func (p *Parser) unexpectedIndent(l *list, role Role) {
	start := p.at()
	p.report(fault{Indentation, "unexpected indent", start})
	var body list
	p.indentedBlock(&body, RoleBody)
	p.add(l, p.node(Invalid, start, body), role)
}

// compound reads a statement with a block; false: none begins here.
func (p *Parser) compound() (Node, bool) {
	start := p.at()
	switch p.kind() {
	case tName:
		if p.startsMatch() {
			return p.match(), true
		}
		return 0, false
	case tDef:
		return p.function(FunctionDef, start, list{}), true
	case tClass:
		return p.classDef(list{}), true
	case tAt:
		return p.decorated(), true
	case tIf:
		return p.ifStatement(), true
	case tFor:
		return p.forStatement(For, start), true
	case tWhile:
		return p.whileStatement(), true
	case tTry:
		return p.tryStatement(), true
	case tWith:
		return p.withStatement(With, start), true
	case tAsync:
		return p.async(start)
	}
	return 0, false
}

// async reads what async begins; false: it is a name, as before Python 3.7.
func (p *Parser) async(start uint32) (Node, bool) {
	switch p.peek(1) {
	case tDef:
		p.next()
		return p.function(AsyncFunctionDef, start, list{}), true
	case tFor:
		p.next()
		return p.forStatement(AsyncFor, start), true
	case tWith:
		p.next()
		return p.withStatement(AsyncWith, start), true
	}
	return 0, false
}

// clause reports whether the current line goes on with a clause of the
// statement whose block lies at this level.
func (p *Parser) clause(k tok, level int) bool {
	return p.is(k) && !p.indented && len(p.indents) == level
}

// lost replaces a clause whose header cannot be read, with the nodes that it
// made; the statement that it belongs to stays.
func (p *Parser) lost(l *list, role Role, start uint32, made int) bool {
	if !p.failed {
		return false
	}
	p.nodes = p.nodes[:made]
	p.add(l, p.recover(start), role)
	return true
}

// colon ends a header.
func (p *Parser) colon() { p.expect(tColon, "':'") }

// ifStatement reads if and elif alike: an elif is an If of its own.
func (p *Parser) ifStatement() Node {
	start, level := p.at(), len(p.indents)
	var l list
	p.next()
	p.add(&l, p.namedExpression(), RoleTest)
	p.colon()
	if p.failed {
		return 0
	}
	p.block(&l, RoleBody)
	if p.clause(tElif, level) {
		at, made := p.at(), len(p.nodes)
		p.enter()
		n := p.ifStatement()
		p.leave()
		if !p.lost(&l, RoleOrElse, at, made) {
			p.add(&l, n, RoleOrElse)
			return p.node(If, start, l)
		}
	}
	p.elseClause(&l, level)
	return p.node(If, start, l)
}

// elseClause reads else, where it follows; after a lost elif, more of these.
func (p *Parser) elseClause(l *list, level int) {
	for p.clause(tElif, level) && l.last != 0 && p.nodes[l.last].kind == Invalid {
		at, made := p.at(), len(p.nodes)
		n := p.ifStatement()
		if !p.lost(l, RoleOrElse, at, made) {
			p.add(l, n, RoleOrElse)
		}
	}
	if p.clause(tElse, level) {
		at, made := p.at(), len(p.nodes)
		p.next()
		p.colon()
		if !p.lost(l, RoleOrElse, at, made) {
			p.block(l, RoleOrElse)
		}
	}
}

func (p *Parser) whileStatement() Node {
	start, level := p.at(), len(p.indents)
	var l list
	p.next()
	p.add(&l, p.namedExpression(), RoleTest)
	p.colon()
	if p.failed {
		return 0
	}
	p.block(&l, RoleBody)
	p.elseClause(&l, level)
	return p.node(While, start, l)
}

func (p *Parser) forStatement(k Kind, start uint32) Node {
	level := len(p.indents)
	var l list
	p.next()
	p.add(&l, p.loopTargets(), RoleTarget)
	p.expect(tIn, "'in'")
	p.add(&l, p.starExpressions(), RoleIter)
	p.colon()
	if p.failed {
		return 0
	}
	p.block(&l, RoleBody)
	p.elseClause(&l, level)
	return p.node(k, start, l)
}

func (p *Parser) withStatement(k Kind, start uint32) Node {
	var l list
	p.next()
	if !p.is(tLParen) || !p.withParens(&l) {
		p.withItems(&l)
	}
	p.colon()
	if p.failed {
		return 0
	}
	p.block(&l, RoleBody)
	return p.node(k, start, l)
}

// withParens tries items in parentheses. Whether the parentheses belong to the
// statement or to an expression shows only behind them.
func (p *Parser) withParens(l *list) bool {
	i, end, nodes, notes := p.i, p.end, len(p.nodes), len(p.notes)
	p.next()
	for !p.is(tRParen) && !p.failed {
		p.add(l, p.withItem(), RoleItem)
		if !p.accept(tComma) {
			break
		}
	}
	if !p.failed && l.first != 0 && p.accept(tRParen) && p.is(tColon) {
		return true
	}
	p.move(i)
	p.end, p.nodes, p.notes = end, p.nodes[:nodes], p.notes[:notes]
	p.failed, *l = false, list{}
	return false
}

func (p *Parser) withItems(l *list) {
	for {
		p.add(l, p.withItem(), RoleItem)
		if !p.accept(tComma) {
			return
		}
	}
}

func (p *Parser) withItem() Node {
	start := p.at()
	var l list
	p.add(&l, p.expression(), RoleContext)
	if p.accept(tAs) {
		t := p.starTarget()
		p.setTarget(t, Store)
		p.add(&l, t, RoleVars)
	}
	return p.node(WithItem, start, l)
}
