// Package faultflow follows a fault from where it is raised to where it is
// lost: a handler that catches it and goes on, a context that suppresses it, a
// finally block that is left by return, break or continue.
//
// A fault comes from a guard, from a site (trainvet run guards it), from a
// backward pass or a generation; directly, or through functions of the tree
// that the try calls, in this file or others. A handler that sees it clears
// itself only when the fault leaves it on every path: by raise, by a test on the
// type of the fault, by the end of the process, or because the exception itself
// is handed to somebody who raises it later. A test of its text clears nothing,
// wherever it is written.
//
// Calls are followed by names, a few functions deep; what is not resolved is
// taken to raise nothing. A fault that is stored in a container and never
// raised is not seen.
package faultflow
