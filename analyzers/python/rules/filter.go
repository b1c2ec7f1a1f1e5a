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
func (w *words) set(group []string) (m mask) {
	for _, word := range group {
		m.add(w.number(word))
	}
	return m
}

// filter finds some of the words in a text, all of them in one pass that skips
// as many bytes as the shortest word allows (Wu and Manber). Letter case counts;
// what stands around a word does not.
type filter struct {
	words   []string
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
func newFilter(w *words, some *mask) *filter {
	f := &filter{words: w.list, window: 255}
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

// look finds the words of a text.
func (f *filter) look(text []byte) (found mask) {
	if len(f.words) == 0 {
		return found
	}
	for end := f.window; end <= len(text); {
		// The window is longer than three bytes: the one before them is there.
		b := block(binary.LittleEndian.Uint32(text[end-blockLen-1:]) >> 8)
		if s := f.shift[b]; s != 0 {
			end += int(s)
			continue
		}
		for _, k := range f.buckets[f.slot[b]-1] {
			w := f.words[k]
			if start := end - f.window; !found.has(k) && len(text)-start >= len(w) && string(text[start:start+len(w)]) == w {
				found.add(k)
			}
		}
		end++
	}
	return found
}
