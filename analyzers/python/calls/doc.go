// Package calls knows who calls whom, by names.
//
// An Index is of one file: functions and classes are found by what their names
// are bound to there, methods of self over the class and its bases in the file,
// and a function that is handed on as a value (to map, Thread, partial) counts
// as called where it is handed on. What an object is, beyond self, is not known:
// a method of another object has no callee.
package calls
