// Package supervise is `trainvet run`: it starts a trainer, records its output
// in one order, and closes a run directory (package rundir) with how it ended.
//
// The trainer writes its two streams to one file by itself: one open file
// description, opened with O_APPEND. trainvet is not in the way of a single
// byte; it follows the file to show it, to keep what a script may cut off, and to
// see the first fault. That it dies costs the trainer nothing. With a terminal
// of its own (tty) or a pipe in between, which some programs need, it is in the
// way, and says so in the manifest.
//
// What it guarantees: the log is the output, byte for byte; what cannot be
// vouched for is declared in the sidecar, at its place; a run whose directory
// has a trailer is closed, and no process of it writes to the log any more; the
// trainer's exit code is the exit code.
//
// The parts: [Prepare] makes the directory and the manifest, Session.start
// starts the child, Session.watch is the loop in which everything happens that
// happens during a run, Session.close writes the ending and the trailer. A
// detached run has a supervisor of its own and, between it and the child, a
// keeper: either may be killed, and the other still learns how the child ended.
package supervise
