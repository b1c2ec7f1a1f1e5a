package scan

import "encoding/binary"

// literal is a text to find, ready for exact comparison eight bytes at a time.
type literal struct {
	low   []byte // ASCII letters in lower case
	last  word   // the last eight bytes: literals tend to share beginnings
	words []word // those before, from the first on
	ids   []int32
}

// word is eight bytes of a literal. Text t matches when t and low differ in no
// bit outside caseless, which holds the case bit of each letter: exact, since a
// letter and its other case differ in that bit alone.
type word struct{ low, caseless uint64 }

func (w *word) matches(b []byte) bool {
	return (binary.LittleEndian.Uint64(b)^w.low)&^w.caseless == 0
}

// distinct folds the literals and joins those that are equal in any case.
func distinct(literals []string) []literal {
	var out []literal
	index := map[string]int{}
	for id, s := range literals {
		low := lower(s)
		at, seen := index[string(low)]
		if !seen {
			at = len(out)
			index[string(low)] = at
			out = append(out, newLiteral(low))
		}
		out[at].ids = append(out[at].ids, int32(id))
	}
	return out
}

func newLiteral(low []byte) literal {
	last := len(low) - 8
	l := literal{low: low, last: newWord(low[last:])}
	for at := 0; at < last; at += 8 {
		l.words = append(l.words, newWord(low[at:]))
	}
	return l
}

// matches reports whether b starts with the literal, whose last eight bytes
// have been found to be there.
func (l *literal) matches(b []byte) bool {
	for i := range l.words {
		if !l.words[i].matches(b[8*i:]) {
			return false
		}
	}
	return true
}

func newWord(low []byte) word {
	w := word{low: binary.LittleEndian.Uint64(low)}
	for i, c := range low[:8] {
		if 'a' <= c && c <= 'z' {
			w.caseless |= 0x20 << (8 * i)
		}
	}
	return w
}

// lower folds ASCII letters only: other bytes of a log have no case.
func lower(s string) []byte {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return b
}
