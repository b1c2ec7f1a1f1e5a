package syntax

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

const bom = "\xef\xbb\xbf"

// substitute stands for what cannot be decoded. No token holds it, and in a
// string or a comment it does no harm.
const substitute = 0x1a

func bomLen(text []byte) int {
	if bytes.HasPrefix(text, []byte(bom)) {
		return len(bom)
	}
	return 0
}

// decode gives the text of a file in UTF-8: as a rule the bytes themselves.
// What is wrong with them is in p.notes.
func (p *Parser) decode(src []byte) []byte {
	p.file.Encoding = "utf-8"
	if len(src) > p.limits.Bytes {
		p.encodingFault(TooLarge, fmt.Sprintf("%d bytes, the limit is %d", len(src), p.limits.Bytes), 0)
		return nil
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		p.encodingFault(Encoding, "source code cannot contain null bytes", i)
	}
	name, at := cookie(src)
	switch {
	case name == "" || isUTF8(name):
		return p.checkUTF8(src)
	case bomLen(src) > 0:
		p.encodingFault(Encoding, "the coding cookie and the byte order mark contradict each other", at)
		return p.checkUTF8(src)
	}
	set := findCharset(name)
	if set == nil {
		if !isOtherUTF8(name) {
			p.encodingFault(Encoding, fmt.Sprintf("unknown encoding %.40q", name), at)
		}
		return p.checkUTF8(src)
	}
	p.file.Encoding = set.name
	return p.transcode(src, set)
}

func (p *Parser) encodingFault(code Code, text string, at int) {
	p.early = append(p.early, fault{code, text, uint32(at)})
}

// checkUTF8 reports the first byte that is no UTF-8 and replaces all of them,
// each by one byte, so that offsets stay.
func (p *Parser) checkUTF8(src []byte) []byte {
	if utf8.Valid(src) {
		return src
	}
	out := append([]byte{}, src...)
	first := -1
	for i := 0; i < len(out); {
		r, n := utf8.DecodeRune(out[i:])
		if r == utf8.RuneError && n == 1 {
			if first < 0 {
				first = i
			}
			out[i] = substitute
		}
		i += n
	}
	p.encodingFault(Encoding, fmt.Sprintf("byte 0x%02x is no utf-8", src[first]), first)
	return out
}

// transcode makes UTF-8 of a single-byte encoding.
func (p *Parser) transcode(src []byte, set *charset) []byte {
	if isASCII(src) {
		return src
	}
	p.file.Transcoded = true
	out := make([]byte, 0, len(src)+len(src)/8)
	told := false
	for _, c := range src {
		if c < 0x80 {
			out = append(out, c)
			continue
		}
		r := set.high[c-0x80]
		if r == 0 {
			if !told {
				told = true
				p.encodingFault(Encoding, fmt.Sprintf("byte 0x%02x is not in %s", c, set.name), len(out))
			}
			r = substitute
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// cookie finds the coding cookie (PEP 263) in the first two lines, and where.
func cookie(src []byte) (string, int) {
	at := bomLen(src)
	for range 2 {
		end := len(src)
		if j := bytes.IndexAny(src[at:min(len(src), at+1000)], "\r\n"); j >= 0 {
			end = at + j
		}
		line := bytes.TrimLeft(src[at:end], " \t\f")
		comment := len(line) > 0 && line[0] == '#'
		if comment {
			if name, i := cookieOf(line); name != "" {
				return name, end - len(line) + i
			}
		} else if len(line) > 0 {
			return "", 0
		}
		if at = newlineAt(src, end); at >= len(src) {
			break
		}
	}
	return "", 0
}

// cookieOf finds coding: name or coding=name in a comment.
func cookieOf(line []byte) (string, int) {
	const word = "coding"
	for at := 0; ; {
		i := bytes.Index(line[at:], []byte(word))
		if i < 0 {
			return "", 0
		}
		at += i + len(word)
		if at >= len(line) || line[at] != ':' && line[at] != '=' {
			continue
		}
		start := at + 1
		for start < len(line) && (line[start] == ' ' || line[start] == '\t') {
			start++
		}
		end := start
		for end < len(line) && isCookieByte(line[end]) {
			end++
		}
		if end > start {
			return string(line[start:end]), start
		}
	}
}

func isCookieByte(c byte) bool {
	return c < 0x80 && class[c]&isIdent != 0 || c == '-' || c == '.'
}
