// Package compare says whether two arms of runs differ, and what their design
// could have shown at all.
//
// An arm is one or more runs of one recipe. Each metric that both arms have is
// compared by the test that fits what is known of it:
//
//	per-item predictions, one or zero each    McNemar, exact, on the items that flipped
//	per-item predictions, WER, CER, BLEU      paired bootstrap and randomisation over items
//	k of n, one run an arm                    Fisher, exact; Wilson and Newcombe intervals
//	one value a run, several runs an arm      Mann-Whitney, exact; bootstrap over runs
//
// The answer is DIFFERENT, SAME WITHIN d, or CANNOT TELL with what it would
// take. A difference that the design could not have shown is never taken for
// sameness: SAME needs an interval that lies within d.
//
// The package does no I/O but through the readers that it is given, draws its
// random numbers from a fixed seed, and so says the same of the same input. It
// is not a benchmark: times need interleaving, which package bench does.
package compare
