// Package directives has directives that say nothing, and is heard of it.
package directives

//trainvet:decode ids=0
func Right(ids []int) string { return "" }

/* want `//trainvet:guard: ids=N is expected` */ //trainvet:guard
func Missing(ids []int) error                    { return nil }

/* want `//trainvet:decode: ids=2 is no argument of Beyond, which has 1` */ //trainvet:decode ids=2
func Beyond(ids []int) string                                               { return "" }

/* want `//trainvet:gaurd: unknown directive` */ //trainvet:gaurd ids=0
func Unknown(ids []int) error                    { return nil }

/* want `//trainvet:step: it stands at no declaration` */ //trainvet:step
var step = func() error                                   { return nil }

func inner() {
	/* want `//trainvet:decode: it stands at no declaration` */ //trainvet:decode ids=0
	text := func(ids []int) string                              { return "" }
	text(nil)
}

// The directive of faults belongs to another analyzer.
//
//trainvet:fault
type Fault struct{}
