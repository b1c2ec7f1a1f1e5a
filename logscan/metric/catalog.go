package metric

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

//go:embed names.tsv
var namesTSV []byte

//go:embed formats.tsv
var formatsTSV []byte

// Catalog is what is known of metric names and of the formats that print
// them. It is read-only after Load and may be shared.
type Catalog struct {
	lex     lexicon
	formats formats
}

// Load reads the embedded tables and then the user's rows, which may add to
// or replace them. A user's table holds rows of both kinds: one whose first
// cell is a match word of names.tsv is a name, any other a format.
func Load(extra ...io.Reader) (*Catalog, error) {
	c := &Catalog{lex: newLexicon()}
	if err := c.read("names.tsv", bytes.NewReader(namesTSV)); err != nil {
		return nil, err
	}
	if err := c.read("formats.tsv", bytes.NewReader(formatsTSV)); err != nil {
		return nil, err
	}
	for i, r := range extra {
		if err := c.read(fmt.Sprintf("metric rows %d", i+1), r); err != nil {
			return nil, err
		}
	}
	c.formats.index()
	return c, nil
}

// RowError is a row of a table that cannot be used.
type RowError struct {
	Table string
	Line  int
	Err   error
}

func (e *RowError) Error() string {
	return fmt.Sprintf("reading %s, line %d: %v", e.Table, e.Line, e.Err)
}

// Unwrap gives what is wrong with the row.
func (e *RowError) Unwrap() error { return e.Err }

func (c *Catalog) read(table string, r io.Reader) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 64<<10), 1<<20)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimRight(sc.Text(), "\r\t ")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		var err error
		if c.lex.isName(cells[0]) {
			err = c.lex.add(cells)
		} else {
			err = c.formats.add(cells)
		}
		if err != nil {
			return &RowError{Table: table, Line: n, Err: err}
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("reading %s: %w", table, err)
	}
	return nil
}

func newLexicon() lexicon {
	return lexicon{
		names: map[string]lexRow{}, seqs: map[string]lexRow{}, words: map[string]lexRow{}, cased: map[string]lexRow{},
		splits: map[string]Split{}, stats: map[string]lexRow{}, labels: map[string]string{}, columns: map[string]string{}, leads: map[string]string{},
		anti: map[string]bool{}, stop: map[string]bool{}, link: map[string]bool{}, null: map[string]bool{},
		units: map[string]unit{},
	}
}

func (l *lexicon) isName(match string) bool {
	switch match {
	case "name", "seq", "word", "cased", "suffix", "split", "stat", "counter", "anti", "stop", "link", "unit", "null", "label", "column", "anchor", "head", "before", "lead":
		return true
	}
	return false
}

// add takes one row: match, pattern, kind, role, window, note.
func (l *lexicon) add(cells []string) error {
	cells = append(slices.Clone(cells), "", "", "", "", "")
	match, pattern, kind, role, window, note := cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]
	if pattern == "" {
		return fmt.Errorf("a %s row without pattern", match)
	}
	row := lexRow{
		kind: evidence.Kind(kind), role: evidence.Role(role), window: evidence.Window(window),
		common: strings.HasPrefix(note, "common"), plural: note == "plural", alone: note == "common alone",
	}
	switch role {
	case "best":
		row.role, row.window = evidence.Final, evidence.Best
	case "anti":
		row.anti = true
	}
	if kind == "anti" {
		row.anti = true
	}
	switch match {
	case "name":
		l.names[pattern] = row
	case "seq":
		l.seqs[pattern] = row
		l.longestSeq = max(l.longestSeq, 1+strings.Count(pattern, "_"))
	case "word":
		l.words[pattern] = row
	case "cased":
		l.cased[pattern] = row
	case "suffix":
		l.suffixes = append(l.suffixes, suffixRow{pattern, row})
	case "stat":
		l.stats[pattern] = row
	case "counter":
		return l.addCounter(pattern, kind, window, row)
	case "unit":
		return l.addUnit(pattern, kind, window)
	default:
		l.addWord(match, pattern, kind)
	}
	return nil
}

func (l *lexicon) addWord(match, pattern, kind string) {
	switch match {
	case "split":
		l.splits[pattern] = kind
	case "anti":
		l.anti[pattern] = true
	case "stop":
		l.stop[pattern] = true
	case "link":
		l.link[pattern] = true
	case "null":
		l.null[pattern] = true
	case "anchor":
		l.anchors = append(l.anchors, pattern)
	case "before":
		l.befores = append(l.befores, pattern)
	case "head":
		l.heads = append(l.heads, pattern)
	case "label":
		l.labels[pattern] = kind
	case "column":
		l.columns[pattern] = kind
	case "lead":
		l.leads[pattern] = kind
	}
}

func (l *lexicon) addCounter(pattern, kind, priority string, row lexRow) error {
	n, err := strconv.Atoi(priority)
	if err != nil {
		return fmt.Errorf("priority of counter %s: %w", pattern, err)
	}
	row.window, row.kind, row.priority = "", evidence.KindCount, n
	switch kind {
	case "step":
		row.counter = stepCounter
	case "epoch":
		row.counter = epochCounter
	default:
		return fmt.Errorf("counter %s counts %q, not step or epoch", pattern, kind)
	}
	l.names[pattern] = row
	return nil
}

func (l *lexicon) addUnit(pattern, kind, factor string) error {
	f, inverse, err := parseFactor(factor)
	if err != nil {
		return fmt.Errorf("factor of unit %s: %w", pattern, err)
	}
	l.units[pattern] = unit{kind: evidence.Kind(kind), factor: f, inverse: inverse}
	return nil
}
