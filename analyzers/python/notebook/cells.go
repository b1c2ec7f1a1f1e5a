package notebook

import (
	"bytes"
	"strings"
)

// cell is a code cell as it stands in the file.
type cell struct {
	number   int    // among all cells, from 1
	source   []byte // nil: beyond the limit of all code
	size     int    // of what the source was
	language string // nbformat 3 says it in each cell
}

// content is what a file says that matters here.
type content struct {
	format   int
	found    bool // a list of cells
	count    int  // cells of every type
	cells    []cell
	language string // of the kernel; empty: not said
	left     int    // bytes of code that are still taken
}

// scan reads the file's structure.
func (c *content) scan(s *scanner) {
	if s.peek() != '{' {
		s.fail("no JSON object")
		return
	}
	s.object(func(key string) {
		switch key {
		case "nbformat":
			c.format = s.number()
		case "metadata":
			c.metadata(s)
		case "cells":
			c.list(s)
		case "worksheets": // nbformat 3
			s.array(func() {
				s.object(func(key string) {
					if key == "cells" {
						c.list(s)
						return
					}
					s.skip()
				})
			})
		default:
			s.skip()
		}
	})
}

// metadata finds the language: what the kernel reported, or what it is called.
func (c *content) metadata(s *scanner) {
	var reported, kernel string
	s.object(func(key string) {
		switch key {
		case "language_info":
			s.object(func(key string) { readString(s, key, "name", &reported) })
		case "kernelspec":
			s.object(func(key string) { readString(s, key, "language", &kernel) })
		default:
			s.skip()
		}
	})
	c.language = reported
	if reported == "" {
		c.language = kernel
	}
}

func readString(s *scanner, key, want string, to *string) {
	if key == want {
		*to, _ = s.str()
		return
	}
	s.skip()
}

func (c *content) list(s *scanner) {
	c.found = true
	s.array(func() { c.cell(s) })
}

// cell reads one cell. Its members come in any order.
func (c *content) cell(s *scanner) {
	c.count++
	one := cell{number: c.count}
	var kind string
	s.object(func(key string) {
		switch key {
		case "cell_type":
			kind, _ = s.str()
		case "source", "input":
			one.source = text(s)
		case "language":
			one.language, _ = s.str()
		default:
			s.skip()
		}
	})
	if kind == "code" && len(bytes.TrimSpace(one.source)) > 0 {
		if one.size = len(one.source); one.size > c.left {
			one.source = nil
		}
		c.left -= one.size
		c.cells = append(c.cells, one)
	}
}

// text reads a string or a list of strings, which are joined.
func text(s *scanner) []byte {
	if s.peek() == '"' {
		return unquote(nil, s.raw())
	}
	var out []byte
	s.array(func() {
		if s.peek() == '"' {
			out = unquote(out, s.raw())
			return
		}
		s.skip()
	})
	return out
}

// isPython reports whether a language is Python, or not said.
func isPython(language string) bool {
	l := strings.ToLower(language)
	return l == "" || strings.HasPrefix(l, "python") || strings.HasPrefix(l, "ipython")
}
