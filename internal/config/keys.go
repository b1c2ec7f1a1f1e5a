package config

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed keys.tsv
var keysTSV string

// Key is a declared configuration key, one row of keys.tsv.
type Key struct {
	// Path is dotted. A last element * stands for any name; an element with []
	// is a list of tables.
	Path    string
	Type    string // float, int, size, duration, bool, string, strings, or a|b|c for one of these words
	Range   string // low..high, either may be empty; both belong to it
	Default string // as it would stand in the file; in a list of tables: required or empty
	Reason  string // why the default is what it is
	Since   string
}

// Keys returns all declared keys in the order of the file.
func Keys() []Key { return declared() }

// declared reads keys.tsv once. The file is part of the program: a fault in it
// is a bug, held by a test.
var declared = sync.OnceValue(func() []Key {
	keys, err := readKeys(keysTSV)
	if err != nil {
		panic(err)
	}
	return keys
})

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
func lookup(path []string) (Key, bool) {
	joined := strings.Join(path, ".")
	for _, k := range declared() {
		stem, open := strings.CutSuffix(k.Path, ".*")
		if k.Path == joined || open && len(path) > 1 && stem == strings.Join(path[:len(path)-1], ".") {
			return k, true
		}
	}
	return Key{}, false
}

// below lists the declared paths that begin with path.
func below(path []string) []Key {
	stem := strings.Join(path, ".") + "."
	var found []Key
	for _, k := range declared() {
		if len(path) == 0 || strings.HasPrefix(k.Path, stem) {
			found = append(found, k)
		}
	}
	return found
}
