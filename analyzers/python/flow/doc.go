// Package flow makes the control flow graph of a Python function.
//
// A vertex is what is evaluated at once: a simple statement, the header of a
// compound one, a handler, a case. Edges say why they are taken: a condition
// that holds or not, an exception. Whatever can raise has an edge to where an
// exception goes, taken before the statement has its effect. A finally block
// has a copy for each way that leads through it (the end of the body, an
// exception, return, break, continue), so that no path comes in one way and
// leaves another; a node may therefore have several vertices.
//
// Graphs are made for the functions that are looked at, not for all: memory is
// reused, but a graph costs more than parsing its function. Generators and
// coroutines are taken to run to their end.
package flow
