package syntax

import "fmt"

// File is what was read of one file.
type File struct {
	Tree
	Encoding   string // of the bytes that were given: utf-8, or as its coding cookie names it
	Transcoded bool   // offsets are those of Text, not of the bytes that were given
	Errors     []Error
	MoreErrors int // errors beyond MaxErrors
	Dropped    []Dropped
}

// Valid reports whether a Python of 3.8 to 3.14 would parse the file.
func (f *File) Valid() bool { return len(f.Errors) == 0 }

// Dropped is a stretch of lines that are in no node but an Invalid one.
type Dropped struct {
	First, Last int // lines
	Reason      Error
}

// Code says what kind of error it is.
type Code uint8

// The codes.
const (
	Syntax      Code = iota + 1 // no statement of any Python that is known
	Unclosed                    // a bracket or string that does not close
	Indentation                 // a block is missing, unexpected, or does not line up
	Nesting                     // deeper than MaxDepth or CPython's own limits
	Python2                     // read, but no Python 3
	Encoding                    // bytes that the file's encoding does not know, or an unknown encoding
	TooLarge                    // more bytes or nodes than the limits allow
)

var codeNames = [...]string{"", "syntax", "unclosed", "indentation", "nesting", "python-2", "encoding", "too-large"}

func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return "?"
}

// Error is what is wrong at a place.
type Error struct {
	Code   Code
	Text   string // lower case, no full stop; may quote the source
	Offset int
	Line   int // from 1
	Column int // in bytes, from 0
}

func (e Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column+1, e.Text)
}

// Limits of what a Parser takes on. Zero: the default.
type Limits struct {
	Bytes int // of a file: 32 MiB
	Nodes int // of a tree: a million, 28 MB; the largest file of sympy has 114,000
}

// MaxDepth is how deep a node can lie below the Module. CPython stops near it.
const MaxDepth = 3000

// MaxErrors is how many errors a File holds.
const MaxErrors = 100

const (
	defaultBytes = 32 << 20
	defaultNodes = 1 << 20
)

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	if l.Nodes <= 0 {
		l.Nodes = defaultNodes
	}
	l.Nodes = max(l.Nodes, 100)
	return l
}
