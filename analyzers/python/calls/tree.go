package calls

import (
	"sync"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Source is where a Tree reads files. Names are from the root, slash separated.
type Source struct {
	Has   func(name string) (file, dir bool)
	Read  func(name string) ([]byte, error) // of its own memory
	Files []string                          // those in which callers are looked for
}

// Tree resolves names over the files of a source tree. It may be used by
// several goroutines.
type Tree struct {
	source Source
	stdlib map[string]bool

	mu      sync.Mutex
	kinds   map[string]kind
	modules map[moduleKey]moduleFound
	heads   map[headKey]bool
	files   map[string]*entry
	held    int // bytes of text in files
}

// entry is a file that is read once.
type entry struct {
	once sync.Once
	file *File
}

// NewTree makes a Tree. It reads nothing yet.
func NewTree(source Source) *Tree {
	return &Tree{source: source, stdlib: stdlib(), kinds: map[string]kind{}, modules: map[moduleKey]moduleFound{}, heads: map[headKey]bool{}, files: map[string]*entry{}}
}

// File is one file of a tree with what its names are bound to.
type File struct {
	Name   string // from the root
	Syntax *syntax.Tree
	Names  *names.Table

	index Index
	stars sync.Once
	from  []syntax.Node // imports of all that a module has

	paths   sync.Once
	folders []string // that it adds to sys.path
}

// NewFile makes a File of what a caller has read by itself: it is valid as long
// as its tree is. The same file, read by a Tree, has the same nodes.
func NewFile(name string, tree *syntax.Tree, table *names.Table) *File {
	f := &File{Name: name, Syntax: tree, Names: table}
	f.index.tree, f.index.names = tree, table
	return f
}

// maxHeld bounds the text of the files that are kept; their trees take three
// times as much. Beyond it all are let go, and read again if they are asked for.
const maxHeld = 6 << 20

// File reads a file, once; nil: it is not there, or is not to be read.
func (t *Tree) File(name string) *File {
	t.mu.Lock()
	e := t.files[name]
	if e == nil {
		if t.held > maxHeld {
			clear(t.files)
			t.held = 0
		}
		e = &entry{}
		t.files[name] = e
	}
	t.mu.Unlock()
	e.once.Do(func() {
		text, err := t.source.Read(name)
		if err != nil {
			return // what cannot be read says nothing; the scan names it
		}
		file := syntax.Parse(text)
		table := &names.Table{}
		table.Build(&file.Tree)
		e.file = NewFile(name, &file.Tree, table)
		t.mu.Lock()
		t.held += len(text)
		t.mu.Unlock()
	})
	return e.file
}

// starred are the imports of a file that bring all that a module has.
func (f *File) starred() []syntax.Node {
	f.stars.Do(func() {
		for n := f.Syntax.Root() + 1; int(n) < f.Syntax.Len(); n++ {
			if f.Syntax.Kind(n) != syntax.Alias || f.Syntax.Parent(n) == 0 {
				continue
			}
			if name := f.Syntax.Name(n); len(name) > 0 && name[0] == '*' {
				f.from = append(f.from, f.Syntax.Parent(n))
			}
		}
	})
	return f.from
}
