package tolerant

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
)

// Kind of a token.
type Kind uint8

// The kinds.
const (
	None Kind = iota
	Object
	ObjectEnd
	Array
	ArrayEnd
	Key
	String
	Number
	True
	False
	Null
)

// Token is one piece of JSON. Text is valid until the next call.
type Token struct {
	Kind   Kind
	Offset int64 // of its first byte
	End    int64 // behind its last byte
	Line   int64 // from 1
	Text   []byte
	// Bare: a number that JSON does not know: NaN, Infinity, inf.
	Bare bool
	// Cut: a string longer than the limit, of which Text is the beginning.
	Cut bool
	// Duplicate: a key that its object already held.
	Duplicate bool
}

// Limits bound what a Reader accepts. Zero fields take the defaults.
type Limits struct {
	Depth  int // nesting; default 128
	Token  int // bytes of one string or number; default 4 MiB
	Keys   int // keys of one object; default 1<<20
	Values int // values that ReadValue gathers into one tree; default 1<<20
	// CutStrings makes string values longer than Token lose their rest, flagged,
	// instead of ending the reading. Keys and numbers are never cut.
	CutStrings bool
	// Python accepts what str() of a dict prints: single quotes, True, False, None.
	Python bool
}

func (l Limits) withDefaults() Limits {
	set := func(n *int, to int) {
		if *n <= 0 {
			*n = to
		}
	}
	set(&l.Depth, 128)
	set(&l.Token, 4<<20)
	set(&l.Keys, 1<<20)
	set(&l.Values, 1<<20)
	return l
}

const bufferSize = 64 << 10

// Reader is the tokenizer.
type Reader struct {
	src    io.Reader
	limits Limits
	buf    []byte
	pos    int
	end    int
	base   int64 // offset of buf[0] in the input
	line   int64
	srcErr error // io.EOF or a read error, once the source gave it

	frames  []frame
	started bool // the top value has begun
	done    bool // the top value is complete
	text    []byte
	names   map[string]string // keys of trees, each held once
	sink    io.Writer         // where a string goes instead of text
	noCut   bool              // reading a key
	discard bool              // skipping: nothing is kept, keys are not compared
	seed    maphash.Seed
	err     error // sticky
}

// frame is an open container.
type frame struct {
	object bool
	items  int
	colon  bool // a key was read: its value comes next
	// Hashes of the object's keys: a list while they are few, then a set.
	few  []uint64
	many map[uint64]struct{}
}

const fewKeys = 32

// NewReader reads one JSON value from src.
func NewReader(src io.Reader, limits Limits) *Reader {
	return &Reader{src: src, limits: limits.withDefaults(), buf: make([]byte, bufferSize), line: 1, seed: maphash.MakeSeed(), names: map[string]string{}}
}

// Reset makes r read another value, from src, whose first byte has the given
// offset and line. It keeps the buffers.
func (r *Reader) Reset(src io.Reader, offset, line int64) {
	*r = Reader{
		src: src, limits: r.limits, buf: r.buf, base: offset, line: line,
		frames: r.frames[:0], text: r.text[:0], seed: r.seed, names: r.names,
	}
}

// Depth is the number of open containers.
func (r *Reader) Depth() int { return len(r.frames) }

// Offset is the place up to which the input has been consumed.
func (r *Reader) Offset() int64 { return r.base + int64(r.pos) }

// Line is the line of that place.
func (r *Reader) Line() int64 { return r.line }

// Next returns the next token, or io.EOF behind the top value. Any other error
// is final: the same one is returned again.
func (r *Reader) Next() (Token, error) {
	if r.err != nil {
		return Token{}, r.err
	}
	tok, err := r.next()
	if err != nil {
		r.err = err
	}
	return tok, err
}

// Skip reads over the next value and keeps nothing of it. Inside a container
// that Next just opened, it skips one item; SkipRest skips them all.
func (r *Reader) Skip() error {
	r.discard = true
	defer func() { r.discard = false }()
	depth := len(r.frames)
	for {
		tok, err := r.Next()
		if err != nil {
			return err
		}
		if len(r.frames) <= depth && tok.Kind != Key {
			return nil
		}
	}
}

