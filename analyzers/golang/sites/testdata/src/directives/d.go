// Package directives has words of its authors, right and wrong.
package directives

//trainvet:decode ids=1 the second argument, since the first is a style
func Right(style string, ids []int) string { return "" } // want Right:`trainvet decode ids=1`

//trainvet:guard ids=0
func Guard(ids []int) error { return nil } // want Guard:`trainvet guard ids=0`

// Step has two words.
//
//trainvet:step
//trainvet:guard ids=0
func Step(ids []int) bool { return true } // want Step:`trainvet guard ids=0, step`

type Iface interface {
	//trainvet:decode ids=0
	Method(ids []int) string // want Method:`trainvet decode ids=0`
}

//trainvet:guard
func Missing(ids []int) error                    { return nil }

//trainvet:decode ids=2
func Beyond(ids []int) string                                               { return "" }

//trainvet:gaurd ids=0
func Unknown(ids []int) error                    { return nil }

//trainvet:ignore TV101 not a directive of a declaration
func Other() {}
