package guardtest

import (
	"math"
	"slices"

	"github.com/trainvet/trainvet/guards"
)

// Tensor is values and what a guard has to say of them.
type Tensor[T any] struct {
	Name   string // what happened to it
	Err    error  // guards.ErrFault, guards.ErrQuality; nil: no error may come
	Values []T
}

// Tensors gives poisoned and healthy tensors of n values, of at least 64.
func Tensors[T guards.Float](n int) []Tensor[T] {
	n = max(n, 64)
	fill, greatest, least := math.Float64frombits(0x0101010101010101), math.MaxFloat64, math.SmallestNonzeroFloat64
	if tiny := 1e-300; T(tiny) == 0 { // a float32 cannot hold it
		fill, greatest, least = float64(math.Float32frombits(0x01010101)), math.MaxFloat32, math.SmallestNonzeroFloat32
	}
	with := func(v float64) []T {
		values := ramp[T](n)
		values[n/2] = T(v)
		return values
	}
	tile := ramp[T](n)
	copy(tile[n/4:], slices.Repeat([]T{T(fill)}, n/2))
	return []Tensor[T]{
		{Name: "clean", Values: ramp[T](n)},
		{Name: "zeros", Values: make([]T, n)},
		{Name: "the greatest values", Values: slices.Repeat([]T{T(greatest)}, n)},
		{Name: "denormals", Values: slices.Repeat([]T{T(least)}, n)},
		{Name: "one value of the pattern", Values: with(fill)},
		{Name: "NaN", Err: guards.ErrQuality, Values: with(math.NaN())},
		{Name: "infinity", Err: guards.ErrQuality, Values: with(math.Inf(1))},
		{Name: "negative infinity", Err: guards.ErrQuality, Values: with(math.Inf(-1))},
		{Name: "a tile of 0x01 bytes", Err: guards.ErrFault, Values: tile},
		{Name: "nothing but 0x01 bytes", Err: guards.ErrFault, Values: slices.Repeat([]T{T(fill)}, n)},
	}
}

func ramp[T guards.Float](n int) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = T(i-n/2) / 8
	}
	return values
}

// HalfTensors gives the same in a 16-bit format, of at least 256 values.
func HalfTensors(f guards.Format, n int) []Tensor[uint16] {
	n = max(n, 256)
	infinity, one := uint16(0x7f80), uint16(0x3f80)
	if f == guards.FP16 {
		infinity, one = 0x7c00, 0x3c00
	}
	with := func(v uint16) []uint16 {
		values := slices.Repeat([]uint16{one}, n)
		values[n/2] = v
		return values
	}
	tile := slices.Repeat([]uint16{one}, n)
	copy(tile[n/4:], slices.Repeat([]uint16{0x0101}, n/2))
	return []Tensor[uint16]{
		{Name: "clean", Values: with(0)},
		{Name: "the greatest value", Values: with(infinity - 1)},
		{Name: "one value of the pattern", Values: with(0x0101)},
		{Name: "NaN", Err: guards.ErrQuality, Values: with(infinity + 1)},
		{Name: "infinity", Err: guards.ErrQuality, Values: with(infinity)},
		{Name: "negative infinity", Err: guards.ErrQuality, Values: with(infinity | 0x8000)},
		{Name: "a tile of 0x01 bytes", Err: guards.ErrFault, Values: tile},
	}
}
