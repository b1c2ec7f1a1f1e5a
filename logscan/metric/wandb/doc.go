// Package wandb reads the offline run file of Weights & Biases (run-ID.wandb)
// as a stream of history records, console output and the last summary.
//
// The file is a log of 32 KiB blocks; a record is one or several chunks, each
// with a CRC-32 over its type and data. A damaged chunk loses the rest of its
// block, as the format means it, and is reported as a [Gap]; a cut tail, which
// every killed run has, as a [Tail]. Records above 4 MiB, which are none of
// metrics, are read over.
package wandb
