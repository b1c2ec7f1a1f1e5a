// Package faultflow follows the error of a guard from where it is raised to
// where it is lost.
//
// Facts say it of each function: MayFault (which of its error results may be,
// or may wrap, a guard's fault), Reaches (whether a decode or step site or a
// guard lies below it), Tells (a predicate that answers whether an error is a
// fault), Faulty (types and variables that stand for a fault). They cross
// packages, so that a caller three modules away is held to the same.
//
// Inside a function every path from such a call is walked on its SSA form,
// with the error held on that path. A path is good when the error leaves the
// function as an error (returned, wrapped with %w, sent, stored where it is
// read) or the program stops. It is a loss when the error is dropped, only
// printed, replaced, or classified by its text. Tests of the type prune paths:
// behind a false errors.Is(err, guards.ErrFault) nothing is left to lose.
//
// What makes a fault is told by directives alone, no name is known here:
// //trainvet:guard on a function, //trainvet:fault on the types and variables
// of its errors. Where a package has guards and no such type, what its guards
// return is taken for it.
//
// Not followed: the error of a step site that is no guard's (TV301 has it), of
// a check that was inferred and carries no directive, function values kept in
// fields and called later, implementations of an interface that live in other
// packages than the interface, errors that travel through a value of type any.
// An error that was stored in a field, a map or an element, or sent on a
// channel, has been handed on; what its reader does with it is not asked. Where
// the walk cannot tell, it says nothing.
package faultflow
