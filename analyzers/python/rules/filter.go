package rules

import (
	"fmt"

	"github.com/trainvet/trainvet/analyzers/python/words"
)

// vocabulary numbers the words of all rules.
type vocabulary struct {
	list    []string
	numbers map[string]int
}

// set enters a group of words.
func (v *vocabulary) set(group []string) []int {
	out := make([]int, len(group))
	for i, word := range group {
		out[i] = v.number(word)
	}
	return out
}

// number enters a word.
func (v *vocabulary) number(word string) int {
	if i, ok := v.numbers[word]; ok {
		return i
	}
	if len(word) < words.MinLen || len(v.list) == maxWords {
		panic(fmt.Sprintf("the word %q of a rule has under %d letters, or is one too many", word, words.MinLen))
	}
	i := len(v.list)
	v.numbers[word] = i
	v.list = append(v.list, word)
	return i
}
