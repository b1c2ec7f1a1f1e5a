package syntax

// Precedences of the binary operators, loosest first.
const (
	precOr uint8 = iota + 1
	precAnd
	precNot
	precCompare
	precBitOr
	precBitXor
	precBitAnd
	precShift
	precArith
	precTerm
)

// binaries are the operators that stand between operands. The power operator
// binds closer than the signs before it and is read with its operand.
var binaries = [toks]struct {
	prec uint8
	op   Op
}{
	tOr: {precOr, Or}, tAnd: {precAnd, And},
	tEqual: {precCompare, Eq}, tNotEqual: {precCompare, NotEq}, tLess: {precCompare, Lt},
	tLessEqual: {precCompare, LtE}, tGreater: {precCompare, Gt}, tGreaterEqual: {precCompare, GtE},
	tIs: {precCompare, Is}, tIn: {precCompare, In}, tNot: {precCompare, NotIn},
	tBar: {precBitOr, BitOr}, tCaret: {precBitXor, BitXor}, tAmper: {precBitAnd, BitAnd},
	tLShift: {precShift, LShift}, tRShift: {precShift, RShift},
	tPlus: {precArith, Add}, tMinus: {precArith, Sub},
	tStar: {precTerm, Mult}, tSlash: {precTerm, Div}, tDoubleSlash: {precTerm, FloorDiv},
	tPercent: {precTerm, Mod}, tAt: {precTerm, MatMult}, tPower: {0, Pow},
}

// starExpressions reads expressions parted by commas: a tuple without
// parentheses, or one expression.
func (p *Parser) starExpressions() Node {
	start := p.at()
	var n Node
	if p.cur == tStar {
		n = p.starExpression()
	} else {
		n = p.expression()
	}
	if !p.is(tComma) {
		return n
	}
	var l list
	p.add(&l, n, RoleElement)
	for p.accept(tComma) && startsExpression[p.kind()] {
		p.add(&l, p.starExpression(), RoleElement)
	}
	return p.node(Tuple, start, l)
}

// startsExpression are the tokens that an expression or *expression begins with.
var startsExpression = [toks]bool{
	tName: true, tNumber: true, tString: true, tFStart: true, tLParen: true, tLBracket: true,
	tLBrace: true, tEllipsis: true, tBackquote: true, tPlus: true, tMinus: true, tTilde: true,
	tStar: true, tNot: true, tAwait: true, tAsync: true, tLambda: true, tNone: true, tTrue: true,
	tFalse: true, tError: true,
}

func (p *Parser) starExpression() Node {
	if !p.is(tStar) {
		return p.expression()
	}
	start := p.at()
	var l list
	p.next()
	p.add(&l, p.binary(precBitOr), RoleValue)
	return p.node(Starred, start, l)
}

// starNamed is an element of a display: *x, a walrus, an expression.
func (p *Parser) starNamed() Node {
	if p.is(tStar) {
		return p.starExpression()
	}
	return p.namedExpression()
}

// namedExpression reads an expression or a walrus.
func (p *Parser) namedExpression() Node {
	start := p.at()
	n := p.expression()
	if !p.is(tWalrus) {
		return n
	}
	if p.nodes[n].kind != Name || p.nodes[n].flags&parens != 0 {
		p.fail(Syntax, "cannot use assignment expressions with this target")
		return 0
	}
	p.setTarget(n, Store)
	var l list
	p.add(&l, n, RoleTarget)
	p.next()
	p.add(&l, p.expression(), RoleValue)
	return p.node(NamedExpr, start, l)
}

// expression reads a conditional expression, a lambda, or what binds closer.
func (p *Parser) expression() Node {
	if p.lone() {
		return p.leaf(Name)
	}
	p.enter()
	var n Node
	switch {
	case p.is(tLambda):
		n = p.lambda()
	case startsAtom[p.cur]:
		start := p.at()
		if n = p.primary(); !endsOperand[p.cur] {
			n = p.conditionalRest(start, p.binaryRest(start, p.powerRest(start, n), precOr))
		}
	default:
		n = p.conditional()
	}
	p.leave()
	return n
}

// startsAtom are tokens that an operand begins with, and no sign before one.
var startsAtom = [toks]bool{
	tName: true, tNumber: true, tString: true, tFStart: true, tLParen: true, tLBracket: true, tLBrace: true,
	tNone: true, tTrue: true, tFalse: true,
}

// lone reports whether the current token is a name with nothing behind it that
// belongs to the same expression: nearly half of all expressions.
func (p *Parser) lone() bool { return p.cur == tName && endsOperand[p.toks[p.i+1].kind] }

// endsOperand are tokens that no expression goes on with.
var endsOperand = [toks]bool{
	tNewline: true, tComma: true, tRParen: true, tRBracket: true, tRBrace: true, tAssign: true,
	tColon: true, tFClose: true,
}

func (p *Parser) conditional() Node {
	start := p.at()
	return p.conditionalRest(start, p.binary(precOr))
}

