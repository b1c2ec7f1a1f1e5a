// Package plain is the only way by which bytes of a log, a file name or any
// other untrusted text reach a terminal, a report or a CI system.
//
// What it guarantees: the result of [Line] is one line of printable characters.
// It holds no control byte, no escape sequence, no character that is invisible
// or turns the writing direction, no stack of combining marks, and nothing that
// a CI system would take for a command. What was escaped stays visible (\x1b),
// so that nobody is deceived by what a log tries to do.
//
// What it is not for: HTML and JSON have escapers of their own (html/template,
// encoding/json); they come after Line and not instead of it.
//
// It works by an allow list, so that a character that Unicode adds tomorrow is
// escaped until this package knows better.
package plain
