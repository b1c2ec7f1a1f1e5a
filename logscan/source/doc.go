// Package source turns paths into readable sources.
//
// [Expand] finds the files that paths name, tells what they are by their
// content, pairs streams, ranks and hosts by their names (pairing.tsv), and
// holds apart the jobs that a folder may hold. It never blocks: what could is
// named in Set.Unread, as is everything that cannot be read.
//
// [Input.Open] gives the decoded bytes of one source: gzip, zstd and xz by
// their magic bytes, UTF-16, the JSON lines of Docker and the journal. A damaged or oversized
// source is handed out up to the damage and then ends in a typed error.
//
// [Lines] cuts decoded text into records, cleans them of terminal control and
// takes their prefixes off, in memory that does not depend on the length of a
// line. A reader that finds records on its own gets the same text from
// [Style.Parse].
//
// What is ambiguous on one line ("12: 0.7" is a rank's label or a counter) is
// decided once for a source, by [Sniff] on its first lines, and then only when
// nearly all of them agree: a prefix left on costs little, a value taken for a
// prefix is lost.
package source
