package guards

// stretchIDs is how many ids of a row are looked through for ones that come
// again. Greedy decoding falls into loops; one through a padding column is one
// event, not hundreds.
const stretchIDs = 512

// stretch64 is a set of hashes of ids, good for a stretch.
type stretch64 [64]uint64

// again adds an id and tells whether it was there. Two ids can share a place:
// one in a dozen of a full stretch, mapped and unmapped ones alike, so that
// their shares stay what they are.
func (s *stretch64) again(u uint64) bool {
	h := u * 0x9e3779b97f4a7c15 >> 52
	bit := uint64(1) << (h & 63)
	was := s[h>>6]&bit != 0
	s[h>>6] |= bit
	return was
}

// weigh counts the ids of a row that do not come again, and the unmapped ones
// among them.
func weigh[T ID](v *Vocab, row []T, sh *sheet) {
	for len(row) > 0 {
		n := min(stretchIDs, len(row))
		var set stretch64
		for _, id := range row[:n] {
			u := uint64(id)
			if u >= v.limit() || v.isPad(u) {
				continue
			}
			sh.weighed++
			if set.again(u) {
				continue
			}
			sh.distinct++
			if !sh.said.again(u) {
				sh.kinds++
			}
			if !v.has(u) {
				sh.events++
				if !sh.known.again(u) {
					sh.columns++
				}
			}
		}
		row = row[n:]
	}
}

// collapse takes a batch whose rows say little but the same as one that fell
// into a loop, as an untrained model does when it decodes greedily: often all
// rows into the same one. Each id is then said once, and each padding
// column is one event.
func (s *sheet) collapse() {
	if s.distinct*4 < s.weighed {
		s.events, s.distinct = s.columns, s.kinds
	}
}
