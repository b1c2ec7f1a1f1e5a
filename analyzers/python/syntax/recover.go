package syntax

import (
	"cmp"
	"slices"
)

// report notes an error that costs no lines.
func (p *Parser) report(f fault) Error {
	pos := p.file.Position(int(f.offset))
	e := Error{Code: f.code, Text: f.text, Offset: pos.Offset, Line: pos.Line, Column: pos.Column}
	if len(p.file.Errors) == MaxErrors {
		p.file.MoreErrors++
		return e
	}
	p.file.Errors = append(p.file.Errors, e)
	return e
}

// drop notes an error and the lines from start to end that it costs.
func (p *Parser) drop(f fault, start, end uint32) {
	e := p.report(f)
	if len(p.file.Dropped) == MaxErrors {
		return
	}
	first, last := p.file.Position(int(start)).Line, p.file.Position(int(end)).Line
	p.file.Dropped = append(p.file.Dropped, Dropped{First: first, Last: max(first, last), Reason: e})
}

// recover ends a statement that cannot be read: it becomes an Invalid node, and
// the block below it, if there is one, is read as its body.
func (p *Parser) recover(start uint32) Node {
	p.failed = false
	last := &p.toks[len(p.toks)-1]
	if p.broken {
		if p.fault.code != 0 {
			p.problem = p.fault // what followed it is a consequence
		}
		p.resume()
		last.start = uint32(max(int(start), p.lexer.at-1))
	}
	p.end = last.start
	p.drop(p.problem, start, last.start)
	p.nextLine()
	var body list
	end := p.end
	if p.indented {
		p.indentedBlock(&body, RoleBody)
	}
	p.end = max(end, p.end)
	return p.node(Invalid, start, body)
}

// resume chooses where to go on behind a line whose brackets or quotes do not
// close: at the first physical line below its first one that stands no deeper
// and begins with no closing bracket. Behind the header of a block it may stand
// deeper: it is likelier the block's than the header's. Reading lines again has
// a budget, which bounds the time for any input.
func (p *Parser) resume() {
	header := opensBlock[p.toks[0].kind]
	from := p.skipLine(p.first)
	if from >= p.lexer.at || p.relexed > len(p.text)+1<<20 {
		return
	}
	limit := p.lexer.at
	for i := from; i < limit; i = p.skipLine(i) {
		col, at := measure(p.text, i)
		if col > p.col && !header || at >= limit {
			continue
		}
		switch p.text[at] {
		case ')', ']', '}', '\n', '\r', '#':
			continue
		}
		p.relexed += limit - i
		p.lexer.at = i
		p.forgetNotes(uint32(i))
		return
	}
}

// opensBlock are the keywords that a header begins with.
var opensBlock = [toks]bool{
	tDef: true, tClass: true, tIf: true, tElif: true, tElse: true, tFor: true, tWhile: true,
	tTry: true, tExcept: true, tFinally: true, tWith: true, tAsync: true,
}

// measure gives the indentation of a physical line and where it ends.
func measure(s []byte, i int) (col, at int) {
	for ; i < len(s); i++ {
		switch s[i] {
		case ' ':
			col++
		case '\t':
			col = (col/8 + 1) * 8
		case '\f':
			col = 0
		default:
			return col, i
		}
	}
	return col, i
}

// forgetNotes takes notes back that will be made again.
func (p *Parser) forgetNotes(from uint32) {
	for len(p.notes) > 0 && p.notes[len(p.notes)-1].offset >= from {
		p.notes = p.notes[:len(p.notes)-1]
	}
}

// takeNotes makes errors of the notes and sorts all by place.
func (p *Parser) takeNotes() {
	for _, n := range p.notes {
		p.report(n)
	}
	p.file.MoreErrors += p.moreNotes
	slices.SortStableFunc(p.file.Errors, func(a, b Error) int { return cmp.Compare(a.Offset, b.Offset) })
	p.file.Errors = slices.Compact(p.file.Errors) // lines that were read twice
}

// prune holds MaxDepth: a statement with a node below that becomes Invalid.
// Children stand before their parents in the arena, the Module aside, so one
// pass from the end knows each parent's level.
func (p *Parser) prune() {
	if len(p.nodes) <= MaxDepth {
		return
	}
	if cap(p.levels) < len(p.nodes) {
		p.levels = make([]uint16, cap(p.nodes))
	}
	nodes, levels := p.nodes, p.levels[:len(p.nodes)]
	levels[0], levels[1] = 0, 0
	for n := len(nodes) - 1; n > 1; n-- {
		level := levels[nodes[n].parent] + 1
		levels[n] = level
		if level > MaxDepth {
			n = int(p.cut(Node(n)))
		}
	}
}

// cut makes the statement around a node Invalid, and gives the first of the
// nodes below, which stand in a row before it.
func (p *Parser) cut(n Node) Node {
	at := n
	for !p.nodes[n].kind.IsStatement() {
		if n = p.nodes[n].parent; n == 0 {
			return at // of a clause that was dropped
		}
	}
	r := &p.nodes[n]
	first := n
	for p.nodes[first].first != 0 {
		first = p.nodes[first].first
	}
	r.kind, r.first, r.aux, r.op = Invalid, 0, 0, 0
	p.drop(fault{Nesting, "nested too deeply", r.start}, r.start, r.end)
	return first
}
