package rules

import (
	"encoding/binary"
	"fmt"
)

// words numbers the words of all rules.
type words struct {
	list    []string
	numbers map[string]int
}

// set enters a group of words.
func (w *words) set(group []string) []int {
	out := make([]int, len(group))
	for i, word := range group {
		out[i] = w.number(word)
	}
	return out
}

// filter finds some of the words in a text, all of them in one pass that skips
// as many bytes as the shortest word allows (Wu and Manber). Letter case counts;
// what stands around a word does not.
type filter struct {
	words   []string
	some    mask    // those that it looks for
	shift   []uint8 // by the hash of three bytes: how far the window may move
	slot    []uint16
	buckets [][]int // words whose window ends with bytes of one hash
	window  int     // length of the shortest word
}

const (
	minWord   = 4
	blockLen  = 3
	blockBits = 13 // the table stays in the fastest cache
)

// number enters a word.
func (w *words) number(word string) int {
	if i, ok := w.numbers[word]; ok {
		return i
	}
	if len(word) < minWord || len(w.list) == maxWords {
		panic(fmt.Sprintf("the word %q of a rule has under %d letters, or is one too many", word, minWord))
	}
	i := len(w.list)
	w.numbers[word] = i
	w.list = append(w.list, word)
	return i
}

func block(v uint32) uint32 { return (v & 0xffffff) * 0x9e3779b1 >> (32 - blockBits) }

func blockAt(s string, end int) uint32 {
	return block(uint32(s[end-3]) | uint32(s[end-2])<<8 | uint32(s[end-1])<<16)
}

// newFilter makes the filter of some of the words.
func newFilter(w *words, some mask) *filter {
	f := &filter{words: w.list, some: some, window: 255}
	for k, word := range f.words {
		if some.has(k) {
			f.window = min(f.window, len(word))
		}
	}
	if f.window == 255 {
		f.words = nil
		return f
	}
	f.shift, f.slot = make([]uint8, 1<<blockBits), make([]uint16, 1<<blockBits)
	for i := range f.shift {
		f.shift[i] = uint8(f.window - blockLen + 1)
	}
	for k, w := range f.words {
		if !some.has(k) {
			continue
		}
		for end := blockLen; end <= f.window; end++ {
			b := blockAt(w, end)
			f.shift[b] = min(f.shift[b], uint8(f.window-end))
			if end == f.window {
				if f.slot[b] == 0 {
					f.buckets = append(f.buckets, nil)
					f.slot[b] = uint16(len(f.buckets))
				}
				f.buckets[f.slot[b]-1] = append(f.buckets[f.slot[b]-1], k)
			}
		}
	}
	return f
}

// look finds the words of a text. What it costs is waiting for the table, so it
// goes through both halves of the text at once.
func (f *filter) look(text []byte) (found mask) {
	if len(f.words) == 0 {
		return found
	}
	half := len(text) / 2
	low, high := f.window, max(f.window, half+1)
	for low <= half && high <= len(text) {
		// The window is longer than three bytes: the one before them is there.
		a := f.shift[block(binary.LittleEndian.Uint32(text[low-blockLen-1:])>>8)]
		b := f.shift[block(binary.LittleEndian.Uint32(text[high-blockLen-1:])>>8)]
		if a == 0 {
			f.at(text, low, &found)
			a = 1
		}
		if b == 0 {
			f.at(text, high, &found)
			b = 1
		}
		low += int(a)
		high += int(b)
	}
	f.rest(text, low, half, &found)
	f.rest(text, high, len(text), &found)
	return found
}

// rest goes through windows that end behind from and not behind to.
func (f *filter) rest(text []byte, end, to int, found *mask) {
	for end <= to {
		s := f.shift[block(binary.LittleEndian.Uint32(text[end-blockLen-1:])>>8)]
		if s == 0 {
			f.at(text, end, found)
			s = 1
		}
		end += int(s)
	}
}

// at looks for words whose window ends at an offset.
func (f *filter) at(text []byte, end int, found *mask) {
	b := block(binary.LittleEndian.Uint32(text[end-blockLen-1:]) >> 8)
	for _, k := range f.buckets[f.slot[b]-1] {
		w := f.words[k]
		if start := end - f.window; !found.has(k) && len(text)-start >= len(w) && string(text[start:start+len(w)]) == w {
			found.add(k)
		}
	}
}
