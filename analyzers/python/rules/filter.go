package rules

import (
	"encoding/binary"
	"fmt"
)

// filter finds words in a text, all of them in one pass that skips as many
// bytes as the shortest word allows (Wu and Manber). Letter case counts; what
// stands around a word does not.
type filter struct {
	words   []string
	numbers map[string]int
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
func (f *filter) number(word string) int {
	if i, ok := f.numbers[word]; ok {
		return i
	}
	if len(word) < minWord || len(f.words) == maxWords {
		panic(fmt.Sprintf("the word %q of a rule has under %d letters, or is one too many", word, minWord))
	}
	if f.numbers == nil {
		f.numbers = map[string]int{}
	}
	i := len(f.words)
	f.numbers[word] = i
	f.words = append(f.words, word)
	return i
}

func block(v uint32) uint32 { return (v & 0xffffff) * 0x9e3779b1 >> (32 - blockBits) }

func blockAt(s string, end int) uint32 {
	return block(uint32(s[end-3]) | uint32(s[end-2])<<8 | uint32(s[end-1])<<16)
}

func (f *filter) build() {
	f.window = 255
	for _, w := range f.words {
		f.window = min(f.window, len(w))
	}
	f.shift, f.slot = make([]uint8, 1<<blockBits), make([]uint16, 1<<blockBits)
	for i := range f.shift {
		f.shift[i] = uint8(f.window - blockLen + 1)
	}
	for k, w := range f.words {
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
