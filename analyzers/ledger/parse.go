package ledger

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// maxLine bounds a row.
const maxLine = 64 << 10

// Error is one thing that is wrong with a ledger file.
type Error struct {
	File   string
	Line   int // from 1
	Column int // in bytes, from 1
	Text   string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// Errors are all that is wrong with a ledger file, in its order.
type Errors []*Error

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As reach the single ones.
func (e Errors) Unwrap() []error {
	list := make([]error, len(e))
	for i := range e {
		list[i] = e[i]
	}
	return list
}

// Parse reads a ledger. Rows that make sense are returned, sorted, even beside
// an error, which is of type Errors. A row that stands there twice is taken
// once; two rows of one key that differ are an error. Order, CRLF, a byte
// order mark and runs of spaces are forgiven: Format puts them right.
func Parse(file string, text []byte) (Ledger, error) {
	p := parser{file: file, seen: map[Key]Row{}}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		p.no++
		p.physical(string(bytes.TrimSuffix(line, []byte("\r"))))
	}
	p.out.Sort()
	if len(p.errs) > 0 {
		return p.out, p.errs
	}
	return p.out, nil
}

type parser struct {
	file    string
	no      int
	started bool // the header was read, or missed
	out     Ledger
	seen    map[Key]Row
	errs    Errors
}

func (p *parser) fail(column int, format string, args ...any) {
	p.errs = append(p.errs, &Error{File: p.file, Line: p.no, Column: column, Text: fmt.Sprintf(format, args...)})
}

func (p *parser) physical(line string) {
	switch {
	case strings.Trim(line, " \t") == "":
		return
	case len(line) > maxLine:
		p.fail(1, "a line of %d bytes, %d at most", len(line), maxLine)
		return
	case strings.HasPrefix(line, "#"):
		p.comment(line)
		return
	}
	if !p.started {
		p.started = true
		p.fail(1, "a ledger starts with %q", Header)
	}
	for _, mark := range []string{"<<<<<<< ", "=======", ">>>>>>> ", "||||||| "} {
		if strings.HasPrefix(line, mark) {
			p.fail(1, "a merge was left unfinished here: keep the rows of both sides without these lines, then run trainvet ledger fmt")
			return
		}
	}
	p.row(line)
}

// comment takes the header, and keeps every other comment once.
func (p *parser) comment(line string) {
	version, isHeader := strings.CutPrefix(line, headerWords)
	switch {
	case isHeader:
		p.started = true
		if v := strings.TrimRight(version[:digits(version)], " "); v != "1" {
			p.fail(len(headerWords)+1, "version %q of the ledger, only 1 is known", v)
		}
	case !p.started:
		p.started = true
		p.fail(1, "a ledger starts with %q", Header)
		fallthrough
	default:
		for _, c := range p.out.Comments {
			if c == line {
				return
			}
		}
		p.out.Comments = append(p.out.Comments, line)
	}
}

func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// row reads one row and holds it against the ones before.
func (p *parser) row(line string) {
	errs := len(p.errs)
	s := scanner{text: line}
	r := Row{Line: p.no}
	p.head(&s, &r)
	if len(p.errs) == errs {
		p.attributes(&s, &r)
	}
	if len(p.errs) > errs {
		return
	}
	if before, ok := p.seen[r.Key()]; ok {
		if before.String() != r.String() {
			p.fail(1, "conflicts with line %d, which says something else of the same site", before.Line)
		}
		return
	}
	p.seen[r.Key()] = r
	p.out.Rows = append(p.out.Rows, r)
}

func (p *parser) head(s *scanner, r *Row) {
	kind, at := s.word()
	if r.Kind = site.Kind(kind); site.States(r.Kind) == nil {
		p.fail(at, "%.40q is no kind of site: decode, step, implicit, catch", kind)
		return
	}
	id, at := s.word()
	var err error
	if r.ID, err = site.ParseID(id); err != nil {
		p.fail(at, "%v", err)
		return
	}
	shape, at := s.word()
	r.Shape = site.Shape(strings.TrimPrefix(shape, "@"))
	if !strings.HasPrefix(shape, "@") || !r.Shape.Valid() {
		p.fail(at, "%.40q is no shape: @ and 8 hex digits are expected", shape)
		return
	}
	state, at := s.word()
	if r.State = site.State(state); !r.State.Fits(r.Kind) {
		p.fail(at, "a %s site cannot be %.40q, it is one of %v", r.Kind, state, site.States(r.Kind))
	}
}

func (p *parser) attributes(s *scanner, r *Row) {
	seen := map[string]bool{}
	for {
		key, value, at, err := s.attribute()
		switch {
		case err != nil:
			p.fail(at, "%v", err)
			return
		case key == "":
			return
		case seen[key]:
			p.fail(at, "%s is given twice", key)
			return
		}
		seen[key] = true
		if err := p.set(r, key, value); err != nil {
			p.fail(at, "%v", err)
			return
		}
	}
}

func (p *parser) set(r *Row, key, value string) error {
	for i := range attributes {
		if attributes[i].key == key {
			if value == "" {
				return fmt.Errorf("%s is empty", key)
			}
			return attributes[i].set(r, value)
		}
	}
	return fmt.Errorf("%.40q is no attribute, they are %s", key, attributeNames())
}

// scanner cuts a row into words.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) space() {
	for s.pos < len(s.text) && (s.text[s.pos] == ' ' || s.text[s.pos] == '\t') {
		s.pos++
	}
}

// word returns the next word and its column.
func (s *scanner) word() (string, int) {
	s.space()
	start := s.pos
	for s.pos < len(s.text) && s.text[s.pos] != ' ' && s.text[s.pos] != '\t' {
		s.pos++
	}
	return s.text[start:s.pos], start + 1
}

// attribute returns the next key=value; an empty key at the end of the row.
func (s *scanner) attribute() (key, value string, column int, err error) {
	s.space()
	column = s.pos + 1
	rest := s.text[s.pos:]
	if rest == "" {
		return "", "", column, nil
	}
	key, value, ok := strings.Cut(rest, "=")
	if !ok || key == "" || strings.ContainsAny(key, " \t\"") {
		word, _ := s.word()
		return "", "", column, fmt.Errorf("%.40q is no key=value", word)
	}
	s.pos += len(key) + 1
	if !strings.HasPrefix(value, `"`) {
		value, _ = s.bareWord()
		return key, value, column, nil
	}
	literal, err := strconv.QuotedPrefix(value)
	if err != nil {
		return "", "", column, fmt.Errorf("the text of %s has no end, or an escape that is none", key)
	}
	s.pos += len(literal)
	if s.pos < len(s.text) && s.text[s.pos] != ' ' && s.text[s.pos] != '\t' {
		return "", "", s.pos + 1, fmt.Errorf("a space is missing behind the text of %s", key)
	}
	value, err = strconv.Unquote(literal)
	return key, value, column, err
}

// bareWord is a word that may be empty: nothing is skipped before it.
func (s *scanner) bareWord() (string, int) {
	start := s.pos
	for s.pos < len(s.text) && s.text[s.pos] != ' ' && s.text[s.pos] != '\t' {
		s.pos++
	}
	return s.text[start:s.pos], start + 1
}
