package syntax

// common reads the tokens that most of a file consists of, names, keywords and
// punctuation, up to the first other one. It is scan's fast path: what it
// leaves there scan reads alike.
func (l *lexer) common(i int) int {
	s, toks := l.text, l.toks
	for i < len(s) && len(toks) < l.maxTokens {
		c, start := s[i], i
		kind := singles[c]
		switch class[c] & classMask {
		case cBlank:
			i++
			continue
		case cWord:
			if i+step > len(s) {
				l.toks = toks
				return start
			}
			word := eight(s, i)
			other := noName(word)
			if other != 0 {
				n := firstOf(other)
				i += n
				kind = packedKeyword(word&(1<<(8*n)-1), n)
			} else {
				i, kind = skipName(s, i+step), tName
				if i == start+step { // no keyword is longer
					kind = keyword(s[start:i])
				}
			}
			if i < len(s) && endsBadly[s[i]] || kind.opensStatement() && l.depth > 0 {
				l.toks = toks
				return start
			}
		case cSingle:
			if c == '`' {
				l.toks = toks
				return i
			}
			i++
		case cOpen:
			if l.depth == maxBrackets {
				l.toks = toks
				return i
			}
			l.opened[l.depth] = uint32(i)
			l.depth++
			i++
		case cClose:
			if l.depth == 0 || l.depth == l.field || !closes(s[l.opened[l.depth-1]], c) {
				l.toks = toks
				return i
			}
			l.depth--
			i++
		case cDot:
			if i+1 >= len(s) || !asciiName[s[i+1]] || s[i+1] <= '9' {
				l.toks = toks
				return i
			}
			i++
		case cOperator:
			if i+1 >= len(s) || class[s[i+1]]&classMask == cOperator || c == '!' || c == ':' && l.depth == l.field {
				l.toks = toks
				return i
			}
			i++
		default:
			l.toks = toks
			return i
		}
		toks = append(toks, token{uint32(start), uint32(i), kind})
		if i < len(s) && s[i] == ' ' { // behind half of all tokens
			i++
		}
	}
	l.toks = toks
	return i
}
