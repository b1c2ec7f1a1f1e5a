package guards

import "math"

// Float is what trainers hold values in, named types included.
type Float interface{ ~float32 | ~float64 }

// Format is a 16-bit floating-point format, whose values Go holds as bits.
type Format uint8

// The 16-bit formats.
const (
	BF16 Format = iota + 1 // 8 bits of exponent, 7 of mantissa
	FP16                   // 5 bits of exponent, 10 of mantissa; IEEE half precision
)

// exponent is the mask of the exponent's bits: all of them set is NaN or
// infinity.
func (f Format) exponent() uint16 {
	if f == FP16 {
		return 0x7c00
	}
	return 0x7f80
}

// AllFinite tells whether no value is NaN or infinite. It is the overflow flag
// of a step: overflow := !guards.AllFinite(gradient).
func AllFinite[T Float](values []T) bool {
	return quickFinite(values) || countNonFinite(values).n == 0
}

// AllFiniteBits is [AllFinite] for values of a 16-bit format.
func AllFiniteBits[U ~uint16](values []U, f Format) bool {
	return quickFiniteBits(values, f) || countNonFiniteBits(values, f).n == 0
}

// quickFinite adds the values up in eight chains: a sum is finite only if all
// its terms are. Huge terms can make a sum overflow, so that false asks for a
// count by the exponent's bits. To look at the bits first would cost twice as
// much, since each value has to change registers for that.
func quickFinite[T Float](values []T) bool {
	var a, b, c, d, e, f, g, h T
	for len(values) >= 8 {
		q := values[:8]
		a += q[0]
		b += q[1]
		c += q[2]
		d += q[3]
		e += q[4]
		f += q[5]
		g += q[6]
		h += q[7]
		values = values[8:]
	}
	for _, v := range values {
		a += v
	}
	a, b, c, d = a-a, b-b, c-c, d-d // 0, or NaN
	e, f, g, h = e-e, f-f, g-g, h-h
	return a+b+c+d+e+f+g+h == 0
}

// quickFiniteBits judges four values at a time: the exponent of NaN and
// infinity carries into the sign when its lowest bit is added.
func quickFiniteBits[U ~uint16](values []U, f Format) bool {
	const (
		top  = 0x8000_8000_8000_8000
		each = 0x0001_0001_0001_0001
	)
	mask := uint64(f.exponent()) * each
	low := uint64(f.exponent()&-f.exponent()) * each
	var x, y uint64
	for len(values) >= 8 {
		q := values[:8]
		a := uint64(q[0]) | uint64(q[1])<<16 | uint64(q[2])<<32 | uint64(q[3])<<48
		b := uint64(q[4]) | uint64(q[5])<<16 | uint64(q[6])<<32 | uint64(q[7])<<48
		x |= a&mask + low
		y |= b&mask + low
		values = values[8:]
	}
	for _, v := range values {
		x |= uint64(v)&mask&0xffff + low&0xffff
	}
	return (x|y)&top == 0
}

// nonFinite counts what is not finite, and remembers the first.
type nonFinite struct {
	n     int64
	first int64
	value float64
}

func (c *nonFinite) add(i int, value float64) {
	if c.n == 0 {
		c.first, c.value = int64(i), value
	}
	c.n++
}

// countNonFinite looks at the exponent's bits of each value.
func countNonFinite[T Float](values []T) (c nonFinite) {
	for i, v := range values {
		if !finiteValue(v) {
			c.add(i, float64(v))
		}
	}
	return c
}

func finiteValue[T Float](v T) bool {
	const exponent = 0x7ff << 52
	// A float32 that is not finite is a float64 that is not.
	return math.Float64bits(float64(v))&exponent != exponent
}

func countNonFiniteBits[U ~uint16](values []U, f Format) (c nonFinite) {
	mask := f.exponent()
	for i, v := range values {
		bits := uint16(v)
		if bits&mask != mask {
			continue
		}
		value := math.NaN()
		if bits&^(mask|1<<15) == 0 {
			value = math.Inf(1 - 2*int(bits>>15))
		}
		c.add(i, value)
	}
	return c
}
