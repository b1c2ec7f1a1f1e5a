// Package probe finds out whether a machine computes right, and what its
// devices are good for.
//
// Checks run in processes that are started fresh for them, never forked: a
// crash, an abort and a hang are results, each with its line of evidence. The
// checks of a group share a process; when it dies, the rest are run again one
// by one, so that one fault does not hide another. A control that cannot fail
// on a sound probe runs first, and again when something failed: if it fails,
// the probe is broken, and nothing is said of the device.
//
// What a check says of a device is kept in the machine state: two passes in a
// row clear a fault. The programs are Python, embedded here; a machine without
// Python or without torch is looked at as far as Go can.
//
// The package draws no conclusion about a run: that is the audit's, which reads
// the result from the run's manifest.
package probe
