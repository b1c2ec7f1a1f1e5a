// Package fixes makes the changes that findings suggest: bytes of files are
// replaced, the result is parsed and, where the file was formatted, formatted
// again, and the file appears under its name whole or not at all.
//
// It changes nothing that it cannot answer for: a file that was changed after
// the analysis began, that a program wrote, that lies outside of the tree, or
// that would not parse any more, is left as it is, and it is said why. Of two
// fixes that touch the same text only the first is made; another run makes the
// other.
package fixes
