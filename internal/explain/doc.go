// Package explain finds what a code of a report means: a reason, a marker, an
// NVIDIA Xid, a configuration key, a verdict. The texts stand where the things
// themselves are declared; this package only knows where to look.
//
// A further catalogue (analyzer rules, probe checks) joins as one more [Shelf].
package explain
