package scan

import "encoding/binary"

// literal is a text to find, ready for exact comparison eight bytes at a time.
type literal struct {
	low   []byte // ASCII letters in lower case
	words []word // the last eight bytes first: literals tend to share beginnings
	ids   []int32
}

// word is eight bytes of a literal. Text t matches when t and low differ in no
// bit outside caseless, which holds the case bit of each letter: exact, since a
// letter and its other case differ in that bit alone.
type word struct {
	at       int
	low      uint64
	caseless uint64
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
			out = append(out, literal{low: low, words: words(low)})
		}
		out[at].ids = append(out[at].ids, int32(id))
	}
	return out
}

// matches reports whether b starts with the literal; b is long enough.
func (l *literal) matches(b []byte) bool {
	for i := range l.words {
		w := &l.words[i]
		if (binary.LittleEndian.Uint64(b[w.at:])^w.low)&^w.caseless != 0 {
			return false
		}
	}
	return true
}

func words(low []byte) []word {
	last := len(low) - 8
	out := []word{wordAt(low, last)}
	for at := 0; at < last; at += 8 {
		out = append(out, wordAt(low, at))
	}
	return out
}

func wordAt(low []byte, at int) word {
	w := word{at: at, low: binary.LittleEndian.Uint64(low[at:])}
	for i, c := range low[at : at+8] {
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
