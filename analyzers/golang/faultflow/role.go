package faultflow

import "go/types"

// Role is what a function does with an error or a panic that it is told.
type Role int

// The roles.
const (
	Unknown Role = iota
	Shows        // it prints, and goes on
	Ends         // it does not return
)

// Role answers for a function by the table of apis.tsv.
func (r *Result) Role(fn *types.Func) Role {
	switch r.apis().of(fn) {
	case roleLog:
		return Shows
	case roleExit:
		return Ends
	}
	return Unknown
}

// Told reports whether an argument of that type makes a call the answer to a
// client.
func (r *Result) Told(t types.Type) bool { return r.apis().told(t) }
