package python

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// damage ends a file: analysed, or with statements or cells that were dropped.
// Only where a name of a site stands in what was dropped can one be missing.
func (w *worker) damage(src *source) {
	lost, first := 0, site.Position{}
	note := func(at site.Position, text []byte) {
		if lost++; lost == 1 {
			first = at
		}
		if w.looker.filter.Match(text) {
			w.res.Possible = append(w.res.Possible, Possible{Unit: src.name, At: at, Name: "lines that cannot be read as Python", Dark: true})
		}
	}
	c := lineCursor{text: src.file.Text(), line: 1}
	for _, d := range src.file.Dropped {
		from := c.seek(d.First)
		note(src.position(from), c.text[from:c.seek(d.Last+1)])
	}
	if src.cells != nil {
		for _, d := range src.cells.Dropped {
			note(site.Position{File: src.name, Cell: d.Cell, Line: max(1, d.First)}, []byte(d.Reason.Error()))
		}
	}
	if src.more > 0 {
		why := fmt.Sprintf("%d calls are sites, of which the first %d are listed", src.more+maxSites, maxSites)
		w.unit(src, why, site.Position{File: src.name})
		w.res.Possible = append(w.res.Possible, Possible{Unit: src.name, At: site.Position{File: src.name}, Name: why, Dark: true})
		return
	}
	if lost == 0 {
		w.unit(src, "", site.Position{})
		return
	}
	why := fmt.Sprintf("%d statements cannot be read as Python", lost)
	if lost == 1 {
		why = "a statement cannot be read as Python"
	}
	if len(src.file.Errors) > 0 {
		why += ": " + src.file.Errors[0].Text
	}
	w.unit(src, why, first)
}

// IsTest reports whether a file is one of tests, as pytest and unittest name
// them: its sites are listed and never gated.
func IsTest(name string) bool {
	base := path.Base(name)
	stem := strings.TrimSuffix(strings.TrimSuffix(base, ".py"), ".ipynb")
	if strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || stem == "conftest" || stem == "tests" {
		return true
	}
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		switch path.Base(dir) {
		case "test", "tests", "testing", "testdata", "unit_tests", "unittests":
			return true
		}
	}
	return false
}

// lineCursor finds lines of a text, mostly forwards.
type lineCursor struct {
	text         []byte
	line, offset int
}

// seek gives the offset where a line begins, the end of the text behind the
// last one.
func (c *lineCursor) seek(line int) int {
	if line < c.line {
		c.line, c.offset = 1, 0
	}
	for c.line < line {
		i := bytes.IndexByte(c.text[c.offset:], '\n')
		if i < 0 {
			return len(c.text)
		}
		c.line, c.offset = c.line+1, c.offset+i+1
	}
	return c.offset
}
