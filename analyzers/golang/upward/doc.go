// Package upward follows an error from the call that gives it towards the top
// of the run, within a package: what each function does with it, and whether it
// goes any further. It is how a reader of the ledger learns who sees the fault
// of a guard, and how a step whose error a caller loses is found.
//
// Errors that are sent on a channel or kept in a field are taken to arrive.
package upward
