package marker

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

//go:embed markers.tsv meanings.tsv xid.tsv quotes.tsv heads.txt
var data embed.FS

// minAnchor is the shortest anchor: shorter literals stand in healthy lines too
// often to be looked at one by one, and the filter samples grams of this length.
const minAnchor = 8

// Catalog is every marker that one audit knows. It is built once and then only
// read, so any number of goroutines may share it.
type Catalog struct {
	defs     []*Def
	byID     map[string]*Def
	meanings map[string]*Meaning
	xids     map[int]Xid
	sieve    *sieve
	quotes   *quotes
	heads    heads
}

// Load builds the catalogue from the embedded tables and the user's marker
// tables of the same form. A user's table needs the columns id, class and
// pattern (and anchors, unless the pattern is a literal); the others have
// defaults. Errors in a table are of type *RowError.
func Load(extra ...io.Reader) (*Catalog, error) {
	c := &Catalog{byID: make(map[string]*Def)}
	for _, load := range []func() error{c.loadMeanings, c.loadXids, c.loadQuotes, c.loadHeads} {
		if err := load(); err != nil {
			return nil, err
		}
	}
	own, err := data.ReadFile("markers.tsv")
	if err != nil {
		return nil, fmt.Errorf("reading the embedded markers: %w", err)
	}
	if err := c.add(bytes.NewReader(own), "markers.tsv", true); err != nil {
		return nil, err
	}
	for i, r := range extra {
		if err := c.add(r, nameOf(r, i), false); err != nil {
			return nil, err
		}
	}
	if c.sieve, err = newSieve(c.defs); err != nil {
		return nil, err
	}
	return c, nil
}

// nameOf names a user's table in errors: files know their name.
func nameOf(r io.Reader, i int) string {
	switch f := r.(type) {
	case interface{ Name() string }:
		return f.Name()
	case fs.File:
		if st, err := f.Stat(); err == nil {
			return st.Name()
		}
	}
	return fmt.Sprintf("added markers %d", i+1)
}

// Anchors are the literals for the chunk filter, lower case, sorted, each once.
func (c *Catalog) Anchors() []string {
	var out []string
	for _, d := range c.defs {
		out = append(out, d.Anchors...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Def is the marker of that id, or nil.
func (c *Catalog) Def(id string) *Def { return c.byID[id] }

// All is every marker, in the order of the tables.
func (c *Catalog) All() []*Def { return slices.Clone(c.defs) }

var (
	markerColumns = []string{"id", "class", "scope", "effect", "clears", "origin", "continues", "block", "anchors",
		"pattern", "attrs", "runtime", "title", "meaning-code", "source"}
	classes = []string{string(evidence.Fault), string(evidence.Crash), string(evidence.Degraded), string(evidence.Notice)}
	scopes  = []string{string(evidence.Process), string(evidence.Device), string(evidence.Node), string(evidence.Job)}
	goes    = []string{string(evidence.GoesOn), string(evidence.Stops), string(evidence.MayGoOn)}
	clears  = []string{"", "process", "device-reset", "reboot", "probe"}
	effects = []string{"", "steps", "data", "precision", "speed", "completeness", "value", "weights", "resume"}
	origins = []string{"driver", "runtime", "python", "kernel", "launcher", "scheduler", "framework"}
)

func (c *Catalog) add(r io.Reader, file string, embedded bool) error {
	rows, err := readTable(r, file, markerColumns, []string{"id", "class", "pattern"})
	if err != nil {
		return err
	}
	for _, r := range rows {
		d, err := c.newDef(r, embedded)
		if err != nil {
			return err
		}
		if c.byID[d.ID] != nil {
			return r.err("id", "%q is there already", d.ID)
		}
		c.byID[d.ID] = d
		c.defs = append(c.defs, d)
	}
	return nil
}

func (c *Catalog) newDef(r row, embedded bool) (*Def, error) {
	d := &Def{
		ID: r.get("id"), Block: r.get("block"), Pattern: r.get("pattern"), Runtime: r.get("runtime"),
		Title: r.get("title"), Code: r.get("meaning-code"), Source: r.get("source"),
	}
	if d.ID == "" || strings.ContainsAny(d.ID, " \"'") {
		return nil, r.err("id", "%q is no id", d.ID)
	}
	if err := d.words(r); err != nil {
		return nil, err
	}
	if err := d.addAttrs(r); err != nil {
		return nil, err
	}
	if d.Code != "" {
		m := c.meanings[d.Code]
		if m == nil {
			return nil, r.err("meaning-code", "%q is no row of meanings.tsv", d.Code)
		}
		d.Meaning, d.Remedy = m.Number, m.Remedy
	}
	var err error
	if d.test, d.lineStart, err = c.newMatcher(d.Pattern, embedded); err != nil {
		return nil, r.err("pattern", "%v", err)
	}
	return d, d.addAnchors(r, embedded)
}

// words reads the columns that hold one of a few words.
func (d *Def) words(r row) error {
	var class, scope, going string
	for _, w := range []struct {
		column, empty string
		to            *string
		words         []string
	}{
		{"class", "", &class, classes},
		{"scope", string(evidence.Process), &scope, scopes},
		{"continues", string(evidence.MayGoOn), &going, goes},
		{"effect", "", &d.Effect, effects},
		{"clears", "", &d.Clears, clears},
		{"origin", "framework", &d.Origin, origins},
	} {
		v, err := r.oneOf(w.column, w.empty, w.words...)
		if err != nil {
			return err
		}
		*w.to = v
	}
	d.Class, d.Scope, d.Goes = evidence.Class(class), evidence.Scope(scope), evidence.Continues(going)
	if d.Class == evidence.Fault && d.Clears == "" {
		d.Clears = clearsByScope(d.Scope)
	}
	if d.Class == evidence.Degraded && d.Effect == "" {
		return r.err("effect", "a degraded marker says what was lost: %s", strings.Join(effects[1:], ", "))
	}
	return nil
}

// clearsByScope is the clearing boundary of a fault whose row names none.
func clearsByScope(s evidence.Scope) string {
	switch s {
	case evidence.Device:
		return "device-reset"
	case evidence.Node:
		return "reboot"
	}
	return "process"
}

func (d *Def) addAttrs(r row) error {
	for _, kv := range r.list("attrs") {
		k, v, ok := strings.Cut(kv, "=")
		if !ok || k == "" {
			return r.err("attrs", "%q is not name=value", kv)
		}
		if d.Attrs == nil {
			d.Attrs = make(map[string]string)
		}
		d.Attrs[k] = v
	}
	return nil
}

// addAnchors reads the anchors and proves that no match can do without them. The
// embedded rows are proven by a test instead, once and for all.
func (d *Def) addAnchors(r row, embedded bool) error {
	d.Anchors = r.list("anchors")
	if lit, ok := strings.CutPrefix(d.Pattern, "s:"); ok && len(d.Anchors) == 0 {
		d.Anchors = []string{lit}
	}
	if len(d.Anchors) == 0 {
		return r.err("anchors", "none; a line of the log is only looked at when it holds an anchor")
	}
	for i, a := range d.Anchors {
		a = strings.ToLower(a)
		if len(a) < minAnchor {
			return r.err("anchors", "%q is shorter than %d bytes", a, minAnchor)
		}
		d.Anchors[i] = a
	}
	if !embedded && !anchored(d.Pattern, d.Anchors) {
		return r.err("anchors", "the pattern can match a line that holds none of them")
	}
	return nil
}
