// Package syntax reads Python source: every grammar from 3.8 to 3.14 at once,
// and as much of Python 2 as old trainers need.
//
// A Parser turns bytes into a File: a Tree, the errors, and which lines they
// cost. The tree has the shape, the names and the positions of CPython's own
// ast module (bytes of UTF-8, ends included), which a differential test holds,
// with these differences: operators and contexts are properties of a node;
// the parameters of a function are its children, one node each, with their
// default below them; the literal parts of an f-string are no nodes; children
// stand in the order of the source, and what one is to its parent is its Role.
//
// Nodes are numbers in one slice without pointers, tokens are read one logical
// line at a time, and a Parser reuses both: some 200 MB/s on one core. No node
// lies deeper than MaxDepth, so that users may recurse.
//
// Damage costs the smallest statement that holds it. A statement that cannot
// be read becomes an Invalid node, with the block below it still read; an
// unclosed bracket ends where a line begins that no bracket can hold. A file is
// valid Python if and only if it has no errors. What CPython checks behind its
// parser (return outside a function, a name that is both global and local, a
// starred expression where none can be unpacked) is not checked here.
//
// Not for formatters: comments and white space are not kept. Identifiers are
// not normalised (NFKC).
package syntax
