package guards

// What a token id can be, from fine to worst. The codes of effects.tsv say what
// each means for a metric.
const (
	gradeMapped     = iota // a token stands behind it
	gradeFill              // a declared fill or mask, where it may stand
	gradeUnmapped          // a padding column, or a hole of the vocabulary
	gradeReverse           // a token, but the model has no column for it
	gradeImpossible        // no model of this width produces it
	gradeSignature         // memory that no kernel wrote
)

// Bit patterns of memory that no kernel wrote, as reports of real faults show.
const (
	fill16 = 0x0101
	fill32 = 0x01010101
	fill64 = 0x0101010101010101
)

// repeats is how often in a row one out-of-range value makes a signature: a
// kernel that computes wrongly gives different values, one that did not run
// leaves the same ones.
const repeats = 4

// sheet is what one check saw in its ids.
type sheet struct {
	fill     int64 // ids that are a declared fill or mask
	unmapped int64 // ids that lie in padding columns
	events   int64 // the same, an id that comes again in its stretch counted once
	weighed  int64 // ids of a batch with unmapped ones, without padding
	distinct int64 // of these, the ones that do not come again
	kinds    int64 // ids that differ, over all rows
	columns  int64 // the unmapped ones among them
	said     stretch64
	known    stretch64
	bad      int64 // ids that are a fault or a reverse gap
	last     int64 // an unmapped id
	worst    offence
}

// offence is the first id of the worst grade.
type offence struct {
	grade  int
	sample int64
	place  int64
	value  string
	text   string
}

// chunk is how many ids are skipped at once while a bad one is looked for.
const chunk = 64

// gradeRow grades the ids of one row. It is off the hot path: at least one id
// of the batch is none of the densely mapped ones.
func gradeRow[T ID](v *Vocab, row []T, sample int64, s *sheet) {
	end := len(row)
	if v.fill.set {
		for end > 0 && row[end-1] == T(v.fill.id) {
			end--
		}
		s.fill += int64(len(row) - end)
	}
	for i := 0; i < end; {
		if n := min(chunk, end-i); allBelow(row[i:i+n], v.dense) {
			i += n
			continue
		}
		for stop := min(i+chunk, end); i < stop; {
			if v.clean(uint64(row[i])) {
				i++
			} else {
				i += gradeRun(v, row[:end], i, sample, s)
			}
		}
	}
}

// gradeRun grades the id at i and, where it is an offence, those behind it that
// are the same. It returns how many it judged.
func gradeRun[T ID](v *Vocab, row []T, i int, sample int64, s *sheet) int {
	id := row[i]
	g := v.grade(uint64(id), width[T]())
	if v.mask.set && id == T(v.mask.id) {
		g = gradeFill
	}
	if g == gradeMapped {
		return 1
	}
	n := 1
	for i+n < len(row) && row[i+n] == id {
		n++
	}
	count := int64(n)
	switch g {
	case gradeFill:
		s.fill += count
	case gradeUnmapped:
		s.unmapped += count
		s.last = int64(id)
	default:
		if g == gradeImpossible && n >= repeats && !isCustomFill(id) {
			g = gradeSignature
		}
		s.bad += count
		if g > s.worst.grade { // the first of the worst grade speaks for the batch
			s.worst = offence{g, sample, int64(i), decimal(id), explain(v, id, n)}
		}
	}
	return n
}

// grade says what an id is, by its value alone. Bits is the width of its type.
func (v *Vocab) grade(u uint64, bits int) int {
	switch {
	case v.has(u):
		if v.reverse() && u >= v.width {
			return gradeReverse
		}
		return gradeMapped
	case u < v.limit():
		return gradeUnmapped
	case isSignature(u, bits, v.limit()):
		return gradeSignature
	}
	return gradeImpossible
}

// isSignature knows the patterns of values that are out of range.
func isSignature(u uint64, bits int, limit uint64) bool {
	switch bits {
	case 16:
		return u == fill16
	case 32:
		return u == fill32
	}
	return u == fill32 || u == fill64 || u == 1<<63 || (u>>32 != 0 && uint64(uint32(u)) < limit)
}

// width is the number of bits of an id type. The compiler knows it for each
// type, so that the branches on it cost nothing.
func width[T ID]() int {
	bit16, bit32 := uint64(1)<<16, uint64(1)<<32
	switch {
	case T(bit16) == 0:
		return 16
	case T(bit32) == 0:
		return 32
	}
	return 64
}
