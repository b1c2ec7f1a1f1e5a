// Package ledgergate hands the sites of a package to the ledger: to trainvet
// vet, which joins them once for the tree, or, where nobody reads along, by
// holding them against the ledger itself and reporting what fails.
package ledgergate
