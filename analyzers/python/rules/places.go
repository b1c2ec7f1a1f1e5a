package rules

import "bytes"

// Places are where some words stand in a text. The zero Places is ready.
type Places struct {
	list []placed
	more bool // there are more than are kept
}

type placed struct {
	word uint32
	at   uint32
}

// maxPlaces bounds the memory that a hostile file can ask for: of real ones few
// have a thousand.
const maxPlaces = 1 << 15

func (p *Places) add(word, at int) {
	if len(p.list) == maxPlaces {
		p.more = true
		return
	}
	p.list = append(p.list, placed{uint32(word), uint32(at)})
}

// Each asks about each place where a word stands, until one is it. The word is
// one of the rule's Searched, whose places were found with the words.
func (g *Glance) Each(word string, is func(at int) bool) bool {
	k, ok := g.set.words.numbers[word]
	if !ok || !g.set.placed.has(k) {
		panic("the places of the word " + word + " are not kept")
	}
	switch {
	case !g.found.has.has(k):
		return false
	case g.found.places == nil || g.found.places.more:
		return eachOf(g.Text, word, is)
	}
	for _, p := range g.found.places.list {
		if p.word == uint32(k) && is(int(p.at)) {
			return true
		}
	}
	return false
}

// eachOf asks about each place where a word stands, until one is it.
func eachOf(text []byte, word string, is func(at int) bool) bool {
	return eachAt(func(text []byte, from int) int {
		if i := bytes.Index(text[from:], []byte(word)); i >= 0 {
			return from + i
		}
		return -1
	}, text, is)
}

// eachAt asks about each place that a search finds, until one is it.
func eachAt(next func(text []byte, from int) int, text []byte, is func(at int) bool) bool {
	for at := next(text, 0); at >= 0; at = next(text, at+1) {
		if is(at) {
			return true
		}
	}
	return false
}
