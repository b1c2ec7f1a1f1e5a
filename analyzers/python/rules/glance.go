package rules

import "bytes"

// Glance is a second look at the bytes of a file, before it is parsed for a rule
// whose words stand in too many files. It may say yes too often, never no where
// the rule would find something.
type Glance struct {
	Text  []byte
	found *Found
	set   *Set
	loops onceAnswer // of loopsToJudge, for which several rules ask
}

// Says reports whether a word of the rule's Needs or Facts stands in the text.
func (g *Glance) Says(word string) bool {
	return g.found.has.has(g.set.words.numbers[word])
}

// onceAnswer is what was found out once.
type onceAnswer struct{ known, yes bool }

func (g *Glance) once(a *onceAnswer, ask func(text []byte) bool) bool {
	if !a.known {
		*a = onceAnswer{true, ask(g.Text)}
	}
	return a.yes
}

// around is the line at an offset, with n lines before and behind it.
func around(text []byte, at, n int) []byte {
	start, end := at, at
	for range n + 1 {
		if start = bytes.LastIndexByte(text[:start], '\n'); start < 0 {
			break
		}
	}
	for range n + 1 {
		i := bytes.IndexByte(text[end:], '\n')
		if i < 0 {
			end = len(text)
			break
		}
		end += i + 1
	}
	return text[start+1 : end]
}
