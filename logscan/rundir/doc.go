// Package rundir is the run directory, version 1 (contract C5): what
// `trainvet run` leaves behind, and what of it can be believed.
//
//	manifest.json   what was started, where, on which machine; before the child
//	run.log         the capture: the child's output, byte for byte
//	sidecar.jsonl   what happened around the child, line by line, as it happened
//	records/*.jsonl run records of the guards (package record), one a process
//	trailer.json    every file with its size and SHA-256; written last
//	receipt.json    the verdicts with the digests of their evidence; by an audit
//
// The law: a run is sealed when manifest and trailer are whole, every file is
// as the trailer says and none is there that it does not name. Removing or
// changing any file, line, record or byte of a sealed run leaves a run that is
// not sealed. There is no key in it: the law is about loss and accident, and
// about the hand that deletes a line, not about one that forges all of it.
//
// [Read] is tolerant: what is missing or damaged becomes [Damage], never a
// panic, and what remains is still evidence. [Dir.Evidence] turns a directory
// into what the verdict reads. Only the files named above are understood;
// everything is read by position and bounded.
package rundir
