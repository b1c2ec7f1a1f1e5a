package guards

// An argmax over logits that are all zero, all equal or all NaN names the first
// or the last id, for ever. Each is a legal id, so that no range check sees it;
// that nothing but this id comes is a suspicion, and no proof: a young model
// can say nothing else for a while.

// stuckAfter is how many ids in a row must be the same one, over the calls at a
// site. Healthy greedy decoding repeats a few.
const stuckAfter = 32

// edge tells whether an id is one that broken logits give, and the site may
// not be stuck at. Bits is the width of the ids' type.
func (s *Site) edge(u uint64, bits int) bool {
	v := s.vocab
	switch {
	case u == 0, u == v.size-1, u == v.size, u+1 == v.width:
	case u == fill16 && (bits == 16 || s.narrowed):
	default:
		if !s.varies {
			return false
		}
	}
	return !s.repeats && u < v.limit() && !v.isPad(u) && !s.usual(u)
}

// usual tells whether a token may well be the only one to come, since there is
// no other, or one other: of two classes one is often rare.
func (s *Site) usual(u uint64) bool {
	v := s.vocab
	return v.has(u) && (v.mapped == 1 || v.mapped == 2 && !s.varies)
}

// holds tells whether a batch is nothing but one such id.
func holds[T ID](s *Site, ids []T) bool {
	if len(ids) == 0 || ids[0] != ids[len(ids)-1] {
		return false
	}
	return s.edge(uint64(ids[0]), width[T]()) && allEqual(ids, ids[0])
}

// holdsRows is holds over rows, and says which id it is.
func holdsRows[T ID](s *Site, rows [][]T) (uint64, bool) {
	var id T
	found := false
	for _, row := range rows {
		if len(row) == 0 {
			continue
		}
		if !found {
			id, found = row[0], true
			if !s.edge(uint64(id), width[T]()) {
				return 0, false
			}
		}
		if row[len(row)-1] != id || !allEqual(row, id) {
			return 0, false
		}
	}
	return uint64(id), found
}

// holdsBut is holdsRows over what is no fill and no mask: these stand where no id
// of the model does, and say nothing against a model that is stuck.
func holdsBut[T ID](s *Site, rows [][]T) (uint64, bool) {
	var id T
	found := false
	for _, row := range rows {
		for _, v := range row {
			switch {
			case marks(s.vocab, v):
			case !found:
				id, found = v, true
				if !s.edge(uint64(id), width[T]()) {
					return 0, false
				}
			case v != id:
				return 0, false
			}
		}
	}
	return uint64(id), found
}

// moved ends a row of the same ids. Almost always there was none, and reading
// is cheaper than writing.
func (s *Site) moved() {
	if s.stuck.Load() != 0 {
		s.stuck.Store(0)
	}
}

// stay counts n more ids that are all the one given, and returns how many came
// in a row. Which id it is stands in the upper half of the counter, so that one
// that differs begins anew.
func (s *Site) stay(id uint64, n int64) int64 {
	const half = 32
	for {
		old := s.stuck.Load()
		row := n
		if old>>half == int64(id)+1 {
			row += old & (1<<half - 1)
		}
		row = min(row, 1<<half-1)
		if s.stuck.CompareAndSwap(old, (int64(id)+1)<<half|row) {
			return row
		}
	}
}
