package marker

import (
	"regexp/syntax"
	"strings"
	"unicode"
)

// maxExact bounds the strings that are multiplied out while proving anchors,
// maxForks the alternations in a row whose branches are followed one by one.
const (
	maxExact = 256
	maxForks = 6
)

// anchored reports whether every text that the pattern matches holds one of
// the anchors (lower case). It may say no where a cleverer proof exists, never
// yes where there is none. Predicates in code are taken at their word: a test
// holds them to it.
func anchored(pattern string, anchors []string) bool {
	kind, body, _ := strings.Cut(pattern, ":")
	switch kind {
	case "s":
		return holdsAnchor(strings.ToLower(body), anchors)
	case "re":
		re, err := syntax.Parse(body, syntax.Perl)
		return err == nil && covered(re, anchors)
	}
	return true
}

func holdsAnchor(s string, anchors []string) bool {
	for _, a := range anchors {
		if strings.Contains(s, a) {
			return true
		}
	}
	return false
}

// covered reports whether every match of re holds an anchor.
func covered(re *syntax.Regexp, anchors []string) bool {
	switch re.Op {
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			if !covered(s, anchors) {
				return false
			}
		}
		return true
	case syntax.OpPlus:
		return covered(re.Sub[0], anchors)
	case syntax.OpRepeat:
		return re.Min > 0 && covered(re.Sub[0], anchors)
	case syntax.OpCapture, syntax.OpConcat:
		return concatCovered([]string{""}, re.Sub, anchors)
	}
	return allHold(exact(re), anchors)
}

// concatCovered multiplies out neighbouring parts that match a few strings
// only (run holds those so far), and looks for the anchors in those, in any one
// part, and in each branch of an alternation together with what stands beside.
func concatCovered(run []string, parts []*syntax.Regexp, anchors []string) bool {
	parts = flat(nil, parts)
	for i, p := range parts {
		if covered(p, anchors) {
			return true
		}
		own := exact(p)
		next := cross(run, own)
		if next == nil {
			if allHold(run, anchors) {
				return true
			}
			if b := branches(p); b != nil && forks(parts[i:]) <= maxForks {
				return branchesCovered(run, b, parts[i+1:], anchors)
			}
			if next = own; next == nil {
				next = []string{""}
			}
		}
		run = next
	}
	return allHold(run, anchors)
}

// flat opens groups and concatenations, so that their parts stand side by side.
func flat(to, parts []*syntax.Regexp) []*syntax.Regexp {
	for _, p := range parts {
		if p.Op == syntax.OpCapture || p.Op == syntax.OpConcat {
			to = flat(to, p.Sub)
		} else {
			to = append(to, p)
		}
	}
	return to
}

func branches(re *syntax.Regexp) []*syntax.Regexp {
	if re.Op == syntax.OpAlternate {
		return re.Sub
	}
	return nil
}

func forks(parts []*syntax.Regexp) int {
	n := 0
	for _, p := range parts {
		if p.Op == syntax.OpAlternate {
			n++
		}
	}
	return n
}

func branchesCovered(run []string, branches, rest []*syntax.Regexp, anchors []string) bool {
	for _, b := range branches {
		if !concatCovered(run, append([]*syntax.Regexp{b}, rest...), anchors) {
			return false
		}
	}
	return true
}

func allHold(texts, anchors []string) bool {
	for _, s := range texts {
		if !holdsAnchor(s, anchors) {
			return false
		}
	}
	return len(texts) > 0
}

// exact is the finite set of strings (lower case) that re matches, or nil.
func exact(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCharClass:
		return classStrings(re.Rune)
	case syntax.OpCapture:
		return exact(re.Sub[0])
	case syntax.OpQuest:
		if s := exact(re.Sub[0]); s != nil {
			return append([]string{""}, s...)
		}
	case syntax.OpConcat:
		run := []string{""}
		for _, p := range re.Sub {
			if run = cross(run, exact(p)); run == nil {
				return nil
			}
		}
		return run
	case syntax.OpAlternate:
		var out []string
		for _, p := range re.Sub {
			s := exact(p)
			if s == nil || len(out)+len(s) > maxExact {
				return nil
			}
			out = append(out, s...)
		}
		return out
	}
	return nil
}

// classStrings lists a character class of at most 16 characters.
func classStrings(ranges []rune) []string {
	var out []string
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if len(out) == 16 {
				return nil
			}
			out = append(out, string(unicode.ToLower(r)))
		}
	}
	return out
}

func cross(a, b []string) []string {
	if b == nil || len(a)*len(b) > maxExact {
		return nil
	}
	out := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}
