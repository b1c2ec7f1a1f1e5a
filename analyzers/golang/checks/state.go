package checks

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"
)

// Bits are what is known of a place, or of each element of a list.
type Bits uint8

// What can be known.
const (
	Lower Bits = 1 << iota // not negative
	Upper                  // below a bound
	Nil                    // of an error: it is nil
	fresh                  // of a list: made here, so what fills it unchecks it

	Both = Lower | Upper
)

// state is what is known at a point. Dead: no path leads there.
type state struct {
	dead  bool
	facts map[*Place]Bits
}

func (s state) clone() state {
	out := state{dead: s.dead, facts: make(map[*Place]Bits, len(s.facts))}
	for p, b := range s.facts {
		out.facts[p] = b
	}
	return out
}

// holds returns what is known of a place: of itself, or of what it is part of.
func (s state) holds(p *Place) Bits {
	if s.dead {
		return Both | Nil
	}
	var b Bits
	for ; p != nil; p = p.parent {
		b |= s.facts[p] &^ fresh
		if p.every != nil {
			b |= s.facts[p.every] &^ fresh
		}
		if len(p.step) > 0 && p.step[0] == '#' {
			break // a result is no part of another
		}
	}
	return b
}

func (s state) isFresh(p *Place) bool { return s.facts[p]&fresh != 0 }

func (s state) set(p *Place, b Bits) {
	if s.dead {
		return
	}
	if b == 0 {
		delete(s.facts, p)
		return
	}
	s.facts[p] = b
}

func (s state) add(p *Place, b Bits) {
	if !s.dead && b != 0 {
		s.facts[p] |= b
	}
}

// forget drops what is known of a place and of its parts.
func (s state) forget(p *Place) {
	for q := range s.facts {
		if q.within(p) {
			delete(s.facts, q)
		}
	}
}

// define drops what is named after a value that is computed anew.
func (s state) define(v ssa.Value) {
	for q := range s.facts {
		if q.mentions(v) {
			delete(s.facts, q)
		}
	}
}

// meet keeps what both know.
func meet(a, b state) state {
	switch {
	case a.dead:
		return b.clone()
	case b.dead:
		return a.clone()
	}
	out := state{facts: map[*Place]Bits{}}
	for p := range a.facts {
		if x := a.facts[p] & b.holds(p) & (Both | Nil); x != 0 {
			out.facts[p] = x | (a.facts[p]|b.facts[p])&fresh
		}
	}
	for p := range b.facts {
		if _, done := a.facts[p]; !done {
			if x := b.facts[p] & a.holds(p) & (Both | Nil); x != 0 {
				out.facts[p] = x | b.facts[p]&fresh
			}
		}
	}
	return out
}

func equal(a, b state) bool {
	if a.dead != b.dead || len(a.facts) != len(b.facts) {
		return false
	}
	for p, x := range a.facts {
		if b.facts[p] != x {
			return false
		}
	}
	return true
}

// known returns the bits of a value: constants are what their author meant.
func (f *Func) known(s state, v ssa.Value) Bits {
	if c, ok := v.(*ssa.Const); ok {
		if c.Value == nil {
			return Both | Nil
		}
		if c.Value.Kind() == constant.Int {
			return Both
		}
	}
	if c, ok := v.(*ssa.Convert); ok && !Narrows(c) {
		return f.known(s, c.X)
	}
	if c, ok := v.(*ssa.MultiConvert); ok && widens(c) {
		return f.known(s, c.X)
	}
	b := s.holds(f.places.of(v))
	if unsigned(v.Type()) {
		b |= Lower
	}
	return b
}
