// Package tolerant reads JSON as training programs write it, as a stream.
//
// It differs from encoding/json where that matters to an audit: numbers stay
// as printed, so an int64 id survives; bare NaN, Infinity and -Infinity (and
// the nan and inf of other writers) are numbers and flagged; a key that an
// object holds twice is flagged; every token knows its offset and line; depth
// and token size have limits; a cut input yields all tokens before the cut and
// then a typed error. It is not lenient about structure: a trailing comma, a
// missing colon or data behind the value is an error, because a file with
// those was not written whole.
//
// Memory is the read buffer and the longest token that the caller asks to see:
// values that are skipped are never held.
package tolerant
