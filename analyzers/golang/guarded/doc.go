// Package guarded computes the state of each site of a Go package.
//
// A decode is guarded when on every path to it the ids, each of them, passed a
// guard: a function that a directive or its body makes one (it holds each id
// against a bound and returns an error or panics), or the same written out. A
// step is counted when its error and its flag are used and reach somebody.
package guarded
