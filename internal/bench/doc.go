// Package bench measures what an audit costs beside what it cannot do without:
// reading the bytes (cat) and looking for the same literals (ripgrep).
//
// It writes logs of the shapes that trainers print, by seed, with the truth of
// each beside it: an audit that is fast and misses a fault has measured nothing.
// Every candidate runs as a process of its own, its CPU time and peak memory are
// those that the kernel counted. Candidates take turns within a round, and what
// is compared is the median of the ratios inside the rounds: a machine that others
// use as well slows all of a round alike.
//
// The bars are in bars.go. The command that runs all this is logbench; nothing of
// it is part of trainvet.
package bench
