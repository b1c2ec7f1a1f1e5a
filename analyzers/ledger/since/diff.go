package since

import (
	"strconv"
	"strings"
)

// hunk is one change: lines that were taken out and those put in their place.
type hunk struct {
	file  string // new name
	start int    // of plus, in the new file
	plus  []string
	minus []string
}

// parse reads a diff without context, as git writes it.
func parse(text string) []hunk {
	var out []hunk
	file, head := "", false
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "diff --git "):
			file, head = "", true
		case head && strings.HasPrefix(line, "+++ "):
			file = name(line[len("+++ "):])
		case strings.HasPrefix(line, "@@ "):
			head = false
			out = append(out, hunk{file: file, start: newStart(line)})
		case head || len(out) == 0:
		case strings.HasPrefix(line, "+"):
			h := &out[len(out)-1]
			h.plus = append(h.plus, squeeze(line[1:]))
		case strings.HasPrefix(line, "-"):
			h := &out[len(out)-1]
			h.minus = append(h.minus, squeeze(line[1:]))
		}
	}
	return out
}

// name reads what stands behind +++: git quotes a name where it is unusual,
// and ends it with a tab where it holds blanks. A file that is gone has none.
func name(text string) string {
	text = strings.TrimSuffix(text, "\t")
	if strings.HasPrefix(text, `"`) {
		if plain, err := strconv.Unquote(text); err == nil { // octal escapes are Go's too
			text = plain
		}
	}
	after, ok := strings.CutPrefix(text, "b/")
	if !ok {
		return ""
	}
	return after
}

// newStart reads the first line of the new side of "@@ -1,2 +3,4 @@".
func newStart(line string) int {
	_, rest, _ := strings.Cut(line, " +")
	n := 0
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}
