package faultflow

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// path is how far one walk has come, and what it knows there.
type path struct {
	block *ssa.BasicBlock
	from  *ssa.BasicBlock // nil at the start

	held  map[ssa.Value]bool            // values and variables that hold the fault as an error
	flat  map[ssa.Value]ssa.Instruction // errors made of its text alone, and where
	solid map[ssa.Value]bool            // other errors that are known not to be nil

	handler *ssa.If         // the test of the error against nil that led here
	text    ssa.Instruction // the test of its text that led here
	looped  bool            // the loop around the source has gone on
}

func newPath(block *ssa.BasicBlock, held ...ssa.Value) *path {
	p := &path{block: block, held: map[ssa.Value]bool{}, flat: map[ssa.Value]ssa.Instruction{}, solid: map[ssa.Value]bool{}}
	for _, v := range held {
		p.held[v] = true
	}
	return p
}

func (p *path) clone() *path {
	q := *p
	q.held, q.flat, q.solid = maps.Clone(p.held), maps.Clone(p.flat), maps.Clone(p.solid)
	return &q
}

// to is the path one edge on. Phis take the value of the edge, all at once.
func (p *path) to(next *ssa.BasicBlock) *path {
	q := p.clone()
	q.block, q.from = next, p.block
	edge := slices.Index(next.Preds, p.block)
	for _, instr := range next.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		q.forget(phi)
		if edge >= 0 {
			q.take(phi, phi.Edges[edge], p)
		}
	}
	return q
}

// take gives v what the path p knows of the value x.
func (q *path) take(v, x ssa.Value, p *path) {
	if p.held[x] {
		q.held[v] = true
	}
	if at := p.flat[x]; at != nil {
		q.flat[v] = at
	}
	if p.solid[x] {
		q.solid[v] = true
	}
}

func (p *path) forget(v ssa.Value) {
	delete(p.held, v)
	delete(p.flat, v)
	delete(p.solid, v)
}

// dropSource forgets what an earlier turn of the loop had from the call.
func (p *path) dropSource(call ssa.Value) {
	p.forget(call)
	if refs := call.Referrers(); refs != nil {
		for _, ref := range *refs {
			if ex, ok := ref.(*ssa.Extract); ok {
				p.forget(ex)
			}
		}
	}
}

// keepsOther reports whether the path has seen that a variable of the function
// around the literal holds an error already: a deferred close that gives way.
func (p *path) keepsOther() bool {
	for v := range p.solid {
		if load, ok := v.(*ssa.UnOp); ok {
			if _, free := load.X.(*ssa.FreeVar); free {
				return true
			}
		}
	}
	return false
}

func (p *path) holdsAny(list []ssa.Value) bool {
	return slices.ContainsFunc(list, func(v ssa.Value) bool { return p.held[v] })
}

func (p *path) flatOf(list []ssa.Value) ssa.Instruction {
	for _, v := range list {
		if at := p.flat[v]; at != nil {
			return at
		}
	}
	return nil
}

// key names what matters of a path, so that no place is walked twice with the
// same knowledge.
func (p *path) key() string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(p.block.Index))
	if p.from != nil && len(p.block.Preds) > 1 {
		b.WriteString("<" + strconv.Itoa(p.from.Index))
	}
	for _, set := range []map[ssa.Value]bool{p.held, p.solid} {
		b.WriteByte('|')
		for _, name := range names(maps.Keys(set)) {
			b.WriteString(name + ",")
		}
	}
	b.WriteByte('|')
	for _, name := range names(maps.Keys(p.flat)) {
		b.WriteString(name + ",")
	}
	if p.text != nil {
		b.WriteString("|text")
	}
	if p.looped {
		b.WriteString("|loop")
	}
	return b.String()
}

func names(values func(func(ssa.Value) bool)) []string {
	var out []string
	for v := range values {
		out = append(out, v.Name())
	}
	slices.Sort(out)
	return out
}
