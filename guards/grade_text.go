package guards

import (
	"math"
	"strconv"
)

// customFill is the padding value of many libraries. Where it repeats, it was
// forgotten in the declaration, and the text says so.
const customFill int64 = -100

// isCustomFill knows it after a conversion to an unsigned type, too.
func isCustomFill[T ID](id T) bool { return id == convert[T](customFill) }

// explain says, for people, what an id means that is a fault or a reverse gap
// and stands n times in a row.
func explain[T ID](v *Vocab, id T, n int) string {
	u, name := uint64(id), "id "+decimal(id)
	switch {
	case v.has(u):
		return name + " is a token, but the model has " + strconv.FormatUint(v.width, 10) + " columns: it reads outside the embedding"
	case v.fill.set && id == T(v.fill.id):
		return "the fill " + decimal(id) + " stands inside a row, where an id belongs"
	case isSignature(u, width[T](), v.limit()):
		return name + " is " + pattern(u)
	case isCustomFill(id):
		return name + " is no id; if it is padding behind the ids of a row, declare it with guards.Fill"
	case n >= repeats:
		return name + " stands " + strconv.Itoa(n) + " times in a row and no model of this width produces it: memory that no kernel wrote"
	case int64(u) == math.MinInt32:
		return name + " is the least int32: what a NaN becomes as an integer"
	case id < 0:
		return name + " is negative"
	}
	return name + " lies outside the " + v.span() + ": no model of this width produces it"
}

// pattern names the mechanism behind a signature.
func pattern(u uint64) string {
	switch u {
	case fill64:
		return "eight bytes of 0x01: memory that no kernel wrote"
	case fill32:
		return "four bytes of 0x01: memory that no kernel wrote"
	case fill16:
		return "two bytes of 0x01: memory that no kernel wrote, narrowed"
	case 1 << 63:
		return "the least int64: what a NaN becomes, or an index that was never computed"
	}
	return strconv.FormatUint(uint64(uint32(u)), 10) + " with a stray high word: two 32-bit values read as one"
}

// span names the range of the ids that a model can produce.
func (v *Vocab) span() string {
	if v.width > 0 {
		return strconv.FormatUint(v.width, 10) + " columns of the logits"
	}
	return "vocabulary of " + strconv.FormatUint(v.size, 10) + " ids and any padding behind it"
}

// decimal writes an id exactly, whatever its type.
func decimal[T ID](id T) string {
	if id < 0 {
		return strconv.FormatInt(int64(id), 10)
	}
	return strconv.FormatUint(uint64(id), 10)
}

// convert narrows as a trainer's own conversion does. (A constant could not be
// converted to every type of ID.)
func convert[T ID](id int64) T { return T(id) }
