package scan

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
)

// naive is the oracle: every literal at every position, by the letter.
func naive(b []byte, literals []string) []Hit {
	low := foldNaive(b)
	var hits []Hit
	for id, s := range literals {
		want := foldNaive([]byte(s))
		for i := 0; ; i++ {
			next := bytes.Index(low[i:], want)
			if next < 0 {
				break
			}
			i += next
			hits = append(hits, Hit{i, id})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		if a.Pos != b.Pos {
			return a.Pos - b.Pos
		}
		return a.Literal - b.Literal
	})
	return hits
}

func foldNaive(b []byte) []byte {
	out := bytes.Clone(b)
	for i, c := range out {
		if at := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZ", c); at >= 0 {
			out[i] = "abcdefghijklmnopqrstuvwxyz"[at]
		}
	}
	return out
}

func findAll(f *Filter, b []byte) []Hit {
	var hits []Hit
	f.Find(b, func(pos, literal int) { hits = append(hits, Hit{pos, literal}) })
	return hits
}

// randomCase flips the case of letters, and of nothing else.
func randomCase(r *rand.Rand, s string) []byte {
	b := []byte(s)
	for i, c := range b {
		if ('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') && r.IntN(2) == 0 {
			b[i] = c ^ 0x20
		}
	}
	return b
}

// plant writes literals, some cut short or with one bit changed, into b.
func plant(r *rand.Rand, b []byte, literals []string, n int) {
	for range n {
		p := randomCase(r, literals[r.IntN(len(literals))])
		switch r.IntN(6) {
		case 0:
			p = p[:len(p)-1]
		case 1:
			p[r.IntN(len(p))] ^= 1 << r.IntN(8)
		}
		if len(p) > len(b) {
			continue
		}
		at := r.IntN(len(b) - len(p) + 1)
		switch r.IntN(8) {
		case 0:
			at = 0
		case 1:
			at = len(b) - len(p)
		}
		copy(b[at:], p)
	}
}

func noise(r *rand.Rand, n int, alphabet string) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return b
}
