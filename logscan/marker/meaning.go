package marker

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Meaning is what a group of markers is, what it does to a number, and what to
// do about it.
type Meaning struct {
	Code   string
	What   string
	Number string   // what it means for a number
	Remedy []string // in the order to try
}

// Meaning is the meaning of that code, or nil.
func (c *Catalog) Meaning(code string) *Meaning { return c.meanings[code] }

// Meanings are all meanings, by code.
func (c *Catalog) Meanings() []*Meaning {
	out := make([]*Meaning, 0, len(c.meanings))
	for _, m := range c.meanings {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b *Meaning) int { return strings.Compare(a.Code, b.Code) })
	return out
}

func (c *Catalog) loadMeanings() error {
	columns := []string{"code", "what", "number", "remedy"}
	rows, err := embedded("meanings.tsv", columns)
	if err != nil {
		return err
	}
	c.meanings = make(map[string]*Meaning, len(rows))
	for _, r := range rows {
		m := &Meaning{Code: r.get("code"), What: r.get("what"), Number: r.get("number"), Remedy: r.list("remedy")}
		for _, col := range columns {
			if r.get(col) == "" {
				return r.err(col, "empty")
			}
		}
		if c.meanings[m.Code] != nil {
			return r.err("code", "%q is there already", m.Code)
		}
		c.meanings[m.Code] = m
	}
	return nil
}

// embedded reads one of the package's own tables, of which all columns count.
func embedded(file string, columns []string) ([]row, error) {
	b, err := data.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the embedded %s: %w", file, err)
	}
	return readTable(bytes.NewReader(b), file, columns, columns)
}

// Xid is what an NVIDIA driver error code means.
type Xid struct {
	Code   int
	Class  evidence.Class
	Scope  evidence.Scope
	Clears string
	Action string // NVIDIA's word for what to do
	Text   string
}

// Xid is the row of a code.
func (c *Catalog) Xid(code int) (Xid, bool) {
	x, ok := c.xids[code]
	return x, ok
}
