package syntax

// maxIndents is CPython's own limit of nested blocks.
const maxIndents = 100

// LineEnd is the offset behind the logical line that begins at an offset, which
// must not lie within a blank line or a comment. false: its brackets or quotes
// do not close, and the offset is that behind the physical line.
func LineEnd(text []byte, at int) (int, bool) {
	l := lexer{text: text, hasCR: true, at: at, maxTokens: 2 * defaultNodes}
	l.line()
	if l.broken {
		return l.skipLine(at), false
	}
	return l.at, true
}

// nextLine goes to the next logical line and compares its indentation with the
// blocks around: the blocks that it leaves are closed.
func (p *Parser) nextLine() {
	if p.full {
		p.lexer.at = len(p.text)
	}
	p.line()
	p.move(0)
	p.indented = false
	if p.is(tEOF) {
		p.indents = p.indents[:1]
		return
	}
	top := p.indents[len(p.indents)-1]
	if p.col == top.col && p.alt == top.alt {
		return
	}
	p.reindent(top)
}

func (p *Parser) reindent(top indent) {
	if p.col > top.col {
		p.indented = true
		if p.alt <= top.alt {
			p.report(fault{Indentation, "tabs and spaces are mixed in the indentation", uint32(p.first)})
		}
		return
	}
	for p.col < top.col {
		p.indents = p.indents[:len(p.indents)-1]
		top = p.indents[len(p.indents)-1]
	}
	switch {
	case p.col != top.col:
		p.report(fault{Indentation, "the indentation fits no block around", uint32(p.first)})
	case p.alt != top.alt:
		p.report(fault{Indentation, "tabs and spaces are mixed in the indentation", uint32(p.first)})
	}
}

// block reads what stands behind the colon of a header.
func (p *Parser) block(l *list, role Role) {
	if p.failed {
		return
	}
	if !p.is(tNewline) {
		p.simpleLine(l, role)
		return
	}
	p.nextLine()
	if !p.indented {
		p.report(fault{Indentation, "expected an indented block", uint32(p.first)})
		return
	}
	p.indentedBlock(l, role)
}

// indentedBlock reads the statements that stand as deep as the current line.
func (p *Parser) indentedBlock(l *list, role Role) {
	if len(p.indents) >= maxIndents {
		p.skipBlock()
		return
	}
	p.indents = append(p.indents, indent{p.col, p.alt})
	p.indented = false
	level := len(p.indents)
	for len(p.indents) == level && !p.is(tEOF) {
		p.statement(l, role)
	}
}

// skipBlock drops a block that is nested too deeply.
func (p *Parser) skipBlock() {
	start := uint32(p.first)
	top := p.indents[len(p.indents)-1]
	end := start
	for p.col > top.col && !p.is(tEOF) {
		end = uint32(p.toks[len(p.toks)-1].start)
		p.line()
		p.move(0)
	}
	p.drop(fault{Nesting, "too many nested blocks", start}, start, end)
	p.indented = false
	if p.is(tEOF) {
		p.indents = p.indents[:1]
	} else if p.col < top.col {
		p.reindent(top)
	}
}

// simpleLine reads statements parted by semicolons, to the end of the line.
func (p *Parser) simpleLine(l *list, role Role) {
	for {
		start := p.at()
		mark := len(p.nodes)
		n := p.simple()
		if !p.failed && !p.is(tSemicolon) && !p.is(tNewline) {
			p.fail(Syntax, "invalid syntax")
		}
		if p.failed {
			p.nodes = p.nodes[:mark]
			p.add(l, p.recover(start), role)
			return
		}
		p.add(l, n, role)
		if p.accept(tSemicolon) && !p.is(tNewline) {
			continue
		}
		break
	}
	if !p.is(tNewline) { // two semicolons
		p.fail(Syntax, "invalid syntax")
		p.add(l, p.recover(p.at()), role)
		return
	}
	p.nextLine()
}
