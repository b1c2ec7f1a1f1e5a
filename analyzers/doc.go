// Package analyzers drives the front ends of both languages over a tree and
// holds what they found against the guard ledger: it is trainvet vet as a
// library. All are the Go analyzers for other drivers, such as a linter's.
package analyzers
