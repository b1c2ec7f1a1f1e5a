package metric

import "strings"

// maxPhrase is how many words a metric's name may have in running text.
const maxPhrase = 5

// quotedKey stands for the separator behind a key in quotes: all of it is the name.
const quotedKey = '"'

// resolve finds the metric name at the end of a phrase of running text: what
// stands before a value, since the last separator. sep is the byte between
// phrase and value: ':', '=' or ' '.
//
// The longest end of the phrase that is a row of the lexicon wins; else the
// words behind the last word of prose. With nothing but a space between, a
// name must be known: "took 3 s" is none.
func (l *lexicon) resolve(phrase string, sep byte) nameInfo {
	if sep == quotedKey {
		if info := l.classify(phrase); info.standing >= weak {
			return info
		}
		sep = ':'
	}
	words := strings.Fields(withoutUnit(phrase))
	verb := false
	for len(words) > 0 && l.link[lower(words[len(words)-1])] {
		w := lower(words[len(words)-1])
		verb = verb || w == "is" || w == "was"
		words = words[:len(words)-1]
	}
	info := l.resolveWords(words, sep)
	if verb && sep == ' ' && info.standing == strong {
		info.standing, info.common = weak, true // "loss is 0.3" is a record beside a counter or on a line of its own
	}
	return info
}

func (l *lexicon) resolveWords(words []string, sep byte) nameInfo {
	if n := len(words); n > 1 && strings.Contains(words[n-1], "/") && l.holdsSplit(words[n-1]) && l.splitOf(words[:n-1], "") != "" {
		words = words[n-1:] // Composer: "Train loss/train/total"
	}
	named := len(l.behindProse(words))
	for n := min(len(words), maxPhrase); n >= 1; n-- {
		tail := words[len(words)-n:]
		info := nameInfo{}
		norm := Normalise(strings.Join(tail, " "))
		rest := l.strip(&info, splitWords(norm))
		if len(rest) == 0 || !l.exact(&nameInfo{}, norm, rest) {
			continue
		}
		if _, ok := l.names[norm]; !ok {
			if _, ok = l.names[strings.Join(rest, "_")]; !ok {
				break // a sequence: the words before it belong to the name
			}
		}
		if n == 1 && named > 1 && l.names[norm].counter == noCounter {
			break // "Elapsed time" is not "time"
		}
		info = l.classify(strings.Join(tail, " "))
		info.split = l.splitOf(words[:len(words)-n], info.split)
		return info
	}
	tail := l.behindProse(words)
	if info, ok := l.onSplit(words); ok {
		return info
	}
	if len(tail) == 0 {
		return nameInfo{standing: rejected, split: l.splitOf(words, "")}
	}
	info := l.classify(strings.Join(tail, " "))
	if len(tail) > 1 && info.standing == unknown && sep == '=' {
		info = l.classify(tail[len(tail)-1])
	}
	if len(tail) > 1 && info.standing == strong {
		// words before the metric's own that say nothing the lexicon knows stay part of the name: "Loss x", "Total loss"
		if sep == ' ' && l.speaks(tail[len(tail)-1]) {
			info.standing, info.common, info.alone = weak, true, true
		}
		return info
	}
	if sep == ' ' && info.standing < weak && info.standing != label {
		info.standing = rejected
	}
	return info
}

// speaks: a word in small letters that no metric's name holds: behind a metric's
// own word and before a number it may be a verb ("accuracy tops 0.9").
func (l *lexicon) speaks(w string) bool {
	if len(w) < 3 {
		return false
	}
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	_, known := l.word(w)
	_, stat := l.stats[w]
	return !known && !stat && l.splits[w] == ""
}

// behindProse is the words behind the last word of prose.
func (l *lexicon) behindProse(words []string) []string {
	start := max(0, len(words)-maxPhrase)
	for i := len(words) - 1; i >= start; i-- {
		if l.stop[lower(strings.Trim(words[i], "'\"`"))] {
			start = i + 1
			break
		}
	}
	return words[start:]
}

// splitOf is the split that the words before a name say, unless the name has its own.
func (l *lexicon) splitOf(words []string, own Split) Split {
	if own != "" {
		return own
	}
	for i := len(words) - 1; i >= 0; i-- {
		if s, ok := l.splits[Normalise(strings.Trim(words[i], "'\"()[]"))]; ok {
			return s
		}
	}
	return ""
}

func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}

// onSplit reads "ROC AUC on the test set": the metric stands before the split.
func (l *lexicon) onSplit(words []string) (nameInfo, bool) {
	for i := len(words) - 1; i > 0; i-- {
		if w := lower(words[i]); w != "on" && w != "for" {
			continue
		}
		split := l.splitOf(words[i+1:], "")
		if split == "" {
			return nameInfo{}, false
		}
		info := l.classify(strings.Join(l.behindProse(words[:i]), " "))
		if info.standing < weak || !isQuality(info.kind) {
			return nameInfo{}, false
		}
		if info.split == "" {
			info = l.classify(split + "_" + info.name)
		}
		return info, true
	}
	return nameInfo{}, false
}

// holdsSplit: one of the words that the name is made of is a split.
func (l *lexicon) holdsSplit(name string) bool {
	for _, w := range splitWords(Normalise(name)) {
		if l.splits[w] != "" {
			return true
		}
	}
	return false
}
