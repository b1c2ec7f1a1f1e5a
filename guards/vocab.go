package guards

import (
	"fmt"
	"iter"
	"math/bits"
)

// ID is what trainers hold token ids in, named types included.
type ID interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint16
}

// Vocab says which token ids a decode site may see. It does not change once it
// is made, and any number of sites may share it.
//
// Two numbers matter. The size is what the tokenizer maps, added tokens
// included. The width is the number of logits, which many models round up: an
// id between them is a padding column that a healthy model can sample, an id
// beyond the width is one that no model of that width can produce.
type Vocab struct {
	size   uint64   // one more than the highest mapped id
	mapped uint64   // ids that map to a token
	width  uint64   // columns of the logits; 0: not known
	dense  uint64   // every id below it is mapped and a column
	top    uint64   // no id from it on is mapped and a column
	bits   []uint64 // mapped ids, one bit each; nil: all below size
	fill   marker   // trailing padding
	mask   marker   // allowed anywhere
	pads   []int64  // ids of padding tokens
	from   string   // where the numbers come from
}

// marker is a value that stands in the place of an id.
type marker struct {
	set bool
	id  int64
}

// VocabError says why a vocabulary was refused. It is a mistake in the set-up,
// neither a fault nor a finding: a guard with a wrong bound rejects every
// healthy id, which is worse than no guard.
type VocabError struct{ Why string }

// Error says what was refused and what to do.
func (e *VocabError) Error() string { return "vocabulary refused: " + e.Why }

// maxVocab bounds the highest id of a vocabulary. The largest in use are a
// quarter million; a bound above this is an id and not a size.
const maxVocab = 1 << 24

// NewVocab makes the vocabulary of the ids 0 to size-1. Size counts added
// tokens: of the size functions of tokenizers some leave them out and one
// returns 0, see docs/go-trainers.md. A size below 1 is refused.
func NewVocab(size int, options ...VocabOption) (*Vocab, error) {
	if size < 1 {
		return nil, &VocabError{fmt.Sprintf("its size is %d; ask the tokenizer for its ids if it does not know its size", size)}
	}
	v := &Vocab{size: uint64(size), mapped: uint64(size)}
	return v.finish(options)
}

// NewVocabOf makes a vocabulary of a set of ids, which may have holes:
//
//	guards.NewVocabOf(maps.Values(tokenizer.GetVocab()))
//
// An empty set and negative ids are refused.
func NewVocabOf[T ID](ids iter.Seq[T], options ...VocabOption) (*Vocab, error) {
	v := &Vocab{}
	for id := range ids {
		u := uint64(id)
		if u >= maxVocab {
			return nil, &VocabError{fmt.Sprintf("the tokenizer maps the id %d", id)}
		}
		v.add(u)
	}
	if v.mapped == 0 {
		return nil, &VocabError{"the tokenizer maps no id"}
	}
	return v.finish(options)
}

func (v *Vocab) add(u uint64) {
	for u>>6 >= uint64(len(v.bits)) {
		v.bits = append(v.bits, 0)
	}
	if bit := uint64(1) << (u & 63); v.bits[u>>6]&bit == 0 {
		v.bits[u>>6] |= bit
		v.mapped++
		v.size = max(v.size, u+1)
	}
}

func (v *Vocab) finish(options []VocabOption) (*Vocab, error) {
	for _, o := range options {
		if err := o(v); err != nil {
			return nil, err
		}
	}
	if v.size > maxVocab {
		return nil, &VocabError{fmt.Sprintf("its size is %d; that is an id, or no vocabulary", v.size)}
	}
	for _, m := range []marker{v.fill, v.mask} {
		if m.set && m.id >= 0 && v.has(uint64(m.id)) {
			return nil, &VocabError{fmt.Sprintf("the fill %d is the id of a token; declare it with Pad", m.id)}
		}
	}
	v.dense = v.prefix()
	if v.dense == v.size {
		v.bits = nil
	}
	v.top = v.size
	if v.width > 0 {
		v.dense, v.top = min(v.dense, v.width), min(v.size, v.width)
	}
	return v, nil
}

// prefix is the lowest id that is not mapped.
func (v *Vocab) prefix() uint64 {
	if v.bits == nil {
		return v.size
	}
	for i, w := range v.bits {
		if w != ^uint64(0) {
			return uint64(i)<<6 + uint64(bits.TrailingZeros64(^w))
		}
	}
	return v.size
}

// has tells whether a token stands behind an id.
func (v *Vocab) has(u uint64) bool {
	return u < v.size && (v.bits == nil || v.bits[u>>6]>>(u&63)&1 == 1)
}

// clean tells whether nothing is to be said of an id.
func (v *Vocab) clean(u uint64) bool {
	return u < v.top && (v.bits == nil || v.bits[u>>6]>>(u&63)&1 == 1)
}

// Size is one more than the highest id that maps to a token.
func (v *Vocab) Size() int { return int(v.size) }

// Width is the number of columns of the logits, 0 where it is not known.
func (v *Vocab) Width() int { return int(v.width) }

// Holes is how many ids below Size map to no token.
func (v *Vocab) Holes() int { return int(v.size - v.mapped) }

// Has tells whether a token stands behind an id.
func (v *Vocab) Has(id int) bool { return v.has(uint64(id)) }

// limit is the first id that no model of this width can produce. Where the
// width is not known it lies at the next multiple of 4,096: known models round
// up by at most 2,385.
func (v *Vocab) limit() uint64 {
	if v.width > 0 {
		return v.width
	}
	const step = 4096
	return (v.size + step - 1) / step * step
}

// padding is the number of ids that a model can produce and no token stands
// behind.
func (v *Vocab) padding() uint64 {
	if v.limit() < v.size {
		return v.size - v.mapped
	}
	return v.limit() - v.mapped
}

// reverse tells whether the tokenizer knows more ids than the model has columns.
func (v *Vocab) reverse() bool { return v.width > 0 && v.size > v.width }

// marks tells whether a value stands for no id: the declared fill or mask.
func marks[T ID](v *Vocab, id T) bool {
	return v.fill.set && T(v.fill.id) == id || v.mask.set && T(v.mask.id) == id
}

// isPad tells whether an id is a declared padding token.
func (v *Vocab) isPad(u uint64) bool {
	for _, p := range v.pads {
		if uint64(p) == u {
			return true
		}
	}
	return false
}