// SkipRest reads to the end of the innermost open container.
func (r *Reader) SkipRest() error {
	r.discard = true
	defer func() { r.discard = false }()
	depth := len(r.frames) - 1
	for len(r.frames) > depth {
		if _, err := r.Next(); err != nil {
			return err
		}
	}
	return nil
}

// StringTo reads the next value, which must be a string, into w without
// holding it: a string of any length passes. The token carries no text.
func (r *Reader) StringTo(w io.Writer) (Token, error) {
	r.sink = w
	defer func() { r.sink = nil }()
	return r.Next()
}

func (r *Reader) next() (Token, error) {
	if err := r.space(); err != nil {
		return Token{}, err
	}
	if len(r.frames) == 0 {
		return r.top()
	}
	f := &r.frames[len(r.frames)-1]
	if f.object && f.colon {
		f.colon = false
		return r.value()
	}
	c, ok := r.peek()
	if !ok {
		return Token{}, r.cut(containerName(f.object))
	}
	if closes := byte(']'); c == closes && !f.object || c == '}' && f.object {
		return r.closeContainer(f)
	}
	if f.items > 0 {
		if c != ',' {
			return Token{}, r.syntax("a comma is missing, found %q", c)
		}
		r.pos++
		if err := r.space(); err != nil {
			return Token{}, err
		}
		if c, ok = r.peek(); ok && (c == ']' || c == '}') {
			return Token{}, r.syntax("a comma stands before %q", c)
		}
	}
	f.items++
	if f.object {
		return r.key(f)
	}
	return r.value()
}

func (r *Reader) top() (Token, error) {
	if r.done {
		if c, ok := r.peek(); ok {
			return Token{}, r.syntax("data behind the end of the value: %q", c)
		}
		return Token{}, r.srcErr
	}
	if _, ok := r.peek(); !ok {
		return Token{}, r.srcErr
	}
	r.started = true
	return r.value()
}

func (r *Reader) closeContainer(f *frame) (Token, error) {
	tok := Token{Kind: ArrayEnd, Offset: r.Offset(), Line: r.line}
	if f.object {
		tok.Kind = ObjectEnd
	}
	r.pos++
	tok.End = r.Offset()
	r.frames = r.frames[:len(r.frames)-1]
	r.done = len(r.frames) == 0
	return tok, nil
}

func (r *Reader) key(f *frame) (Token, error) {
	c, ok := r.peek()
	if !ok {
		return Token{}, r.cut("object")
	}
	if c != '"' && !(r.limits.Python && c == '\'') {
		return Token{}, r.syntax("a key must be a string, found %q", c)
	}
	sink := r.sink
	r.sink, r.noCut = nil, true
	tok, err := r.str()
	r.sink, r.noCut = sink, false
	if err != nil {
		return Token{}, err
	}
	tok.Kind = Key
	if !r.discard {
		if tok.Duplicate, err = r.seen(f, tok); err != nil {
			return Token{}, err
		}
	}
	if err := r.space(); err != nil {
		return Token{}, err
	}
	c, ok = r.peek()
	if !ok {
		return Token{}, r.cut("object")
	}
	if c != ':' {
		return Token{}, r.syntax("a colon is missing, found %q", c)
	}
	r.pos++
	f.colon = true
	return tok, nil
}

// seen compares keys by a seeded 64 bit hash: a false duplicate is a matter of
// 2^-64, and an object of a million keys costs 16 MB, not its text.
func (r *Reader) seen(f *frame, tok Token) (bool, error) {
	h := maphash.Bytes(r.seed, tok.Text)
	if f.many == nil {
		if slices.Contains(f.few, h) {
			return true, nil
		}
		if len(f.few) < fewKeys {
			f.few = append(f.few, h)
			return false, nil
		}
		f.many = make(map[uint64]struct{})
		for _, k := range f.few {
			f.many[k] = struct{}{}
		}
	}
	_, dup := f.many[h]
	f.many[h] = struct{}{}
	if len(f.many) > r.limits.Keys {
		return false, &LimitError{Offset: tok.Offset, Line: tok.Line, Limit: "keys in one object", Max: r.limits.Keys}
	}
	return dup, nil
}

