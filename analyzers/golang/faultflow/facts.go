package faultflow

import (
	"fmt"
	"strings"
)

// MayFault is a fact of a function or an interface method: these results may
// be, or may wrap, the fault of a guard.
type MayFault struct {
	Results []int    // indices of its error results, ascending
	Guard   string   // the guard, as people name it: guards.CheckTokenIDs
	Via     []string // the functions between, from the guard outwards; empty: it is the guard
}

// AFact makes it one.
func (*MayFault) AFact() {}

func (f *MayFault) String() string {
	return fmt.Sprintf("mayFault(%s)", strings.Join(append([]string{f.Guard}, f.Via...), " < "))
}

// Reaches is a fact of a function: what lies below it in the call graph.
type Reaches struct {
	Kinds Kinds
	Via   string // the site or guard that was met first
}

// AFact makes it one.
func (*Reaches) AFact() {}

func (f *Reaches) String() string { return fmt.Sprintf("reaches(%s: %s)", f.Kinds, f.Via) }

// Tells is a fact of a predicate: it answers whether its argument is a fault.
type Tells struct{ Param int }

// AFact makes it one.
func (*Tells) AFact() {}

func (f *Tells) String() string { return fmt.Sprintf("tells(%d)", f.Param) }

// Faulty is a fact of a type whose errors are faults, and of a variable that a
// fault is by errors.Is.
type Faulty struct{}

// AFact makes it one.
func (*Faulty) AFact() {}

func (*Faulty) String() string { return "faulty" }

// Kinds is a set of what a function can come to.
type Kinds uint8

// The members of Kinds.
const (
	Decode Kinds = 1 << iota
	Step
	Guard
)

func (k Kinds) String() string {
	var words []string
	for i, word := range []string{"decode", "step", "guard"} {
		if k&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
