// Package arch holds the architecture of the repository as tests: which part
// may import which, that every package says what it is, that files stay short.
// It has no code of its own.
package arch
