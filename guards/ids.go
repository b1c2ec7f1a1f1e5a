package guards

// CheckTokenIDs checks the ids of a batch, or of one sample, before they become
// text or index an embedding. It returns a [*Fault] when no sound machine can
// have produced them, a [*Finding] when they read outside the embedding through
// a mistake in the set-up, and nil otherwise. Ids in padding columns of the
// embedding, and a batch that is stuck at one id, are counted and recorded, and
// are no error: a healthy model can give them.
//
// Call it on the ids as they came from the device, before any conversion:
// narrowing can turn a fault into a legal id. A batch of 448 clean ids costs
// about 100 ns, and neither allocates nor locks.
//
// The declared fill is looked for behind the last id of the slice. Where rows
// lie behind one another in it, use [CheckTokenMatrix].
//
//trainvet:guard ids=1
func CheckTokenIDs[T ID](site *Site, ids []T) error {
	return CheckTokenMatrix(site, ids, len(ids))
}

// CheckTokenMatrix checks a batch whose rows of so many columns lie behind one
// another, as a tensor's do. It is [CheckTokenIDs] otherwise.
//
//trainvet:guard ids=1
func CheckTokenMatrix[T ID](site *Site, ids []T, columns int) error {
	if site.refused != nil {
		return site.refused
	}
	site.count.ran(int64(len(ids)))
	clean, held := allBelow(ids, site.vocab.dense), holds(site, ids)
	if clean && !held {
		if len(ids) > 0 {
			site.moved()
		}
		return nil
	}
	var s sheet
	if !clean {
		columns = max(columns, 1)
		for row, sample := ids, int64(0); len(row) > 0; sample++ {
			n := min(columns, len(row))
			gradeRow(site.vocab, row[:n], sample, &s)
			row = row[n:]
		}
	}
	if s.unmapped > 0 {
		weigh(site.vocab, ids, &s)
		s.collapse()
	}
	id := uint64(0)
	if held {
		id = uint64(ids[0])
	} else if s.fill > 0 {
		id, held = holdsBut(site, [][]T{ids})
	}
	return site.settle(&s, int64(len(ids)), held, id)
}

// CheckTokenRows checks a batch of rows of any lengths. It is [CheckTokenIDs]
// otherwise.
//
//trainvet:guard ids=1
func CheckTokenRows[T ID](site *Site, rows [][]T) error {
	if site.refused != nil {
		return site.refused
	}
	n, clean := 0, true
	for _, row := range rows {
		n += len(row)
		clean = clean && allBelow(row, site.vocab.dense)
	}
	site.count.ran(int64(n))
	id, held := holdsRows(site, rows)
	if clean && !held {
		if n > 0 {
			site.moved()
		}
		return nil
	}
	var s sheet
	if !clean {
		for i, row := range rows {
			gradeRow(site.vocab, row, int64(i), &s)
		}
	}
	if s.unmapped > 0 {
		for _, row := range rows {
			weigh(site.vocab, row, &s)
		}
		s.collapse()
	}
	if s.fill > 0 {
		id, held = holdsBut(site, rows)
	}
	return site.settle(&s, int64(n), held, id)
}

// CheckTokenID checks one id, as a decoder gives them one by one. Ids that a
// device delivers together are better checked together: what repeats where it
// should vary shows only in a batch. It is [CheckTokenIDs] otherwise.
//
//trainvet:guard ids=1
func CheckTokenID[T ID](site *Site, id T) error {
	if site.refused != nil {
		return site.refused
	}
	site.count.ran(1)
	u := uint64(id)
	clean, held := u < site.vocab.dense, site.edge(u, width[T]())
	if clean && !held {
		site.moved()
		return nil
	}
	var s sheet
	if !clean {
		gradeRow(site.vocab, []T{id}, None, &s)
		if s.unmapped > 0 {
			s.weighed, s.distinct = 1, 1
			s.events = site.rate.alone(u)
		}
	}
	return site.settle(&s, 1, held, u)
}
