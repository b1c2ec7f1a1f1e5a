// Package child finds the child processes that a package starts with os/exec:
// what is known of their command lines, where their output goes, who waits for
// them. The rules about trainers as children read from it.
//
// A command is followed as long as it stays in a local variable of one
// declared function, its literals included. One that is returned, stored in a
// field or passed on is marked as escaping: somebody else may set its output
// or wait for it, and the rules say nothing of that.
//
// Which command lines start a trainer is data: trainers.tsv.
package child
