package sites

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
)

// grammar knows how projects name what makes text of numbers: the same few words
// in more orders than a list could hold, as ids2words, map_ids_to_strs,
// labels2strs, decode_sentence. It only says what a name promises; that words are
// looked up is asked of the function.
type grammar struct {
	ids, numbers, texts, filling *catalog.Names
}

func newGrammar(c *catalog.Py) grammar {
	return grammar{ids: c.List("id-word"), numbers: c.List("number-word"), texts: c.List("text-word"), filling: c.List("decode-filling")}
}

const (
	decodePrefix = "decode_"
	between      = "_to_"
	from         = "_from_"
)

// may tells most names apart by their bytes alone.
func (g *grammar) may(name []byte) bool {
	return bytes.IndexByte(name, '2') > 0 || bytes.Contains(name, []byte(between)) || bytes.Contains(name, []byte(from)) || bytes.Contains(name, []byte(decodePrefix))
}

// says reports whether a name, in lower case, promises text made of numbers.
func (g *grammar) says(name string) bool {
	name = strings.Trim(name, "_")
	if rest, ok := strings.CutPrefix(name, decodePrefix); ok {
		return g.decodes(rest)
	}
	return g.turns(name)
}

// turns knows numbers that become text: label_to_string, pred2words,
// text_from_ids.
func (g *grammar) turns(name string) bool {
	if text, numbers, ok := strings.Cut(name, from); ok {
		numbers, _, _ = strings.Cut(numbers, "_")
		return g.texts.Whole(text[strings.LastIndexByte(text, '_')+1:]) && g.ids.Whole(numbers)
	}
	left, right, ok := strings.Cut(name, between)
	if !ok {
		left, right, ok = strings.Cut(name, "2")
	}
	if !ok {
		return false
	}
	left = strings.TrimRight(left, "_")
	left = left[strings.LastIndexByte(left, '_')+1:]
	right, rest, _ := strings.Cut(strings.TrimLeft(right, "_"), "_")
	return g.numbers.Whole(left) && g.texts.Whole(right) && (rest == "" || g.fills(rest))
}

// looks reports whether a name promises the text of ids in so many words that a
// parameter of it can be nothing else: idx2token(rows).
func (g *grammar) looks(name string) bool {
	left, _, ok := strings.Cut(name, "2")
	if !ok {
		left, _, _ = strings.Cut(name, between)
	}
	return g.ids.Whole(left) && g.turns(name)
}

// fills reports whether nothing but filling follows: index_to_string_table_from_file
// makes a table.
func (g *grammar) fills(rest string) bool {
	for part := range strings.SplitSeq(rest, "_") {
		if !g.filling.Whole(part) && !g.texts.Whole(part) {
			return false
		}
	}
	return true
}

// decodes knows what may stand behind decode_: at least one word says what is
// decoded, and none something else.
func (g *grammar) decodes(rest string) bool {
	known := false
	for part := range strings.SplitSeq(rest, "_") {
		switch {
		case g.texts.Whole(part) || g.numbers.Whole(part):
			known = true
		case !g.filling.Whole(part):
			return false
		}
	}
	return known
}

// holds reports whether a table of this name gives text for numbers: id_to_word,
// _idx2char, indices_char, index_word.
func (g *grammar) holds(name string) bool {
	name = strings.Trim(name, "_")
	left, right, ok := strings.Cut(name, "_")
	return ok && g.numbers.Whole(left) && g.texts.Whole(right) || g.turns(name)
}

// needles are the texts of which every such name holds one.
func (g *grammar) needles() []string {
	out := []string{decodePrefix}
	for word := range g.texts.Exact() {
		if !begun(word, g.texts) {
			out = append(out, "2"+word, between+word, "2_"+word)
		}
	}
	for word := range g.ids.Exact() {
		if !begun(word, g.ids) {
			out = append(out, from+word)
		}
	}
	return out
}

// begun reports whether a shorter word of the list begins a word: it is found by
// that one.
func begun(word string, list *catalog.Names) bool {
	for other := range list.Exact() {
		if other != word && strings.HasPrefix(word, other) {
			return true
		}
	}
	return false
}
