// Package unit is a Go package as every rule sees it: which file it is in
// words of the ledger, and the one way by which a rule reports.
//
// The same analyzers run in two ways. Started by go vet -vettool or a linter,
// a rule's findings are diagnostics in plain text. Started by trainvet vet,
// which sets an environment variable for the units that it has the go command
// start, each finding, site and ignore is a diagnostic whose message is JSON
// (see Wire): the go command caches and replays them, and the join with the
// ledger happens once, for the tree. The ledger is therefore no input of a
// unit there, and an edited ledger costs no analysis.
package unit
