package syntax

func (p *Parser) importNames() Node {
	start := p.at()
	var l list
	p.next()
	for {
		at := p.at()
		p.dottedName()
		p.add(&l, p.alias(at), RoleName)
		if !p.accept(tComma) {
			break
		}
	}
	return p.node(Import, start, l)
}

// alias ends an Alias whose name has been read.
func (p *Parser) alias(start uint32) Node {
	name := uint32(0)
	if p.accept(tAs) {
		name = p.bindName()
	}
	n := p.node(Alias, start, list{})
	p.nodes[n].aux = name
	return n
}

func (p *Parser) dottedName() {
	p.name("a name")
	for p.accept(tDot) {
		p.name("a name")
	}
}

func (p *Parser) importFrom() Node {
	start := p.at()
	var l list
	p.next()
	level := p.dots()
	if level == 0 || !p.is(tImport) {
		at := p.at()
		p.dottedName()
		p.add(&l, p.node(Ident, at, list{}), RoleModule)
	}
	p.expect(tImport, "'import'")
	switch {
	case p.is(tStar):
		p.add(&l, p.leaf(Alias), RoleName)
	case p.accept(tLParen):
		p.importedNames(&l, true)
		p.expect(tRParen, "')'")
	default:
		p.importedNames(&l, false)
	}
	n := p.node(ImportFrom, start, l)
	p.nodes[n].aux = level
	return n
}

// dots counts the dots before the module.
func (p *Parser) dots() (n uint32) {
	for {
		switch p.kind() {
		case tDot:
			n++
		case tEllipsis:
			n += 3
		default:
			return n
		}
		p.next()
	}
}

func (p *Parser) importedNames(l *list, parens bool) {
	for {
		at := p.at()
		p.name("a name")
		p.add(l, p.alias(at), RoleName)
		if !p.accept(tComma) || parens && p.is(tRParen) {
			return
		}
	}
}
