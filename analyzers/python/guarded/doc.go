// Package guarded computes the state of each site of a Python file.
//
// A decode is guarded when on every path to it the ids passed a guard: a
// function of trainvet, one that a directive or the configuration names, one
// whose body holds each id against a bound and raises, in this file or another
// of the tree, or the same written out before the decode. The same ids: what is
// assigned, appended or narrowed on the way is followed, by the names of the
// function; a check of a part, of another value, behind the decode or within an
// assert (python -O drops it) is none. A filter that drops what is out of range
// is none either: nobody learns of it.
//
// A step is counted when a flag of its overflow is read and reported, or, a
// plain one, when its loss or gradient norm is checked with a raise;
// counted-weak when the scale is compared.
//
// Given up: attributes that other functions change in between, values of
// enclosing functions, and guards that hand the ids on through more than three
// files.
package guarded
