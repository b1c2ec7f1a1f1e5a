package config

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed keys.tsv
var keysTSV string

// Key is a declared configuration key, one row of keys.tsv.
type Key struct {
	// Path is dotted. A last element * stands for any name; an element with []
	// is a list of tables.
	Path    string
	Type    string // float, int, size, duration, bool, string, strings, a|b|c for one of these words, [a|b|c] for a list of them
	Range   string // low..high, either may be empty; both belong to it
	Default string // as it would stand in the file; in a list of tables: required or empty
	Reason  string // why the default is what it is
	Since   string
}

// Schema is the set of keys that a configuration may hold.
type Schema struct{ keys []Key }

// NewSchema returns the keys of keys.tsv and those that another part declares
// in a table of its own. A fault in keys.tsv panics: the file is part of the
// program, and a test reads it.
func NewSchema(more ...Key) *Schema {
	keys, err := readKeys(keysTSV)
	if err != nil {
		panic(err)
	}
	return &Schema{append(keys, more...)}
}

// Keys returns all keys in the order of the tables.
func (s *Schema) Keys() []Key { return slices.Clone(s.keys) }

// readKeys splits by hand: encoding/csv would take the quotes of a default away.
func readKeys(tsv string) ([]Key, error) {
	var keys []Key
	for i, row := range strings.Split(strings.TrimSuffix(tsv, "\n"), "\n") {
		f := strings.Split(row, "\t")
		if len(f) != 6 {
			return nil, fmt.Errorf("keys.tsv:%d: %d columns, not 6", i+1, len(f))
		}
		if i > 0 {
			keys = append(keys, Key{Path: f[0], Type: f[1], Range: f[2], Default: f[3], Reason: f[4], Since: f[5]})
		}
	}
	return keys, nil
}

// lookup finds the declaration of a path; rows of a list of tables are asked
// for as "markers[].id".
func (s *Schema) lookup(path []string) (Key, bool) {
	joined := strings.Join(path, ".")
	for _, k := range s.keys {
		stem, open := strings.CutSuffix(k.Path, ".*")
		if k.Path == joined || open && len(path) > 1 && stem == strings.Join(path[:len(path)-1], ".") {
			return k, true
		}
	}
	return Key{}, false
}

// below lists the declared paths that begin with path.
func (s *Schema) below(path []string) []Key {
	stem := strings.Join(path, ".") + "."
	var found []Key
	for _, k := range s.keys {
		if len(path) == 0 || strings.HasPrefix(k.Path, stem) {
			found = append(found, k)
		}
	}
	return found
}
