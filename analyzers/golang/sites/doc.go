// Package sites finds the calls of a Go package at which token ids become text
// and at which an optimizer steps.
//
// A call is a site because the catalogue lists its callee, because the callee
// has a decode's name and signature, or because a directive of its author says
// so (//trainvet:decode ids=0, //trainvet:step; on functions and on the methods
// of an interface). The callee is the one that the type checker found: methods
// of embedded types count for the type that declares them, instances of
// generics for their origin. A callee that is passed on as a value is a site
// too, marked as an escape: who calls it later is not followed.
//
// Directives travel to other packages as facts, //trainvet:guard ids=0 with
// them.
package sites
