// Package machine keeps what is known of this machine and its devices between
// runs (contract C8): taints that a fault left, and probe results.
//
// The state directory holds one JSON file for the machine and one a device,
// each written by rename under a lock, so that runs which end at the same time
// lose nothing. Files are keyed by the device's uuid, never by its index.
//
// A file that cannot be read is not an empty one: its device counts as tainted
// by something unknown until a probe passes twice, and the report says so.
//
// Only the commands read this state. The audit reads the snapshot that a run's
// manifest carries, so that the same bytes give the same verdict everywhere.
package machine
