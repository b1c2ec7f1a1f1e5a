package syntax

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEncodings holds the cookie of PEP 263, the byte order mark, and what is
// said of bytes that fit neither.
func TestEncodings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src, encoding, value, fault string
	}{
		{"none", "x = 'é'", "utf-8", "é", ""},
		{"byte order mark", "\xef\xbb\xbfx = 'é'", "utf-8", "é", ""},
		{"byte order mark and cookie", "\xef\xbb\xbf# coding: utf-8\nx = 'é'", "utf-8", "é", ""},
		{"byte order mark and another cookie", "\xef\xbb\xbf# coding: latin-1\nx = 'é'", "utf-8", "é", "contradict"},
		{"latin-1", "# -*- coding: latin-1 -*-\nx = '\xe9'", "iso-8859-1", "é", ""},
		{"emacs", "# -*- coding: latin-1-unix -*-\nx = '\xe9'", "iso-8859-1", "é", ""},
		{"vim, second line", "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'", "cp1252", "€", ""},
		{"underscores", "# coding=ISO_8859_15\nx = '\xa4'", "iso-8859-15", "€", ""},
		{"cyrillic", "# coding: koi8-r\nx = '\xd0'", "koi8-r", "п", ""},
		{"behind a blank line", "\n# coding: latin-1\nx = '\xe9'", "iso-8859-1", "é", ""},
		{"with \\r\\n", "# coding: latin-1\r\nx = '\xe9'\r\n", "iso-8859-1", "é", ""},
		{"utf8 by another name", "# coding: utf8\nx = 'é'", "utf-8", "é", ""},
		{"in the third line", "#\n#\n# coding: latin-1\nx = 'é'", "utf-8", "é", ""},
		{"behind code", "y = 1\n# coding: latin-1\nx = 'é'", "utf-8", "é", ""},
		{"no comment", "'coding: latin-1'\nx = 'é'", "utf-8", "é", ""},
		{"nothing but ASCII", "# coding: cp1252\nx = 'e'", "cp1252", "e", ""},
		{"ascii that is none", "# coding: ascii\nx = '\xe9'", "ascii", "\x1a", "byte 0xe9 is not in ascii"},
		{"a byte that cp1252 has not", "# coding: cp1252\nx = '\x81'", "cp1252", "\x1a", "byte 0x81 is not in cp1252"},
		{"unknown", "# coding: klingon\nx = 'é'", "utf-8", "é", `unknown encoding "klingon"`},
		{"no utf-8", "x = '\xe9'", "utf-8", "\x1a", "byte 0xe9 is no utf-8"},
		{"nul in a string", "x = '\x00'", "utf-8", "\x00", "null bytes"},
	} {
		f := Parse([]byte(tc.src))
		require.Equal(t, tc.encoding, f.Encoding, tc.name)
		if tc.fault == "" {
			require.Empty(t, f.Errors, tc.name)
		} else {
			require.Len(t, f.Errors, 1, tc.name)
			require.Equal(t, Encoding, f.Errors[0].Code, tc.name)
			require.Contains(t, f.Errors[0].Text, tc.fault, tc.name)
		}
		var value []byte
		for n := range f.Preorder(f.Root()) {
			if f.Kind(n) == Assign && string(f.Source(f.Child(n, RoleTarget))) == "x" {
				value, _ = f.StringValue(f.Child(n, RoleValue))
			}
		}
		require.Equal(t, tc.value, string(value), tc.name)
	}
}

// TestCharsets holds that the table is whole.
func TestCharsets(t *testing.T) {
	t.Parallel()
	all := charsets()
	require.Greater(t, len(all), 100)
	for name, set := range all {
		require.Equal(t, name, squeeze(normalName(name)))
		if set.name == "iso-8859-1" {
			require.Equal(t, rune(0xff), set.high[127])
		}
	}
	require.Equal(t, '—', findCharset("Windows-1252").high[0x97-0x80])
}

// TestLines holds line ends of every kind, tabs, form feeds and the byte order
// mark in positions.
func TestLines(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		src          string
		line, column int // of the name x
		lines        int
	}{
		{"x", 1, 0, 1},
		{"\n\nx\n", 3, 0, 3},
		{"a\r\nb\r\n x.y", 0, 0, 0}, // an unexpected indent
		{"a\rb\rx\r", 3, 0, 3},
		{"a\r\n\r\nx\r\n", 3, 0, 3},
		{"\xef\xbb\xbfx", 1, 0, 1},
		{"\xef\xbb\xbfif a:\n\tx", 2, 1, 2},
		{"'é'; x", 1, 6, 1},
		{"\f\nx", 2, 0, 2},
		{"   \fx", 1, 4, 1},
		{"a = '''\r\n\r'''; x", 3, 5, 3},
		{"a = \\\n\\\r\n\\\rb; x", 4, 3, 4},
		{"", 0, 0, 1},
	} {
		f := Parse([]byte(tc.src))
		if tc.lines == 0 {
			require.NotEmpty(t, f.Errors, "%q", tc.src)
			continue
		}
		require.Empty(t, f.Errors, "%q", tc.src)
		require.Equal(t, tc.lines, f.Lines(), "%q", tc.src)
		for n := range f.Preorder(f.Root()) {
			if string(f.Name(n)) == "x" {
				p := f.Pos(n)
				require.Equal(t, [2]int{tc.line, tc.column}, [2]int{p.Line, p.Column}, "%q", tc.src)
			}
		}
	}
}

// TestLineEnd holds logical lines, as notebooks need them.
func TestLineEnd(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]int{
		"a\nb\n": 2, "f(\na)\nb": 6, "'''\n'''\nb": 8, "a \\\nb\nc": 6, "f(\nb": 3, "'a\nb": 3, "a": 1, "f'{\na}'\nb": 8,
	} {
		end, ok := LineEnd([]byte(src), 0)
		require.Equal(t, want, end, "%q", src)
		require.Equal(t, src != "f(\nb" && src != "'a\nb", ok, "%q", src)
	}
}

// TestKeywords holds that the hash of words finds every keyword and no other.
func TestKeywords(t *testing.T) {
	t.Parallel()
	seen := map[uint8]string{}
	for _, k := range keywords {
		require.Equal(t, k.kind, keyword([]byte(k.word)))
		h := keywordHash([]byte(k.word))
		require.Empty(t, seen[h], k.word)
		seen[h] = k.word
	}
	for _, w := range []string{"a", "", "an", "And", "nott", "printed", "_", "zz", "continues"} {
		require.Equal(t, tName, keyword([]byte(w)), w)
	}
}
