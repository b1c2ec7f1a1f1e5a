// Package follow reads a file while it grows, and says so whenever it cannot
// vouch that it read all of it.
//
// A [Follower] gives stretches of bytes in the order of the file, and between
// them [Gap]s: the file was rotated, replaced, cut, cut and written anew beyond
// the place that was read, or the notifications were lost. What was given before
// a gap stays given; nothing is dropped and nothing is skipped in silence. A
// file that is only appended to has no gap.
//
// That a file was cut is seen by the splice guard: before each read, and again
// behind it, the last bytes that were read are read again. "Smaller than before"
// alone misses a file that was cut and grew again between two looks.
//
// A file that was renamed is read until no process holds it for writing; what a
// late writer still appends comes as bytes of its older generation. Siblings
// (name.1, name-20260810) that appeared meanwhile are read too.
//
// The folder is watched where that works; on network file systems, which tell
// nothing of what other hosts write, and where watches have run out, the file is
// looked at in intervals, and [Follower.Polling] says why.
//
// It is not a line reader: stretches end anywhere.
package follow
