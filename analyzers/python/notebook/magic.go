package notebook

import (
	"bytes"
	_ "embed"
	"strings"
	"sync"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

//go:embed magics.txt
var magicTable string

// magics are the names of magics by what becomes of them.
var magics = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for line := range strings.Lines(magicTable) {
		kind, names, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if all[kind] == nil {
			all[kind] = map[string]bool{}
		}
		for _, name := range strings.Fields(names) {
			all[kind][name] = true
		}
	}
	return all
})

// maxOpen is how many lines of a cell may leave a bracket or quote open before
// the rest is left as it is: where the next line begins is a guess each time.
const maxOpen = 20

// translate makes Python of what IPython adds. Lines keep their number, and
// Python its columns.
func translate(text []byte) []byte {
	out := make([]byte, 0, len(text))
	at := 0
	for at < len(text) && (isBlank(text[at:lineEnd(text, at)])) {
		at = lineEnd(text, at)
	}
	out = append(out, text[:at]...)
	if rest := text[at:]; bytes.HasPrefix(rest, []byte("%%")) {
		end := lineEnd(text, at)
		out = append(out, "pass\n"...)
		if !magics()["cell"][magicName(rest[2:])] {
			return append(out, blankLines(text[end:])...)
		}
		at = end
	}
	for open := 0; at < len(text); {
		if open == maxOpen {
			return append(out, text[at:]...)
		}
		end := lineEnd(text, at)
		if line := text[at:end]; isBlank(line) || isComment(line) {
			out = append(out, line...)
			at = end
			continue
		}
		if py, ok := special(text[at:end]); ok {
			end = continued(text, at, end)
			out = append(out, py...)
			out = append(out, '\n')
			out = append(out, blankLines(text[lineEnd(text, at):end])...)
		} else {
			var closed bool
			if end, closed = syntax.LineEnd(text, at); !closed {
				open++
			}
			out = append(out, text[at:end]...)
		}
		at = end
	}
	return out
}

// extensions finds what a cell loads into IPython.
func extensions(text []byte, cell int) []Extension {
	var out []Extension
	line := 0
	for l := range bytes.Lines(text) {
		line++
		words := bytes.Fields(l)
		if len(words) == 2 && (string(words[0]) == "%load_ext" || string(words[0]) == "%reload_ext") {
			out = append(out, Extension{string(words[1]), cell, line})
		}
	}
	return out
}

// lineEnd is the offset behind the physical line at an offset. Every line of
// the text ends in a newline.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

func isComment(line []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) }

func blankLines(text []byte) []byte {
	return bytes.Repeat([]byte("\n"), bytes.Count(text, []byte("\n")))
}

// continued is the end of a magic that goes on behind backslashes.
func continued(text []byte, at, end int) int {
	for bytes.HasSuffix(text[at:end], []byte("\\\n")) && end < len(text) {
		at, end = end, lineEnd(text, end)
	}
	return end
}

// special gives the Python that stands for a line that is none; false: the
// line may be Python.
func special(line []byte) (string, bool) {
	body := bytes.TrimRight(line, " \t\n\\")
	trimmed := bytes.TrimLeft(body, " \t")
	indent := string(body[:len(body)-len(trimmed)])
	if len(trimmed) == 0 {
		return "", false
	}
	switch c := trimmed[0]; {
	case c == '!' || c == '?', trimmed[len(trimmed)-1] == '?' && isQuestion(trimmed):
		return indent + "pass", true
	case c == '%':
		return indent + lineMagic(trimmed), true
	}
	if name, ok := assigned(trimmed); ok {
		return indent + name + "= None", true
	}
	word, rest, _ := bytes.Cut(trimmed, []byte(" "))
	rest = bytes.TrimLeft(rest, " ")
	if magics()["bare"][string(word)] && len(rest) > 0 && isArgument(rest) {
		return indent + "pass", true
	}
	return "", false
}

// isArgument reports whether what follows a bare word can be no Python: another
// word that is no operator, an option, a path.
func isArgument(rest []byte) bool {
	first, _, _ := bytes.Cut(rest, []byte(" "))
	switch string(first) {
	case "in", "is", "and", "or", "if", "not", "for", "else":
		return false
	}
	c := rest[0]
	return isWord(c) || c == '~' || c == '/' && len(first) > 1 || c == '.' && len(first) > 1 || c == '-' && len(first) > 1
}

// lineMagic keeps the Python behind a magic that runs it, in its columns.
func lineMagic(line []byte) string {
	name := magicName(line[1:])
	code := len(line)
	if magics()["line"][name] {
		code = 1 + len(name)
		for code < len(line) {
			for code < len(line) && line[code] == ' ' {
				code++
			}
			n := optionLen(line[code:])
			if n == 0 {
				break
			}
			code += n
		}
	}
	const header = "if 1:"
	if code >= len(line) || code < len(header) {
		return "pass"
	}
	return header + strings.Repeat(" ", code-len(header)) + string(line[code:])
}

// optionLen is the length of an option with its number.
func optionLen(s []byte) int {
	if len(s) < 2 || s[0] != '-' || !isWord(s[1]) || s[1] >= '0' && s[1] <= '9' {
		return 0
	}
	n := 2
	for n < len(s) && s[n] != ' ' {
		n++
	}
	if n > 2 {
		return n
	}
	m := n
	for m < len(s) && s[m] == ' ' {
		m++
	}
	for k := m; k < len(s) && s[k] >= '0' && s[k] <= '9'; k++ {
		n = k + 1
	}
	return n
}

// magicName is the word at the beginning.
func magicName(s []byte) string {
	n := 0
	for n < len(s) && isWord(s[n]) {
		n++
	}
	return string(s[:n])
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// isQuestion reports whether a line is a name with ? or ?? behind it.
func isQuestion(line []byte) bool {
	for _, c := range bytes.TrimLeft(bytes.TrimRight(line, "?"), "%") {
		if !isWord(c) && c != '.' && c != '*' && c != '[' && c != ']' && c != '\'' && c != '"' && c != '(' && c != ')' {
			return false
		}
	}
	return true
}

// assigned gives the targets of an assignment whose value is a magic or a
// shell command: files = !ls.
func assigned(line []byte) (string, bool) {
	i := bytes.IndexByte(line, '=')
	if i < 1 || i+1 >= len(line) {
		return "", false
	}
	value := bytes.TrimLeft(line[i+1:], " \t")
	if len(value) < 2 || value[0] != '!' && value[0] != '%' || value[1] == '=' {
		return "", false
	}
	for _, c := range line[:i] {
		if !isWord(c) && !bytes.ContainsRune([]byte(" ,.*()[]"), rune(c)) {
			return "", false
		}
	}
	return string(line[:i]), true
}
