// Package checks finds out, for a point of a function, which values have been
// held against a bound on every path that leads there.
//
// It is a forward analysis over the SSA form. A fact says of a place (a value,
// a variable, a field, the elements of a list) that it is not negative and that
// it lies below a bound. Facts come into being on the edge of a branch that
// compares, or that looks at the answer of a function which checks; of a loop
// over a list, when every way through its body checks the element; and of a
// list that is built here, when only checked values are put into it. They end
// when the place is written again. Where paths meet, what both know is kept.
//
// What a function checks of its parameters is its Summary: made from its body
// in the same way, from the directive of its author, or handed over as a fact
// by the package that declares it.
//
// What it gives up: a list that another name of the same memory changes, and a
// list that a call changes after it was checked, stay checked.
package checks
