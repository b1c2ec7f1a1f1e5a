package rules

import (
	"bytes"
	"slices"
)

// transfers are the methods of a tensor that give a new one.
var transfers = []string{".to(", ".cuda()", ".cpu()", ".half()", ".float()", ".double()", ".bfloat16()", ".detach()"}

// maxObjects bounds the names that are looked for; with more the file is parsed.
const maxObjects = 16

// transferStatement reports whether a line may begin with a call of one of the
// transfers on a tensor, a name or an attribute of self: nothing is assigned
// there.
func transferStatement(g *Glance) bool {
	var room [maxObjects][]byte
	names := room[:0]
	for _, m := range transfers {
		if g.Each(m, func(at int) bool {
			name := statementObject(g.Text, at)
			if len(name) == 0 || slices.ContainsFunc(names, func(n []byte) bool { return bytes.Equal(n, name) }) {
				return false
			}
			if len(names) == maxObjects {
				return true
			}
			names = append(names, name)
			return false
		}) {
			return true
		}
	}
	return len(names) > 0 && mayBeTensor(g, names)
}

// statementObject is the name, or attribute of one, that begins a line and ends
// at an offset; nil: something else stands there.
func statementObject(text []byte, at int) []byte {
	start := at
	for start > 0 && isChain(text[start-1]) {
		start--
	}
	line := start
	for line > 0 && (text[line-1] == ' ' || text[line-1] == '\t') {
		line--
	}
	if line != 0 && text[line-1] != '\n' && text[line-1] != ';' && text[line-1] != ':' {
		return nil
	}
	name := text[start:at]
	if bytes.Count(name, []byte(".")) > 1 {
		return nil
	}
	return name
}

// mayBeTensor reports whether a text gives one of the names something of torch,
// or says that it is a tensor.
func mayBeTensor(g *Glance, names [][]byte) bool {
	if g.Says("from torch") && bytes.Contains(g.Text, []byte("from torch import")) {
		return true
	}
	var last [256]bool // bytes that a name ends with: before most signs stands another one
	for _, n := range names {
		last[n[len(n)-1]] = true
	}
	for _, sign := range []byte{'=', ':'} { // fewer than the places of the names
		for at := 0; ; at++ {
			i := bytes.IndexByte(g.Text[at:], sign)
			if i < 0 {
				break
			}
			at += i
			behind := nameEnd(g.Text, at)
			if behind == 0 || !last[g.Text[behind-1]] {
				continue
			}
			if slices.ContainsFunc(names, func(n []byte) bool { return bytes.HasSuffix(g.Text[:behind], n) }) && bindsTensor(g.Text[behind:]) {
				return true
			}
		}
	}
	return false
}

// nameEnd is where what stands before an offset ends, blanks aside.
func nameEnd(text []byte, at int) int {
	for end := at; end > max(0, at-maxGap); end-- {
		if bytes.IndexByte([]byte(" \t\r\n"), text[end-1]) < 0 {
			return end
		}
	}
	return max(0, at-maxGap)
}

// maxGap is how far behind a name what it is given may begin.
const maxGap = 40

// bindsTensor reports whether what stands behind a name gives it something of
// torch, or says that it is a tensor.
func bindsTensor(rest []byte) bool {
	rest = rest[:min(len(rest), maxGap)]
	if k := bytes.IndexByte(rest, '='); k >= 0 && len(bytes.TrimSpace(rest[:k])) == 0 && bytes.Contains(rest[k:], []byte("torch")) {
		return true
	}
	return bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte(":")) && bytes.Contains(rest, []byte("Tensor"))
}

// isChain reports whether a byte can stand in a chain of names.
func isChain(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
