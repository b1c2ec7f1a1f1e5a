// Package catalog knows the APIs at which a fault can become a plausible
// number: as data, so that a new library is a row and no code.
//
// go.tsv has one row a method, or several methods of one type that behave
// alike. Lists are separated by commas, "-" is nothing.
//
//	package     import path. A library that moved has a row for each path.
//	receiver    type that declares the method, without star and type
//	            parameters, interfaces too; "-": a function
//	names       of the methods or functions
//	kind        decode     ids become text: a site
//	            step       an optimizer or scaler step: a site
//	            implicit   many of them behind one call: a site
//	            scaler     other calls of a loss scaler
//	            backward, zero-grad, clip   what surrounds a step
//	            clip-nan   replaces what is not finite and says nothing
//	            eval       computes a metric
//	            bound      says how large a vocabulary is, see the column bound
//	            source     hands over what a device or a model computed
//	            forward    looks like a site by its name and is none
//	            opaque     the ids never come to Go
//	ids         of a decode: index of the argument that holds the ids
//	does        what a call does on the way: zero-grad, backward, clip, step,
//	            scaler; rules about order go by it, not by the name
//	impossible  of a decode, what becomes of an id outside of the vocabulary:
//	            drops, replaces, empty (no text at all), false (a second
//	            result), error, panics
//	bound       of a decode: the expression that bounds its ids.
//	            Of a bound: whole; loose (never too small); base (without
//	            added tokens); base-unless-true (of its argument); zero
//	fails       how a step says that it did not happen: error (its last
//	            result), panic, none, overflow:N (result N is true when the
//	            step must be skipped), applied:N (result N is true when the
//	            step was applied)
//	sibling     of a decode that hides its error: the method that returns it
//	note        for people
//
// go_names.tsv holds the names by which the signature rule knows a decode that
// is in no catalogue, and those that tell where ids come from.
package catalog
