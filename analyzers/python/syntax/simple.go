package syntax

// simple reads one simple statement.
func (p *Parser) simple() Node {
	start := p.at()
	switch p.kind() {
	case tName:
		if n, is := p.softStatement(start); is {
			return n
		}
	case tReturn:
		var l list
		p.next()
		if !p.endsSimple() {
			p.add(&l, p.starExpressions(), RoleValue)
		}
		return p.node(Return, start, l)
	case tPass:
		return p.leaf(Pass)
	case tBreak:
		return p.leaf(Break)
	case tContinue:
		return p.leaf(Continue)
	case tImport:
		return p.importNames()
	case tFrom:
		return p.importFrom()
	case tRaise:
		return p.raise()
	case tAssert:
		return p.assert()
	case tDel:
		return p.del()
	case tGlobal:
		return p.declared(Global)
	case tNonlocal:
		return p.declared(Nonlocal)
	}
	return p.expressionStatement()
}

// endsSimple reports whether a simple statement ends here.
func (p *Parser) endsSimple() bool { return p.is(tNewline) || p.is(tSemicolon) }

// softStatement reads a statement that begins with a word that is no keyword:
// two names in a row are no expression.
func (p *Parser) softStatement(start uint32) (Node, bool) {
	t := &p.toks[p.i]
	switch t.end - t.start {
	case 4:
		switch {
		case p.peek(1) == tName && p.word() == "type":
			return p.typeAlias(start), true
		case startsOperand[p.peek(1)] && p.word() == "exec":
			return p.exec(start), true
		}
	case 5:
		k := p.peek(1)
		if (startsOperand[k] || k == tNot && p.peek(2) != tIn) && p.word() == "print" {
			return p.print(start), true
		}
	}
	return 0, false
}

// startsOperand are the tokens that begin an expression and cannot go on with
// one.
var startsOperand = [toks]bool{
	tName: true, tNumber: true, tString: true, tFStart: true, tLBrace: true, tTilde: true,
	tBackquote: true, tLambda: true, tNone: true, tTrue: true, tFalse: true, tYield: true,
	tEllipsis: true, tAwait: true,
}

func (p *Parser) typeAlias(start uint32) Node {
	var l list
	p.next()
	n := p.leaf(Name)
	p.setTarget(n, Store)
	p.add(&l, n, RoleTarget)
	if p.is(tLBracket) {
		p.typeParams(&l)
	}
	p.expect(tAssign, "'='")
	p.add(&l, p.expression(), RoleValue)
	return p.node(TypeAlias, start, l)
}

func (p *Parser) raise() Node {
	start := p.at()
	var l list
	p.next()
	if !p.endsSimple() {
		p.add(&l, p.expression(), RoleExc)
		switch {
		case p.accept(tFrom):
			p.add(&l, p.expression(), RoleCause)
		case p.is(tComma):
			p.note("raise E, v is Python 2: raise E(v)", int(p.at()))
			for p.accept(tComma) {
				p.add(&l, p.expression(), RoleCause)
			}
		}
	}
	return p.node(Raise, start, l)
}

func (p *Parser) assert() Node {
	start := p.at()
	var l list
	p.next()
	p.add(&l, p.expression(), RoleTest)
	if p.accept(tComma) {
		p.add(&l, p.expression(), RoleMessage)
	}
	return p.node(Assert, start, l)
}

func (p *Parser) del() Node {
	start := p.at()
	var l list
	p.next()
	for {
		n := p.primary()
		p.setTarget(n, Del)
		p.add(&l, n, RoleTarget)
		if !p.accept(tComma) || p.endsSimple() {
			break
		}
	}
	return p.node(Delete, start, l)
}

func (p *Parser) declared(k Kind) Node {
	start := p.at()
	var l list
	p.next()
	for {
		at := p.at()
		p.name("a name")
		p.add(&l, p.node(Ident, at, list{}), RoleName)
		if !p.accept(tComma) {
			break
		}
	}
	return p.node(k, start, l)
}

// expressionStatement reads an expression, an assignment or an annotation.
func (p *Parser) expressionStatement() Node {
	start := p.at()
	n := p.yieldOrStar()
	var l list
	switch p.kind() {
	case tAssign:
		return p.assign(start, n)
	case tAugAssign:
		return p.augAssign(start, n)
	case tColon:
		return p.annotated(start, n)
	}
	p.add(&l, n, RoleValue)
	return p.node(ExprStmt, start, l)
}

func (p *Parser) yieldOrStar() Node {
	if p.is(tYield) {
		return p.yield()
	}
	return p.starExpressions()
}

func (p *Parser) assign(start uint32, n Node) Node {
	var l list
	for p.is(tAssign) {
		p.setTarget(n, Store)
		p.add(&l, n, RoleTarget)
		p.next()
		if p.failed {
			return 0
		}
		n = p.yieldOrStar()
	}
	p.add(&l, n, RoleValue)
	return p.node(Assign, start, l)
}

// single reports whether a node can be the target of an annotation or an
// augmented assignment.
func (p *Parser) single(n Node) bool {
	switch p.nodes[n].kind {
	case Name, Attribute, Subscript:
		return true
	}
	return false
}

func (p *Parser) augAssign(start uint32, n Node) Node {
	if !p.single(n) {
		p.failAt(Syntax, "an illegal expression for augmented assignment", p.nodes[n].start)
		return 0
	}
	p.setTarget(n, Store)
	op := p.binaryOp()
	var l list
	p.add(&l, n, RoleTarget)
	p.next()
	p.add(&l, p.yieldOrStar(), RoleValue)
	n = p.node(AugAssign, start, l)
	p.nodes[n].op = op
	return n
}

// binaryOp is the operator of an augmented assignment.
func (p *Parser) binaryOp() Op {
	t, _ := operator(p.text[:p.toks[p.i].end-1], int(p.at()))
	return binaries[t].op
}

func (p *Parser) annotated(start uint32, n Node) Node {
	if !p.single(n) {
		p.failAt(Syntax, "only single target (not tuple) can be annotated", p.nodes[n].start)
		return 0
	}
	p.setTarget(n, Store)
	var l list
	p.add(&l, n, RoleTarget)
	p.next()
	p.add(&l, p.expression(), RoleAnnotation)
	if p.accept(tAssign) {
		p.add(&l, p.yieldOrStar(), RoleValue)
	}
	return p.node(AnnAssign, start, l)
}
