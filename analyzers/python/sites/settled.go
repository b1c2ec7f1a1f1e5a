package sites

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
)

// settling tells of a name that a filter found, by the few bytes around it,
// that no site can be there: most decodes are of bytes and images, most steps
// those of schedulers. It holds to the rules that need no more than the call: a
// rule that asks what a name is bound to settles nothing here.
type settling struct {
	tokenKeyword, latentName, schedulerName, trainerName *catalog.Names
	keywords                                             [][]byte
	grammar                                              grammar
}

// what of a call a needle is the name of.
type what uint8

const (
	anything what = iota
	aDecode
	aStep
	aTrain
	aFunction
	aPromise
)

func newSettling(c *catalog.Py) settling {
	s := settling{
		tokenKeyword: c.List("token-keyword"), latentName: c.List("latent-name"),
		schedulerName: c.List("scheduler-name"), trainerName: c.List("trainer-name"), grammar: newGrammar(c),
	}
	for name := range s.tokenKeyword.Exact() {
		s.keywords = append(s.keywords, []byte(name))
	}
	return s
}

// settled reports whether no site is where a needle was found.
func (s *settling) settled(text []byte, start, end int, w what) bool {
	switch w {
	case aDecode:
		return s.noDecode(text, start, end)
	case aStep:
		name := receiver(text, start)
		return s.schedulerName.Has(name) && (strings.Contains(name, "sched") || !optimizes(name))
	case aFunction:
		return bytes.HasSuffix(text[:start], []byte("def ")) // made here, not called
	case aPromise:
		return !s.promised(text, start, end)
	case aTrain:
		name := receiver(text, start)
		return name != "" && !s.trainerName.Has(name)
	}
	return false
}

// promised reports whether the whole name around a few bytes is one that promises
// text made of numbers, and is not just given to what is made here.
func (s *settling) promised(text []byte, start, end int) bool {
	for start > 0 && isWord(text[start-1]) {
		start--
	}
	for end < len(text) && isWord(text[end]) {
		end++
	}
	return s.grammar.says(strings.ToLower(string(text[start:end]))) && !s.settled(text, start, end, aFunction)
}

// receiver is the name before a dot, in lower case; empty: something else
// stands there.
func receiver(text []byte, dot int) string {
	i := dot
	for i > 0 && isWord(text[i-1]) {
		i--
	}
	if i > 0 && (text[i-1] == '"' || text[i-1] == '\'') {
		return "" // the end of a string
	}
	return strings.ToLower(string(text[i:dot]))
}

// noDecode knows the decode of bytes by what it is given: nothing, or text that
// is spelled out; and that of latents by the name.
func (s *settling) noDecode(text []byte, start, end int) bool {
	i := blanks(text, end)
	switch {
	case i >= len(text):
		return false // handed on, perhaps: a file may end without a line feed
	case text[i] == '.':
		return true // of a path
	case text[i] != '(':
		return false
	}
	if onlyText(text, i+1) {
		return true
	}
	name := receiver(text, start)
	if strings.Contains(name, "tok") || !s.latentName.Has(name) {
		return false
	}
	args, ok := inBrackets(text, i)
	if !ok {
		return false
	}
	for _, k := range s.keywords {
		if bytes.Contains(args, k) {
			return false
		}
	}
	return true
}

func blanks(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}

// onlyText reports whether all arguments up to the closing bracket are plain
// strings, by place or for errors and encoding.
func onlyText(text []byte, i int) bool {
	for {
		i = blanks(text, i)
		if i >= len(text) {
			return false
		}
		if text[i] == ')' {
			return true
		}
		for _, k := range [...]string{"errors=", "encoding="} {
			if bytes.HasPrefix(text[i:], []byte(k)) {
				i += len(k)
			}
		}
		if i >= len(text) || text[i] != '"' && text[i] != '\'' {
			return false
		}
		n := bytes.IndexByte(text[i+1:], text[i])
		if n < 1 || bytes.ContainsAny(text[i+1:i+1+n], "\\\n") {
			return false
		}
		i = blanks(text, i+n+2)
		if i < len(text) && text[i] == ',' {
			i++
		} else if i >= len(text) || text[i] != ')' {
			return false
		}
	}
}

// maxArguments is far more than the arguments of a decode take.
const maxArguments = 1000

// inBrackets is what stands between a bracket and the one that closes it, as
// far as strings do not matter.
func inBrackets(text []byte, open int) ([]byte, bool) {
	depth := 0
	for i := open; i < len(text) && i < open+maxArguments; i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return text[open : i+1], true
			}
		case '"', '\'', '#':
			return nil, false
		}
	}
	return nil, false
}
