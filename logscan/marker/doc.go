// Package marker knows the log lines that are evidence: the catalogue
// (markers.tsv and what the user adds), the exact verifier behind the scanner's
// hits, what is only a quotation, and which lines are one event.
package marker
