// Package report prints results: one printer per format behind one interface.
//
// The text report is for people. The verdict stands first, then the lines of
// the log that prove it, then what to do; what could not be checked closes
// every report, since a check that did not run is not a check that passed. A
// healthy log prints three lines. Values print as the log wrote them, digit by
// digit. The json report is the result contract itself (C4), whole.
//
// What it guarantees: no control byte, escape sequence or invisible character
// of a log, a path or a metric name reaches the terminal. In text every line
// leaves through one place ([page.emit]), and that place runs package plain; in
// json such characters leave as escapes.
//
// It judges nothing: what it does not find in the [verdict.Result] it does not
// print. What it groups or leaves out for shortness it counts, and the verbose
// form shows it.
package report
