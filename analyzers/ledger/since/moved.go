package since

// minBlock is how many lines that say more than a bracket make a block: fewer
// are found again by chance.
const minBlock = 3

// maxTries bounds where the start of a block is looked for, so that a diff of
// equal lines costs no more than another.
const maxTries = 100

// removed is what a diff took out, where a block that turns up elsewhere can
// be looked for.
type removed struct {
	lines []string         // all of them; hunks are apart by a line that nothing equals
	used  []bool           // each line moves once
	at    map[string][]int // where a line stands
}

const apart = "\x00"

func newRemoved(hunks []hunk) *removed {
	r := &removed{at: map[string][]int{}}
	for _, h := range hunks {
		for _, line := range h.minus {
			r.at[line] = append(r.at[line], len(r.lines))
			r.lines = append(r.lines, line)
		}
		r.lines = append(r.lines, apart)
	}
	r.used = make([]bool, len(r.lines))
	return r
}

// find marks the lines of an added stretch that stood somewhere else before.
func (r *removed) find(plus []string) []bool {
	moved := make([]bool, len(plus))
	for i := 0; i < len(plus); {
		from, n := r.longest(plus[i:])
		if n == 0 {
			i++
			continue
		}
		for k := range n {
			moved[i+k], r.used[from+k] = true, true
		}
		i += n
	}
	return moved
}

// longest finds the longest block that the added lines begin with; n is 0
// where none is long enough.
func (r *removed) longest(plus []string) (from, n int) {
	if plus[0] == "" {
		return 0, 0
	}
	tries := 0
	for _, start := range r.at[plus[0]] {
		if r.used[start] {
			continue
		}
		if tries++; tries > maxTries {
			break
		}
		length := 0
		for length < len(plus) && start+length < len(r.lines) && !r.used[start+length] && r.lines[start+length] == plus[length] {
			length++
		}
		if length > n && solid(plus[:length]) >= minBlock {
			from, n = start, length
		}
	}
	return from, n
}

// solid counts the lines that say more than a bracket.
func solid(lines []string) (n int) {
	for _, l := range lines {
		if len(l) > 2 {
			n++
		}
	}
	return n
}
