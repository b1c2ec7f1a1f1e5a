// Package device decides on which device and in which dtype to compute, and
// says why, from what the machine shows without Python.
//
// What was asked (the intent) and what there is (the capability) are kept
// apart to the end: a run that asked for a GPU and got none must not look like
// one that asked for the CPU.
//
// What a device computes natively is a table, the prior; what was measured on
// this very device, driver and framework is the proof, and wins. A framework's
// own queries are no evidence: they answer whether a dtype can be held.
package device
