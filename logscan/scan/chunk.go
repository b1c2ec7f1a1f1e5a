package scan

import "bytes"

const (
	// chunkSize keeps a block and the filter's table within the level-2 cache of
	// a core.
	chunkSize  = 256 << 10
	lookBehind = 64 << 10 // bytes of context before a chunk
	lookAhead  = 32 << 10 // and at least behind it: a record that a hit stands in is rarely cut
)

// Hit is an occurrence of the literal with this index in the list given to New.
type Hit struct{ Pos, Literal int }

func (h Hit) after(o Hit) bool {
	return h.Pos > o.Pos || h.Pos == o.Pos && h.Literal > o.Literal
}

// Chunk is 256 KiB of a source (less at its end) with the hits that start in it.
// It and all that it holds are valid during the call only.
type Chunk struct {
	// Base is the offset in the source of Data[From], the first byte of the
	// chunk's own part. Data[i] stands at Base + i - From, see Offset.
	Base int64
	// Data is the chunk's own part with context: up to 64 KiB before From, and
	// behind To 32 KiB or the longest literal if that is more, as far as the
	// source goes. A caller can look for the bounds of the record around a hit.
	Data []byte
	// From and To bound the chunk's own part within Data.
	From, To int
	// Hits is sorted by position, then literal. A hit belongs to the chunk in
	// which it starts; Pos is relative to Data.
	Hits []Hit
	// Lines counts the '\n' before Base.
	Lines int64
	// Last marks the end of the source. A source has exactly one last chunk,
	// which is empty if the source is (or if it shrank to a chunk's border).
	Last bool

	at     int   // Line: where it stopped counting,
	passed int64 // and the '\n' from From to there, negative for context
}

// Offset returns the offset in the source of Data[i].
func (c *Chunk) Offset(i int) int64 { return c.Base + int64(i-c.From) }

// Line returns the number, from 1, of the line on which Data[i] stands. It
// counts from where the last call stopped, so going through all hits in order
// costs one pass. The scan itself asks for To at the end: no byte of a chunk is
// counted twice.
func (c *Chunk) Line(i int) int64 {
	if i >= c.at {
		c.passed += countLines(c.Data[c.at:i])
	} else {
		c.passed -= countLines(c.Data[i:c.at])
	}
	c.at = i
	return c.Lines + c.passed + 1
}

func countLines(b []byte) int64 { return int64(bytes.Count(b, newline)) }

var newline = []byte{'\n'}
