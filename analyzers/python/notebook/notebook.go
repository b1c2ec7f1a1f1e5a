package notebook

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Limits of what a Reader takes on. Zero: the default.
type Limits struct {
	Bytes int // of the file: 128 MiB
	Depth int // of nested JSON: 200
	Cell  int // bytes of a cell's source: 4 MiB
	Code  int // bytes of the source of all cells: 16 MiB; those behind are dropped
}

const (
	defaultBytes = 128 << 20
	defaultDepth = 200
	defaultCell  = 4 << 20
	defaultCode  = 16 << 20
)

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	if l.Depth <= 0 {
		l.Depth = defaultDepth
	}
	if l.Cell <= 0 {
		l.Cell = defaultCell
	}
	if l.Code <= 0 {
		l.Code = defaultCode
	}
	return l
}

// Notebook is the module that the code cells make.
type Notebook struct {
	Text    []byte // Python source
	Format  int    // nbformat; 0: not said
	Cells   int    // code cells in Text
	Dropped []Dropped
	Loads   []Extension // in the order of the cells
	starts  []start
}

// Extension is one of IPython that a cell loads: %load_ext name.
type Extension struct {
	Name string
	Cell int // among all cells, from 1
	Line int // of the cell
}

// Dropped is a code cell that is not in the text, or lines of one that are
// blank there.
type Dropped struct {
	Cell        int // among all cells, from 1
	First, Last int // lines of the cell; 0: the whole cell
	Reason      error
}

// start is where a cell begins in the text.
type start struct{ line, cell int }

// FormatError says why a file is no notebook.
type FormatError struct {
	Offset int // of the byte where it shows
	Text   string
}

func (e *FormatError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Text) }

// SizeError says that a file or a cell is larger than the limit.
type SizeError struct{ Size, Limit int }

func (e *SizeError) Error() string { return fmt.Sprintf("%d bytes, the limit is %d", e.Size, e.Limit) }

// LanguageError says that a notebook or a cell is not written in Python.
type LanguageError struct{ Language string }

func (e *LanguageError) Error() string { return fmt.Sprintf("the language is %.40q", e.Language) }

// Reader reads notebooks. The zero Reader is ready. It is for one goroutine.
type Reader struct {
	Limits Limits
	parser syntax.Parser
}

// Read makes a module of the bytes of a file. The error is a *FormatError, a
// *SizeError or a *LanguageError.
func (r *Reader) Read(src []byte) (*Notebook, error) {
	limits := r.Limits.withDefaults()
	if len(src) > limits.Bytes {
		return nil, &SizeError{len(src), limits.Bytes}
	}
	s := scanner{src: bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), limit: limits.Depth}
	c := content{left: limits.Code}
	c.scan(&s)
	switch {
	case s.err != nil:
		return nil, s.err
	case !c.found:
		return nil, &FormatError{len(src), "no list of cells"}
	case c.format != 0 && c.format != 3 && c.format != 4:
		return nil, &FormatError{0, fmt.Sprintf("nbformat %d, only 3 and 4 are known", c.format)}
	case !isPython(c.language):
		return nil, &LanguageError{c.language}
	}
	n := &Notebook{Format: c.format}
	line := 1
	for _, one := range c.cells {
		switch {
		case one.source == nil:
			n.Dropped = append(n.Dropped, Dropped{Cell: one.number, Reason: &SizeError{limits.Code + one.size, limits.Code}})
			continue
		case len(one.source) > limits.Cell:
			n.Dropped = append(n.Dropped, Dropped{Cell: one.number, Reason: &SizeError{len(one.source), limits.Cell}})
			continue
		}
		line += r.add(n, one, line)
	}
	return n, nil
}

// add puts a cell behind the others and gives the number of its lines.
func (r *Reader) add(n *Notebook, c cell, line int) int {
	if !isPython(c.language) {
		n.Dropped = append(n.Dropped, Dropped{Cell: c.number, Reason: &LanguageError{c.language}})
		return 0
	}
	text := lineEnds(c.source)
	f := r.parser.Parse(text)
	if !f.Valid() {
		n.Loads = append(n.Loads, extensions(text, c.number)...)
		text = translate(text)
		f = r.parser.Parse(text)
	}
	if e, bad := broken(f); bad {
		if text = r.salvage(n, c, text, f); text == nil {
			n.Dropped = append(n.Dropped, Dropped{Cell: c.number, Reason: e})
			return 0
		}
	}
	n.Cells++
	n.starts = append(n.starts, start{line, c.number})
	n.Text = append(n.Text, text...)
	return bytes.Count(text, []byte("\n"))
}

// salvage blanks the statements of a cell that cannot be read, where the rest
// is Python without them; nil: it is not. Documentation is full of cells that
// are right but for one line.
func (r *Reader) salvage(n *Notebook, c cell, text []byte, f *syntax.File) []byte {
	var lost []Dropped
	lines := bytes.SplitAfter(bytes.Clone(text), []byte("\n"))
	left := len(lines) - 1
	for _, d := range f.Dropped {
		lost = append(lost, Dropped{c.number, d.First, d.Last, d.Reason})
		for i := d.First - 1; i < min(d.Last, len(lines)-1); i++ {
			lines[i] = []byte("\n")
			left--
		}
	}
	rest := bytes.Join(lines, nil)
	if _, bad := broken(r.parser.Parse(rest)); bad || isBlank(rest) || 2*left < len(lines) {
		return nil
	}
	n.Dropped = append(n.Dropped, lost...)
	return rest
}

// lineEnds makes every line end a newline, the last line's too, so that lines
// are counted as everywhere.
func lineEnds(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	return text
}

// broken finds the error that makes a cell no Python. Python 2 is Python.
func broken(f *syntax.File) (syntax.Error, bool) {
	for _, e := range f.Errors {
		if e.Code != syntax.Python2 {
			return e, true
		}
	}
	return syntax.Error{}, false
}

// Place gives the cell (among all cells, from 1) and the line in it (from 1) of
// a line of the text. 0, 0: the line is in none.
func (n *Notebook) Place(line int) (cell, lineInCell int) {
	i := sort.Search(len(n.starts), func(i int) bool { return n.starts[i].line > line }) - 1
	if i < 0 || line < 1 {
		return 0, 0
	}
	return n.starts[i].cell, line - n.starts[i].line + 1
}
