// Package rules holds the text of every rule, one file a code, under fixed
// headings. explain, the documentation and the printers read it from here; an
// analyzer knows its code and nothing of the text.
package rules
