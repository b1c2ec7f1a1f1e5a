// Package counted computes the state of each step site of a Go package: a step
// is counted when its error, and its flag where it has one, are used and reach
// somebody: a caller, a log, a counter, the run record, or the end of the
// process.
package counted
