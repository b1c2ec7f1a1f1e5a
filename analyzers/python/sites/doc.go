// Package sites finds the calls of a Python file at which token ids become
// text (decode), at which an optimizer or a loss scaler steps (step), and those
// that hide either in a framework (implicit).
//
// Python says no types, so a call is judged by what can be seen: the name of
// the method, its keywords, what the receiver is bound to, what it is called,
// and what is handed to it; the first rule that knows decides. The names are
// data of the catalogue. Text that comes out of latents, bytes, audio features
// or pieces that are text already is no site: no id can be checked there.
//
// A call that no rule knows is a Doubt, never a site: it is reported as a note,
// since a list that claims what it guessed is worth as little as one with
// holes.
package sites
