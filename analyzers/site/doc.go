// Package site has the words that both languages' analyzers, the ledger and
// the report share (contracts C6 and C9): what a site is, how it is named, in
// which state it stands, what a rule and a finding are. It is a leaf: it
// imports nothing of the repository.
package site
