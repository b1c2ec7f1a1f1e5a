// Package metric finds metric values in text lines and metric files: formats
// and names are data (formats.tsv, names.tsv), the readers are code.
//
// Most consoles print pairs of a name and a value, so most formats need no
// row: the pair scanner (kv*.go) takes a line apart into counters and values,
// and the lexicon (names*.go, phrase.go) says which of the names are metrics,
// of what kind, and whether prose and settings use the word too. A line is a
// record when it holds a name that only metrics have, or a counter beside one
// that both have. Blocks, tables and drawn boxes (text_block.go, text_table.go,
// text_box.go) are lines that were written as one record. A format row adds
// what the scanner cannot know: an expression for lines without names, whether
// the writer flushes, what a value covers.
//
// A line that repeats with other numbers is read by comparing it with what was
// read before (text_template.go): some hundred nanoseconds, one string.
//
// Not for the structured files of one framework: those have readers of their
// own in the packages below, which use the lexicon through Classify.
package metric
