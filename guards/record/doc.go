// Package record is the run record, version 1: what guards write while a
// trainer runs, and what the audit believes of it (contracts C1 and C2).
//
// A record file is one JSON object a line. Each line ends in the CRC-32 (IEEE,
// the one that every standard library has) of all bytes before it:
//
//	{"v":1,"type":"step","wall":…,"mono":…,"pid":…,"rank":…,"seq":…,"sink":{…},"data":{…},"crc":"9f3c11ab"}
//
// so a line stays plain JSON, and any writer makes it by encoding an object,
// dropping the last brace and appending `,"crc":"%08x"}` and a line feed. The
// file belongs to one process: sequence numbers start at 1, have no holes and
// close with an end record. A line is appended by one write.
//
// What the reader guarantees: each byte of the file is either part of a record
// that it hands out or named by an [Issue]. Nothing is skipped in silence, and
// no input makes it panic or hold more than one line of [MaxLine] bytes.
// What it cannot know: whether lines are missing behind the last one of a
// process that wrote no end record. The trailer of the run directory knows.
//
// Here are the types, the pure encoder [Append], [Reader], and the live
// [Writer]: one O_APPEND file per process, opened at its first event, one write
// a record. What the writer guarantees: a record whose Write returned nil
// survives any end of the process (not one of the machine: nothing is synced to
// the disk), and one that was lost leaves a hole in the sequence.
package record
