package guards

// allBelow tells whether every id is at least 0 and below n. It is the hot path
// of the guards. The compiler merges the loads of neighbours into one word, so
// that 32-bit ids are judged two and 16-bit ids four at a time, without unsafe
// or assembly; 64-bit ids by unrolled comparisons, which are as fast.
func allBelow[T ID](ids []T, n uint64) bool {
	switch w := width[T](); {
	case w == 16:
		return allBelow16(ids, n)
	case w == 32 && n <= 1<<31:
		return allBelow32(ids, n)
	}
	return allBelow64(ids, n)
}

// allBelow32 wants n of 2^31 at most. In each half of a word the sum with k has
// the top bit where an id below 2^31 is n or more; an id of 2^31 or more, which
// a negative one is, has it itself. Only such an id can carry into its
// neighbour, and then the answer is known.
//
// Of each 32 ids 20 are judged so and 12 compared: sums and comparisons keep
// different parts of a processor busy, and the mixture is a fifth faster than
// either alone.
func allBelow32[T ID](ids []T, n uint64) bool {
	const top = 0x80000000_80000000
	m, k := uint32(n), 1<<31-n
	k |= k << 32
	var x, y uint64 // two chains, so that no sum waits for another
	for len(ids) >= 32 {
		q := ids[:32]
		a := uint64(uint32(q[0])) | uint64(uint32(q[1]))<<32
		b := uint64(uint32(q[2])) | uint64(uint32(q[3]))<<32
		if uint32(q[4]) >= m || uint32(q[5]) >= m {
			return false
		}
		x |= a | (a + k)
		y |= b | (b + k)
		a = uint64(uint32(q[6])) | uint64(uint32(q[7]))<<32
		b = uint64(uint32(q[8])) | uint64(uint32(q[9]))<<32
		if uint32(q[10]) >= m || uint32(q[11]) >= m {
			return false
		}
		x |= a | (a + k)
		y |= b | (b + k)
		a = uint64(uint32(q[12])) | uint64(uint32(q[13]))<<32
		b = uint64(uint32(q[14])) | uint64(uint32(q[15]))<<32
		if uint32(q[16]) >= m || uint32(q[17]) >= m {
			return false
		}
		x |= a | (a + k)
		y |= b | (b + k)
		a = uint64(uint32(q[18])) | uint64(uint32(q[19]))<<32
		b = uint64(uint32(q[20])) | uint64(uint32(q[21]))<<32
		if uint32(q[22]) >= m || uint32(q[23]) >= m {
			return false
		}
		x |= a | (a + k)
		y |= b | (b + k)
		a = uint64(uint32(q[24])) | uint64(uint32(q[25]))<<32
		b = uint64(uint32(q[26])) | uint64(uint32(q[27]))<<32
		if uint32(q[28]) >= m || uint32(q[29]) >= m || uint32(q[30]) >= m || uint32(q[31]) >= m {
			return false
		}
		x |= a | (a + k)
		y |= b | (b + k)
		ids = ids[32:]
	}
	for _, id := range ids {
		if uint32(id) >= m {
			return false
		}
	}
	return (x|y)&top == 0
}

// allBelow16 judges four ids at a time as allBelow32 does two. Where n uses the
// top bit, an id is too large when it has that bit and the sum of the rest with
// k has it, too.
func allBelow16[T ID](ids []T, n uint64) bool {
	const (
		top  = 0x8000_8000_8000_8000
		each = 0x0001_0001_0001_0001
	)
	if n >= 1<<16 {
		return true
	}
	var x, y uint64
	for k := (1<<15 - n) * each; n <= 1<<15 && len(ids) >= 8; ids = ids[8:] {
		a, b := eight16(ids)
		x |= a | (a&^top + k)
		y |= b | (b&^top + k)
	}
	for k := (1<<16 - n) * each; len(ids) >= 8; ids = ids[8:] {
		a, b := eight16(ids)
		x |= a & (a&^top + k)
		y |= b & (b&^top + k)
	}
	for _, id := range ids {
		if uint64(uint16(id)) >= n {
			return false
		}
	}
	return (x|y)&top == 0
}

// eight16 packs eight ids of 16 bits into two words.
func eight16[T ID](ids []T) (a, b uint64) {
	q := ids[:8]
	a = uint64(uint16(q[0])) | uint64(uint16(q[1]))<<16 | uint64(uint16(q[2]))<<32 | uint64(uint16(q[3]))<<48
	b = uint64(uint16(q[4])) | uint64(uint16(q[5]))<<16 | uint64(uint16(q[6]))<<32 | uint64(uint16(q[7]))<<48
	return a, b
}

// allBelow64 takes every type: a negative id is a huge one as uint64.
func allBelow64[T ID](ids []T, n uint64) bool {
	for len(ids) >= 8 {
		q := ids[:8]
		if uint64(q[0]) >= n || uint64(q[1]) >= n || uint64(q[2]) >= n || uint64(q[3]) >= n ||
			uint64(q[4]) >= n || uint64(q[5]) >= n || uint64(q[6]) >= n || uint64(q[7]) >= n {
			return false
		}
		ids = ids[8:]
	}
	for _, id := range ids {
		if uint64(id) >= n {
			return false
		}
	}
	return true
}

// allEqual tells whether every id is the given one.
func allEqual[T ID](ids []T, id T) bool {
	for _, v := range ids {
		if v != id {
			return false
		}
	}
	return true
}
