package syntax

// Parser reads one file after the other into the same memory. The zero Parser
// is ready. It is for one goroutine.
type Parser struct {
	Limits Limits

	lexer
	limits   Limits
	nodes    []record
	file     File
	i        int    // the current token
	cur      tok    // its kind
	end      uint32 // behind the last token of a statement that was read
	indents  []indent
	indented bool // the line stands deeper than its block
	depth    int  // of the recursion
	failed   bool // the statement cannot be read; the current token is its last
	problem  fault
	early    []fault  // of the encoding
	levels   []uint16 // how deep each node lies
	relexed  int      // bytes that were read again after damage
	full     bool     // the limit of nodes is reached
}

// indent of a block: with tabs to 8 and to 1, which must agree.
type indent struct{ col, alt int }

// usualBytes are what nine files in ten have for each node, or more.
const usualBytes = 12

// Parse reads a file of its own, which stays.
func Parse(src []byte) *File {
	var p Parser
	p.nodes = make([]record, 0, min(len(src)/usualBytes+64, defaultNodes))
	f := p.Parse(src)
	p.lexer, p.levels, p.indents, p.early = lexer{}, nil, nil, nil // the file needs none of it
	return f
}

// Parse reads the bytes of a file. The File, its Tree and all that they give
// are valid until the next Parse of this Parser; src must not change until
// then. It never fails: what is wrong stands in File.Errors.
func (p *Parser) Parse(src []byte) *File {
	p.reset()
	p.release(len(src))
	text := p.decode(src)
	p.start(text, 2*p.limits.Nodes)
	p.file.text = text
	if cap(p.nodes) < 2 || cap(p.nodes) > p.limits.Nodes {
		p.nodes = make([]record, 0, min(4096, p.limits.Nodes))
	}
	p.nodes = append(p.nodes[:0], record{}, record{kind: Module})
	for _, f := range p.early {
		p.report(f)
	}
	var body list
	p.nextLine()
	for p.kind() != tEOF {
		p.statement(&body, RoleBody)
	}
	p.nodes[0] = record{}
	p.nodes[1].first, p.nodes[1].end = body.first, uint32(len(text))
	for c := body.first; c != 0; c = p.nodes[c].next {
		p.nodes[c].parent = 1
	}
	p.file.nodes = p.nodes
	p.prune()
	p.takeNotes()
	return &p.file
}

func (p *Parser) reset() {
	p.limits = p.Limits.withDefaults()
	p.file = File{
		Tree:    Tree{lines: p.file.lines[:0]},
		Errors:  p.file.Errors[:0],
		Dropped: p.file.Dropped[:0],
	}
	p.indents = append(p.indents[:0], indent{})
	p.early = p.early[:0]
	p.indented, p.failed, p.full = false, false, false
	p.depth, p.relexed, p.end = 0, 0, 0
}

// Memory that one large file took is given back before the next small one.
const (
	keptNodes = 1 << 17
	smallFile = 1 << 20
)

func (p *Parser) release(size int) {
	if size < smallFile && (cap(p.nodes) > keptNodes || cap(p.toks) > keptNodes) {
		p.nodes, p.toks, p.levels = nil, nil, nil
	}
}

// list is a chain of siblings that grows.
type list struct{ first, last Node }

// add puts a node behind the others; 0 is none.
func (p *Parser) add(l *list, n Node, r Role) {
	if n == 0 {
		return
	}
	p.nodes[n].role = r
	if l.first == 0 {
		l.first, l.last = n, n
		return
	}
	p.nodes[l.last].next = n
	l.last = n
}

// node makes a node that ends with the last token that was read. All its
// children are made before it. At the limit it gives node 0, which no list
// takes.
func (p *Parser) node(k Kind, start uint32, children list) Node {
	if len(p.nodes) == cap(p.nodes) && !p.grow() {
		return 0
	}
	n := len(p.nodes)
	p.nodes = p.nodes[:n+1]
	p.nodes[n] = record{start: start, end: p.end, first: children.first, kind: k}
	for c := children.first; c != 0; c = p.nodes[c].next {
		p.nodes[c].parent = Node(n)
	}
	return Node(n)
}

// grow makes room for more nodes, up to the limit.
func (p *Parser) grow() bool {
	n := len(p.nodes)
	if n >= p.limits.Nodes {
		p.fail(TooLarge, "more nodes than the limit allows")
		p.full = true
		return false
	}
	p.nodes = append(make([]record, 0, min(max(2*n, 4096), p.limits.Nodes)), p.nodes...)
	return true
}

// leaf takes the current token as a node.
func (p *Parser) leaf(k Kind) Node {
	start := p.toks[p.i].start
	p.next()
	return p.node(k, start, list{})
}

func (p *Parser) kind() tok      { return p.cur }
func (p *Parser) at() uint32     { return p.toks[p.i].start }
func (p *Parser) is(k tok) bool  { return p.cur == k }
func (p *Parser) peek(n int) tok { return p.toks[min(p.i+n, len(p.toks)-1)].kind }

// word is the text of the current token.
func (p *Parser) word() string {
	t := &p.toks[p.i]
	return string(p.text[t.start:t.end])
}

// next passes the current token. The last one of a line stays: nextLine passes
// it.
func (p *Parser) next() {
	p.end = p.toks[p.i].end
	if p.i < len(p.toks)-1 {
		p.move(p.i + 1)
	}
}

// move makes another token of the line the current one.
func (p *Parser) move(i int) {
	p.i = i
	p.cur = p.toks[i].kind
}

func (p *Parser) accept(k tok) bool {
	if p.cur != k {
		return false
	}
	p.next()
	return true
}

func (p *Parser) expect(k tok, what string) bool {
	if p.accept(k) {
		return true
	}
	p.fail(Syntax, "expected "+what)
	return false
}

// fail gives the statement up: the first reason counts, and the parser finds
// itself at the end of the line, where every loop ends.
func (p *Parser) fail(code Code, text string) { p.failAt(code, text, p.at()) }

func (p *Parser) failAt(code Code, text string, at uint32) {
	if !p.failed {
		p.failed = true
		p.problem = fault{code, text, at}
		if p.is(tError) && p.fault.code != 0 {
			p.problem = p.fault
		}
	}
	p.move(len(p.toks) - 1)
}

// enter counts a level of the recursion; leave ends it.
func (p *Parser) enter() {
	p.depth++
	if p.depth > MaxDepth {
		p.fail(Nesting, "nested too deeply")
	}
}

func (p *Parser) leave() { p.depth-- }
