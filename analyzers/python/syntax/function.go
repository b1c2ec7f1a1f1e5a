package syntax

// decorated reads decorators and what they decorate, which begins behind them.
func (p *Parser) decorated() Node {
	first, level := p.at(), len(p.indents)
	var l list
	for p.clause(tAt, level) {
		p.next()
		p.add(&l, p.namedExpression(), RoleDecorate)
		if !p.is(tNewline) {
			p.fail(Syntax, "invalid syntax")
		}
		if p.failed {
			return 0
		}
		p.nextLine()
	}
	start := p.at()
	switch {
	case p.clause(tDef, level):
		return p.function(FunctionDef, start, l)
	case p.clause(tClass, level):
		return p.classDef(l)
	case p.clause(tAsync, level) && p.peek(1) == tDef:
		p.next()
		return p.function(AsyncFunctionDef, start, l)
	}
	p.report(fault{Syntax, "a decorator needs a function or a class", start})
	return p.node(Invalid, first, l)
}

func (p *Parser) function(k Kind, start uint32, l list) Node {
	p.next()
	at := p.at()
	p.name("the name of a function")
	if p.is(tLBracket) {
		p.typeParams(&l)
	}
	if p.expect(tLParen, "'('") {
		p.params(&l, tRParen)
		p.expect(tRParen, "')'")
	}
	if p.accept(tArrow) {
		p.add(&l, p.expression(), RoleReturns)
	}
	p.colon()
	if p.failed {
		return 0
	}
	p.block(&l, RoleBody)
	n := p.node(k, start, l)
	p.nodes[n].aux = at
	return n
}

func (p *Parser) classDef(l list) Node {
	start := p.at()
	p.next()
	at := p.at()
	p.name("the name of a class")
	if p.is(tLBracket) {
		p.typeParams(&l)
	}
	if p.accept(tLParen) {
		p.arguments(&l, RoleBase)
		p.expect(tRParen, "')'")
	}
	p.colon()
	if p.failed {
		return 0
	}
	p.block(&l, RoleBody)
	n := p.node(ClassDef, start, l)
	p.nodes[n].aux = at
	return n
}

// params is the state of a parameter list that is being read.
type params struct {
	lambda   bool
	any      bool // a parameter came
	slash    bool
	star     bool // * or *args
	bare     bool // * without a name, and nothing behind it yet
	defaults bool
}

// params reads parameters up to the closing token: ) of a def, : of a lambda.
func (p *Parser) params(l *list, closing tok) {
	s := params{lambda: closing == tColon}
	for !p.is(closing) && !p.failed {
		last := false
		switch p.kind() {
		case tSlash:
			p.slash(l, &s)
		case tStar:
			p.variable(l, &s)
		case tPower:
			p.add(l, p.unpackParam(VarKeyword, &s), RoleParam)
			last = true
		default:
			p.param(l, &s)
		}
		if !p.accept(tComma) {
			break
		}
		if last && !p.is(closing) {
			p.fail(Syntax, "arguments cannot follow var-keyword argument")
		}
	}
	if s.bare {
		p.fail(Syntax, "named arguments must follow bare *")
	}
}

// slash makes the parameters before it positional only.
func (p *Parser) slash(l *list, s *params) {
	if !s.any || s.slash || s.star {
		p.fail(Syntax, "invalid '/' in the parameters")
		return
	}
	s.slash = true
	p.next()
	for c := l.first; c != 0; c = p.nodes[c].next {
		if p.nodes[c].role == RoleParam {
			p.nodes[c].op = PositionalOnly
		}
	}
}

func (p *Parser) variable(l *list, s *params) {
	if s.star {
		p.fail(Syntax, "* argument may appear only once")
		return
	}
	s.star = true
	if k := p.peek(1); k == tComma || k == tRParen || k == tColon {
		s.bare = true
		p.next()
		return
	}
	p.add(l, p.unpackParam(VarPositional, s), RoleParam)
}

// unpackParam reads *args or **kwargs.
func (p *Parser) unpackParam(op Op, s *params) Node {
	p.next()
	if s.bare {
		p.fail(Syntax, "named arguments must follow bare *")
	}
	start := p.at()
	var l list
	p.name("a parameter")
	if !s.lambda && p.accept(tColon) {
		if op == VarPositional && p.is(tStar) {
			p.add(&l, p.starExpression(), RoleAnnotation)
		} else {
			p.add(&l, p.expression(), RoleAnnotation)
		}
	}
	n := p.node(Param, start, l)
	p.nodes[n].op = op
	return n
}

func (p *Parser) param(l *list, s *params) {
	start := p.at()
	var c list
	if p.is(tLParen) {
		p.tupleParam(&c)
	} else {
		p.name("a parameter")
	}
	if !s.lambda && p.accept(tColon) {
		p.add(&c, p.expression(), RoleAnnotation)
	}
	end := p.end
	if p.accept(tAssign) {
		s.defaults = true
		p.add(&c, p.expression(), RoleDefault)
	} else if s.defaults && !s.star {
		p.fail(Syntax, "parameter without a default follows parameter with a default")
	}
	s.any, s.bare = true, false
	n := p.node(Param, start, c)
	p.nodes[n].end = end
	p.nodes[n].op = Positional
	if s.star {
		p.nodes[n].op = KeywordOnly
	}
	p.add(l, n, RoleParam)
}

// tupleParam reads a parameter of Python 2 that is unpacked.
func (p *Parser) tupleParam(l *list) {
	p.note("a tuple as parameter is Python 2", int(p.at()))
	t := p.atom()
	p.setTarget(t, Store)
	p.add(l, t, RoleTarget)
}

// typeParams reads [T: bound = default, *Ts, **P].
func (p *Parser) typeParams(l *list) {
	p.next()
	if p.is(tRBracket) {
		p.fail(Syntax, "type parameter list cannot be empty")
	}
	for !p.is(tRBracket) && !p.failed {
		p.add(l, p.typeParam(), RoleTypeParam)
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRBracket, "']'")
}

func (p *Parser) typeParam() Node {
	start, kind := p.at(), TypeVar
	switch {
	case p.accept(tStar):
		kind = TypeVarTuple
	case p.accept(tPower):
		kind = ParamSpec
	}
	at := p.at()
	var l list
	p.name("a type parameter")
	if kind == TypeVar && p.accept(tColon) {
		p.add(&l, p.expression(), RoleBound)
	}
	if p.accept(tAssign) {
		if kind == TypeVarTuple {
			p.add(&l, p.starExpression(), RoleDefault)
		} else {
			p.add(&l, p.expression(), RoleDefault)
		}
	}
	n := p.node(kind, start, l)
	p.nodes[n].aux = at
	return n
}
