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
func allBelow32[T ID](ids []T, n uint64) bool {
	const top = 0x80000000_80000000
	k := 1<<31 - n
	k |= k << 32
	var w, x, y, z uint64 // four chains, so that no sum waits for another
	for len(ids) >= 16 {
		q := ids[:16]
		a := uint64(uint32(q[0])) | uint64(uint32(q[1]))<<32
		b := uint64(uint32(q[2])) | uint64(uint32(q[3]))<<32
		c := uint64(uint32(q[4])) | uint64(uint32(q[5]))<<32
		d := uint64(uint32(q[6])) | uint64(uint32(q[7]))<<32
		w |= a | (a + k)
		x |= b | (b + k)
		y |= c | (c + k)
		z |= d | (d + k)
		a = uint64(uint32(q[8])) | uint64(uint32(q[9]))<<32
		b = uint64(uint32(q[10])) | uint64(uint32(q[11]))<<32
		c = uint64(uint32(q[12])) | uint64(uint32(q[13]))<<32
		d = uint64(uint32(q[14])) | uint64(uint32(q[15]))<<32
		w |= a | (a + k)
		x |= b | (b + k)
		y |= c | (c + k)
		z |= d | (d + k)
		ids = ids[16:]
	}
	for _, id := range ids {
		a := uint64(uint32(id))
		w |= a | (a + k)
	}
	return (w|x|y|z)&top == 0
}

// allBelow16 works as allBelow32 does, but n may use the top bit: then an id is
// too large where it has the top bit and the sum of the rest with k has it too.
func allBelow16[T ID](ids []T, n uint64) bool {
	const (
		top  = 0x8000_8000_8000_8000
		each = 0x0001_0001_0001_0001
	)
	if n >= 1<<16 {
		return true
	}
	k, either := (1<<15-n)*each, ^uint64(0)
	if n > 1<<15 {
		k, either = (1<<16-n)*each, 0
	}
	var x, y uint64
	for len(ids) >= 8 {
		q := ids[:8]
		a := uint64(uint16(q[0])) | uint64(uint16(q[1]))<<16 | uint64(uint16(q[2]))<<32 | uint64(uint16(q[3]))<<48
		b := uint64(uint16(q[4])) | uint64(uint16(q[5]))<<16 | uint64(uint16(q[6]))<<32 | uint64(uint16(q[7]))<<48
		s, t := a&^top+k, b&^top+k
		x |= a&s | (a|s)&either
		y |= b&t | (b|t)&either
		ids = ids[8:]
	}
	for _, id := range ids {
		if uint64(uint16(id)) >= n {
			return false
		}
	}
	return (x|y)&top == 0
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
