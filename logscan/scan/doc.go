// Package scan finds many literals, in any ASCII case, in one pass over a log.
// It is the hot loop of the audit and knows no marker and no metric.
//
// What it guarantees: every occurrence of every literal is reported, at its
// exact byte offset, in order of position, overlapping ones too; the sample
// handed to [New] changes the speed, never the result. Memory does not depend on
// the length of a source or of a line.
//
// What it is not for: patterns. A caller that needs more than a literal looks
// at the record around the hit, which stands in [Chunk.Data].
//
// Why it is shaped so. An occurrence of a literal of 8 bytes or more that
// starts anywhere holds a whole 5-byte gram at a position that is a multiple of
// four. So only every fourth position is hashed, into a table that marks the
// grams to look at; of each literal one gram per starting residue is marked,
// the one that a sample of the log shows least often. Folding is one AND, the
// hash one multiplication, eight positions share one branch, and no step waits
// for the one before: pure Go reaches several GB/s with hundreds of literals.
// What the table lets through is compared exactly.
//
// Measured and not taken: grams of 4 bytes, two of one load (no faster, and
// more lines stop the scan); a stride of 5 or 6 (a third fewer look-ups, 0.13 s
// per GiB without a stop, but literals of 8 bytes then have no choice of grams:
// half of the groups stop, 0.6 s); grams that join the digits by fewer bits of
// each byte (numbers then stay in the level-1 cache, but words stop the scan);
// one entry for a gram that overhangs its literal instead of one for each value of
// the byte outside (three look-ups at each stop: a log with many stops cost more
// in two runs); larger tables (2^19
// bytes: a third to a half fewer stops than 2^18, but beside the reads it leaves the
// cache: no faster, and each start is dearer) and smaller ones (2^17: half as many
// stops more, 0.01 to 0.04 s per GiB; 2^16: 0.06 s); a table of bits in the level-1
// cache (half as many instructions more: 0.27 s); several workers on one source
// (two threads of one core are no faster than one: the CPU time grows by half);
// writing down where the scan would stop, without a branch, and looking there in
// loops of their own (each group costs more, each stop hardly less: 5 % slower); a
// tag of seven bits in the table for a bit of eight (fewer chance meetings, each
// dearer: no faster, and slower where many grams are common); comparing the last
// word of a literal before a stop leaves the loop, and choosing grams by the bits
// of the table that the sample met, not by its bytes (no faster, both); choosing
// the grams of each literal again when those of all others are known (2 % fewer
// marks), or with a stop at two or five times its price (no fewer stops); two grams
// beside one another where each alone is common, of which the loop adds up halves
// and stops at a whole (on megatron a third of the stops are left, for 2 to 3 % of
// the time: a stop that comes on every line is foretold and cheap, the dear ones are
// those by chance);
// a price of its own for a gram that shares the byte of a common one and not its bit,
// in the choice of grams (of megatron's literals a few then are chosen otherwise: no
// faster on megatron, hf and tqdm);
// reading by mmap, in windows whose pages are asked for in one call (a source
// that shrinks would kill the process, and the copy that it saves comes back as
// waiting for memory: 4 %); eight hashes at once by AVX2 in assembly (half of the
// instructions, the same time: the look-ups are what takes it, and a gather, which
// is faster here, is slow on the processors of 2015 to 2021); reads of 32, 64 and
// 256 KiB and a single thread (no difference above the noise).
//
// What the literals cost is seen by how many groups stop. Without a stop the loop
// takes 0.125 s per GiB; a stop takes 20 to 40 ns. Of a log of metrics 3 to 4 % of the
// groups stop, 1 to 2 % leave the loop. A new literal of 8 bytes can cost a third of a scan if all its grams of
// one residue are common: five blanks, or "d sam" in "consumed samples". Where it can
// be made longer by what must follow, the filter has a choice again: "] train=" alone
// stopped every seventh group of the logs of 10,000 ranks, on "INFO train". On megatron
// a tenth of the groups leave the loop: a fourth of that for the counters of iterations
// that are not zero and end the line, whose only gram at one residue is the words
// before them or ":   2", which "batch size:   256" holds as well; a tenth each for
// words of "skipped iterations" and "consumed samples", of which "skipped sample" is made.
package scan
