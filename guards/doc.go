// Package guards is what a Go trainer links so that a fault cannot turn into
// a plausible number.
//
// The module needs nothing but the standard library and asks for no newer Go
// than its go.mod says. Its contract with the audit is the run record, in
// package record.
package guards
