// Package marker knows the log lines that are evidence: the catalogue
// (markers.tsv and what the user adds), the exact verifier behind the scanner's
// hits, what is only a quotation, and which lines are one event.
//
// What it knows is data. A new driver line is a row of markers.tsv with a line
// in testdata/positive.tsv; an Xid code is a row of xid.tsv; the words that
// make a line a quotation are quotes.tsv; what a marker means for a number and
// what to do about it is meanings.tsv.
//
// A row names anchors: literals of at least 8 bytes of which one stands in
// every line that the row's pattern matches. Load proves that from the pattern,
// since a row whose anchors are wrong would be missed in silence by the filter.
//
// Three rules keep false alarms away: a pattern must hold on the line (or on
// the line joined with the one or two before it, when the line continues them);
// a match inside source code, documentation, a quoted sample or a zero counter
// is returned as a quotation with its reason; a line of a kernel ring buffer is
// never a quotation.
//
// All log text is untrusted; Match looks at bounded windows of long lines.
package marker
