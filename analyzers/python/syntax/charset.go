package syntax

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// charset is a single-byte encoding that agrees with ASCII.
type charset struct {
	name string
	high [128]rune // 0: no character
}

//go:embed charsets.txt
var charsetTable string

// charsets reads the table when the first file needs it: few ever do.
var charsets = sync.OnceValue(func() map[string]*charset {
	all := map[string]*charset{}
	for line := range strings.Lines(charsetTable) {
		parts := strings.Split(strings.TrimSpace(line), ": ")
		if len(parts) < 2 || strings.HasPrefix(line, "#") {
			continue
		}
		set := &charset{name: parts[0]}
		set.fill(strings.Fields(parts[2]))
		for _, alias := range strings.Fields(parts[1]) {
			all[alias] = set
		}
	}
	return all
})

// fill reads runs: X, X+n, -n.
func (c *charset) fill(runs []string) {
	i := 0
	for _, run := range runs {
		from, count, _ := strings.Cut(run, "+")
		n := 1
		if count != "" {
			n, _ = strconv.Atoi(count)
		}
		if gap, ok := strings.CutPrefix(from, "-"); ok {
			n, _ = strconv.Atoi(gap)
			i += n
			continue
		}
		first, _ := strconv.ParseInt(from, 16, 32)
		for k := range n {
			c.high[i] = rune(int(first) + k)
			i++
		}
	}
}

// emacsSuffix are names that may have one, as in latin-1-unix.
var emacsSuffix = []string{"iso-8859-1-", "latin-1-", "iso-latin-1-"}

// findCharset finds an encoding by any of its names; nil: unknown.
func findCharset(name string) *charset {
	lower := normalName(name)
	for _, s := range emacsSuffix {
		if strings.HasPrefix(lower, s) {
			lower = "latin-1"
		}
	}
	return charsets()[squeeze(lower)]
}

// normalName is how CPython's tokenizer compares names.
func normalName(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "_", "-")
}

// isUTF8 reports whether a name is the one that CPython's tokenizer knows
// itself; those that its codecs know besides are not allowed behind a byte
// order mark.
func isUTF8(name string) bool {
	n := normalName(name)
	return n == "utf-8" || strings.HasPrefix(n, "utf-8-")
}

func isOtherUTF8(name string) bool {
	switch squeeze(normalName(name)) {
	case "utf8", "u8", "utf", "utf8ucs2", "utf8ucs4", "cp65001":
		return true
	}
	return false
}

// squeeze takes punctuation out of a name.
func squeeze(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' {
			return -1
		}
		return r
	}, name)
}
