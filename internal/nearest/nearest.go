// Package nearest answers "did you mean": the known word closest to one that a
// person typed. It suggests nothing rather than something far-fetched.
package nearest

import "strings"

// Word returns the candidate that word was most likely meant to be, or "". Ties
// go to the candidate that comes first. Case does not count.
func Word(word string, candidates []string) string {
	if len(word) > maxBytes {
		return ""
	}
	best, bestDistance := "", limit(word)+1
	for _, c := range candidates {
		d := distance(fold(word), fold(c))
		if d < bestDistance {
			best, bestDistance = c, d
		}
	}
	if best != "" {
		return best
	}
	return extended(word, candidates)
}

// limit is how many slips are still one word: a third of its letters.
func limit(word string) int { return max(1, len([]rune(word))/3) }

// extended returns the only candidate that word is the beginning of, from three
// letters on.
func extended(word string, candidates []string) string {
	if len(word) < 3 {
		return ""
	}
	found := ""
	for _, c := range candidates {
		if !strings.HasPrefix(strings.ToLower(c), strings.ToLower(word)) {
			continue
		}
		if found != "" {
			return ""
		}
		found = c
	}
	return found
}

// maxBytes bounds the work per candidate; no name that we know is longer.
const maxBytes = 256

func fold(s string) []rune { return []rune(strings.ToLower(s)) }

// distance counts insertions, deletions, replacements and swaps of neighbours.
func distance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		now := make([]int, len(b)+1)
		now[0] = i + 1
		for j := range b {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			now[j+1] = min(change, last[j+1]+1, now[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
		}
		before, last = last, now
	}
	return last[len(b)]
}
