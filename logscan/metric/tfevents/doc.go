// Package tfevents reads TensorBoard event files as a stream of scalars.
//
// A file is a row of records, each framed by its length and two masked
// CRC-32C sums. Only scalars are held: histograms, images, graphs and texts
// are read over, so a file of any size passes in the memory of one value. A
// record is handed over only after its sum was verified.
//
// A cut tail is normal after a kill and is reported as a [Tail], no error. A
// damaged record is reported as a [Gap]; reading goes on at the next place
// whose frame verifies, and what lies between is lost and said so.
package tfevents