func (r *Reader) value() (Token, error) {
	c, ok := r.peek()
	if !ok {
		return Token{}, r.cut(r.open())
	}
	var tok Token
	var err error
	switch {
	case c == '{' || c == '[':
		return r.openContainer(c == '{')
	case c == '"' || c == '\'' && r.limits.Python:
		tok, err = r.str()
	case c == '-' || c == '+' || c >= '0' && c <= '9' || letter(c):
		tok, err = r.word()
	default:
		return Token{}, r.syntax("a value cannot begin with %q", c)
	}
	r.done = len(r.frames) == 0 && err == nil
	return tok, err
}

func (r *Reader) openContainer(object bool) (Token, error) {
	if len(r.frames) >= r.limits.Depth {
		return Token{}, &LimitError{Offset: r.Offset(), Line: r.line, Limit: "depth", Max: r.limits.Depth}
	}
	tok := Token{Kind: Array, Offset: r.Offset(), Line: r.line}
	if object {
		tok.Kind = Object
	}
	r.pos++
	tok.End = r.Offset()
	r.push(object)
	return tok, nil
}

// push opens a frame, in the memory of one that was closed where there is one.
func (r *Reader) push(object bool) {
	n := len(r.frames)
	if n == cap(r.frames) {
		r.frames = append(r.frames, frame{object: object})
		return
	}
	r.frames = r.frames[:n+1]
	r.frames[n] = frame{object: object, few: r.frames[n].few[:0]}
}

func (r *Reader) open() string {
	if len(r.frames) == 0 {
		return "value"
	}
	return containerName(r.frames[len(r.frames)-1].object)
}

func containerName(object bool) string {
	if object {
		return "object"
	}
	return "array"
}

// space reads over white space and, at the very start, a byte order mark.
func (r *Reader) space() error {
	for {
		c, ok := r.peek()
		if !ok {
			return r.readError()
		}
		switch c {
		case '\n':
			r.line++
			r.pos++
		case ' ', '\t', '\r':
			r.pos++
		case 0xEF:
			if r.started || !r.mark() {
				return nil
			}
		default:
			return nil
		}
	}
}

func (r *Reader) mark() bool {
	if r.end-r.pos < 3 {
		r.fill(3)
	}
	if r.end-r.pos < 3 || r.buf[r.pos+1] != 0xBB || r.buf[r.pos+2] != 0xBF {
		return false
	}
	r.pos += 3
	return true
}

// peek returns the next byte; false at the end of what the source gives.
func (r *Reader) peek() (byte, bool) {
	if r.pos == r.end && !r.fill(1) {
		return 0, false
	}
	return r.buf[r.pos], true
}

// fill tries to have n bytes, at most the buffer's size, at hand.
func (r *Reader) fill(n int) bool {
	if r.pos > 0 {
		copy(r.buf, r.buf[r.pos:r.end])
		r.base += int64(r.pos)
		r.end -= r.pos
		r.pos = 0
	}
	for empty := 0; r.end < n && r.srcErr == nil; {
		m, err := r.src.Read(r.buf[r.end:])
		r.end += m
		r.srcErr = err
		if m == 0 && err == nil {
			if empty++; empty == 100 {
				r.srcErr = io.ErrNoProgress
			}
		}
	}
	return r.end >= n
}

func (r *Reader) readError() error {
	if r.srcErr == nil || errors.Is(r.srcErr, io.EOF) {
		return nil
	}
	return fmt.Errorf("reading json at offset %d: %w", r.Offset(), r.srcErr)
}

func (r *Reader) cut(inside string) error {
	if err := r.readError(); err != nil {
		return err
	}
	return &TruncatedError{Offset: r.Offset(), Line: r.line, Inside: inside}
}

func (r *Reader) syntax(format string, args ...any) error {
	return &SyntaxError{Offset: r.Offset(), Line: r.line, What: fmt.Sprintf(format, args...)}
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
