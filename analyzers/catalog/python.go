package catalog

import (
	_ "embed"
	"fmt"
	"iter"
	"maps"
	"path"
	"strings"
	"sync"
)

//go:embed python.tsv
var pythonRows string

// Py is the catalogue of Python names.
type Py struct {
	file  string
	lists map[string]*Names
}

// Python returns the catalogue. It is read once and never changes.
var Python = sync.OnceValue(func() *Py {
	p, err := ParseNames("python.tsv", pythonRows)
	if err != nil {
		panic(err) // embedded, and read by a test
	}
	return p
})

// List returns the patterns of a list; a list that is not there is a mistake
// of the program and panics.
func (p *Py) List(name string) *Names {
	l := p.lists[name]
	if l == nil {
		panic(p.file + " has no list " + name)
	}
	return l
}

// ParseNames reads lists of names that a package keeps beside what it uses them
// for, in the form of python.tsv. file is what errors call them by.
func ParseNames(file, rows string) (*Py, error) {
	p := &Py{file: file, lists: map[string]*Names{}}
	for i, line := range strings.Split(rows, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 2 && len(cells) != 3 {
			return nil, fmt.Errorf("%s:%d: %d columns, 2 or 3 are expected", file, i+1, len(cells))
		}
		l := p.lists[cells[0]]
		if l == nil {
			l = &Names{exact: map[string]bool{}}
			p.lists[cells[0]] = l
		}
		for _, pattern := range strings.Split(cells[1], ",") {
			if err := l.add(strings.ToLower(pattern)); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
			}
		}
	}
	return p, nil
}

// Names is a set of names, some of them given by patterns.
type Names struct {
	exact  map[string]bool
	prefix []string // x*
	suffix []string // *x
	within []string // *x*
	globs  []string // what else has * or ?
	dotted bool     // some pattern has a dot

	// Of exact: the lengths, all above 62 as one, and the first bytes. Most names
	// that are asked for are none, and need not be hashed.
	lengths uint64
	firsts  [4]uint64
}

func (n *Names) add(pattern string) error {
	inner := strings.Trim(pattern, "*")
	if inner == "" {
		return fmt.Errorf("the pattern %q matches everything", pattern)
	}
	n.dotted = n.dotted || strings.Contains(inner, ".")
	switch {
	case strings.ContainsAny(inner, "*?["):
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("the pattern %q: %w", pattern, err)
		}
		n.globs = append(n.globs, pattern)
	case pattern == inner:
		n.exact[pattern] = true
		n.lengths |= 1 << min(len(pattern), 63)
		n.firsts[pattern[0]>>6] |= 1 << (pattern[0] & 63)
	case pattern == inner+"*":
		n.prefix = append(n.prefix, inner)
	case pattern == "*"+inner:
		n.suffix = append(n.suffix, inner)
	default:
		n.within = append(n.within, inner)
	}
	return nil
}

// Dotted reports whether some pattern speaks of a dotted name.
func (n *Names) Dotted() bool { return n.dotted }

// Has reports whether a name, in lower case, is one of the set.
func (n *Names) Has(name string) bool {
	if name == "" {
		return false
	}
	if n.Whole(name) {
		return true
	}
	for _, p := range n.prefix {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	for _, p := range n.suffix {
		if strings.HasSuffix(name, p) {
			return true
		}
	}
	for _, p := range n.within {
		if strings.Contains(name, p) {
			return true
		}
	}
	for _, p := range n.globs {
		if ok, _ := path.Match(p, name); ok {
			return true
		}
	}
	return false
}

// Whole reports whether a name, in lower case, is in the set as it stands, not
// by a pattern.
func (n *Names) Whole(name string) bool {
	return name != "" && n.shaped(len(name), name[0]) && n.exact[name]
}

// shaped reports whether a name of the set has this length and first byte.
func (n *Names) shaped(length int, first byte) bool {
	return n.lengths>>min(length, 63)&1 != 0 && n.firsts[first>>6]>>(first&63)&1 != 0
}

// May reports whether Has may hold of a name once it is in lower case. It is for
// who has many names of which nearly none is in the set.
func (n *Names) May(name []byte) bool {
	if len(n.prefix)+len(n.suffix)+len(n.within)+len(n.globs) > 0 || len(name) == 0 {
		return len(name) > 0
	}
	first := name[0]
	if first >= 'A' && first <= 'Z' {
		first |= 0x20
	}
	if n.shaped(len(name), first) {
		return true
	}
	for _, c := range name {
		if c >= 0x80 {
			return true // in lower case it may be shorter
		}
	}
	return false
}

// Exact gives the names that are no patterns.
func (n *Names) Exact() iter.Seq[string] { return maps.Keys(n.exact) }
