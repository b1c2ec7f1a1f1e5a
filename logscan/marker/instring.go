package marker

import "bytes"

// inString says whether the match stands inside a quoted string of the line:
// then it is data, unless what stands before the opening quote says that the
// string is a report (a log record's message, an error's text).
func (q *quotes) inString(line []byte, m Match) string {
	for _, mark := range []byte{'"', '\'', '`'} {
		open := openQuote(line, m.Start, mark)
		if open < 0 || !closes(line, m.End, mark) {
			continue
		}
		head := bytes.TrimRight(line[:open], `\`)
		if mark != '`' && q.key.Match(head) {
			continue
		}
		return "quoted text"
	}
	return ""
}

// openQuote is the place of the quote that is open at place, or -1. A single
// quote inside a word is an apostrophe.
func openQuote(line []byte, place int, mark byte) int {
	open := -1
	for i := 0; i < place; i++ {
		if line[i] != mark || i > 0 && line[i-1] == '\\' && mark != '`' && open >= 0 {
			continue
		}
		switch {
		case open >= 0:
			if mark != '\'' || !wordAt(line, i+1) {
				open = -1
			}
		case mark != '\'' || !wordAt(line, i-1):
			open = i
		}
	}
	return open
}

// closes reports whether the quote ends behind the place.
func closes(line []byte, place int, mark byte) bool {
	for i := place; i < len(line); i++ {
		if line[i] == mark && line[i-1] != '\\' && (mark != '\'' || !wordAt(line, i+1)) {
			return true
		}
	}
	return false
}

func wordAt(line []byte, i int) bool {
	return i >= 0 && i < len(line) && (isLetter(line[i]) || '0' <= line[i] && line[i] <= '9' || line[i] == '_')
}
