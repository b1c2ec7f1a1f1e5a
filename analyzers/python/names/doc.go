// Package names knows what the names of a Python file are bound to.
//
// A Table is made of one tree and lists, for each scope and name, every
// binding there: imports, assignments, annotations, parameters, targets of
// with, for and walrus, functions, classes, handlers, patterns. It is
// insensitive to flow: a name stands for the union of what its scope binds to
// it, wherever that is, since the question is what a receiver may be, and a
// trainer binds its tokenizer once. Attributes of self are bindings of their
// class, over all of its methods and the bases that the same file defines.
//
// Lookup follows the rules of Python: the innermost scope that binds a name
// decides; classes are invisible to the functions in them; global and nonlocal
// are followed.
//
// Memory is reused from file to file and nothing is allocated for a node. What
// a module star-imports, and attributes of other objects than self, are not
// known.
package names