// conditionalRest reads what may follow the body of a conditional expression.
func (p *Parser) conditionalRest(start uint32, n Node) Node {
	if !p.is(tIf) {
		return n
	}
	var l list
	p.add(&l, n, RoleBody)
	p.next()
	p.add(&l, p.binary(precOr), RoleTest)
	if p.expect(tElse, "'else'") {
		p.add(&l, p.expression(), RoleOrElse)
	}
	return p.node(IfExp, start, l)
}

func (p *Parser) lambda() Node {
	start := p.at()
	var l list
	p.next()
	p.params(&l, tColon)
	p.colon()
	p.add(&l, p.expression(), RoleBody)
	return p.node(Lambda, start, l)
}

// binary reads operands and the operators between them that bind at least as
// close as least.
func (p *Parser) binary(least uint8) Node {
	start := p.at()
	var n Node
	if unaries[p.cur] == NoOp {
		n = p.power()
	} else {
		n = p.unary(least)
	}
	return p.binaryRest(start, n, least)
}

// binaryRest reads the operators and operands behind the first operand.
func (p *Parser) binaryRest(start uint32, n Node, least uint8) Node {
	for {
		b := binaries[p.kind()]
		if b.prec < least || b.prec == 0 {
			return n
		}
		switch b.prec {
		case precOr, precAnd:
			n = p.boolOp(start, n, p.kind())
		case precCompare:
			n = p.compare(start, n)
		default:
			var l list
			p.next()
			p.add(&l, n, RoleLeft)
			p.add(&l, p.binary(b.prec+1), RoleRight)
			n = p.node(BinOp, start, l)
			p.nodes[n].op = b.op
		}
		if p.failed {
			return 0
		}
	}
}

// boolOp reads all operands that one operator joins.
func (p *Parser) boolOp(start uint32, n Node, k tok) Node {
	b := binaries[k]
	var l list
	p.add(&l, n, RoleOperand)
	for p.accept(k) {
		p.add(&l, p.binary(b.prec+1), RoleOperand)
	}
	n = p.node(BoolOp, start, l)
	p.nodes[n].op = b.op
	return n
}

// compare reads a chain of comparisons: one node.
func (p *Parser) compare(start uint32, n Node) Node {
	var l list
	p.add(&l, n, RoleLeft)
	for binaries[p.kind()].prec == precCompare {
		op := p.comparison()
		right := p.binary(precBitOr)
		if p.failed {
			return 0
		}
		p.nodes[right].flags |= flags(op-Eq) << cmpShift
		p.add(&l, right, RoleRight)
	}
	return p.node(Compare, start, l)
}

// comparison passes an operator of one or two words.
func (p *Parser) comparison() Op {
	op := binaries[p.kind()].op
	p.next()
	switch {
	case op == NotIn:
		p.expect(tIn, "'in'")
	case op == Is && p.accept(tNot):
		op = IsNot
	}
	return op
}

// unaries are the operators before an operand.
var unaries = [toks]Op{tMinus: USub, tPlus: UAdd, tTilde: Invert, tNot: Not}

// unary reads an operand with the operators before it.
func (p *Parser) unary(least uint8) Node {
	op := unaries[p.kind()]
	if op == NoOp {
		return p.power()
	}
	start := p.at()
	var operand Node
	p.enter()
	switch {
	case op != Not:
		p.next()
		operand = p.unary(precTerm + 1)
	case least > precNot:
		p.fail(Syntax, "'not' is no operand here")
	default:
		p.next()
		operand = p.binary(precNot)
	}
	p.leave()
	var l list
	p.add(&l, operand, RoleOperand)
	n := p.node(UnaryOp, start, l)
	p.nodes[n].op = op
	return n
}

// power reads x or x ** y, where y may have signs.
func (p *Parser) power() Node {
	start := p.at()
	var n Node
	if p.is(tAwait) && p.awaits() {
		n = p.await()
	} else {
		n = p.primary()
	}
	return p.powerRest(start, n)
}

// powerRest reads ** y, where it follows.
func (p *Parser) powerRest(start uint32, n Node) Node {
	if !p.is(tPower) {
		return n
	}
	var l list
	p.next()
	p.add(&l, n, RoleLeft)
	p.enter()
	p.add(&l, p.unary(precTerm+1), RoleRight)
	p.leave()
	n = p.node(BinOp, start, l)
	p.nodes[n].op = Pow
	return n
}

// awaits reports whether an operand follows await; else it is a name, as before
// Python 3.7.
func (p *Parser) awaits() bool {
	switch k := p.peek(1); k {
	case tLParen, tLBracket:
		return true
	default:
		return startsOperand[k] && k != tLambda && k != tTilde && k != tYield
	}
}

func (p *Parser) await() Node {
	start := p.at()
	var l list
	p.next()
	p.add(&l, p.primary(), RoleValue)
	return p.node(Await, start, l)
}

// yield reads yield, with what it gives, or yield from.
func (p *Parser) yield() Node {
	start := p.at()
	var l list
	p.next()
	if p.accept(tFrom) {
		p.add(&l, p.expression(), RoleValue)
		return p.node(YieldFrom, start, l)
	}
	if startsExpression[p.kind()] {
		p.add(&l, p.starExpressions(), RoleValue)
	}
	return p.node(Yield, start, l)
}
