package gomlxguard

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/trainvet/trainvet/guards"
)

// checkFloats checks a tensor of any floating-point type. Tensors of other
// types hold nothing that could be infinite.
func checkFloats(w *guards.FiniteWatch, name string, t *tensors.Tensor) error {
	var found error
	err := t.ConstFlatData(func(flat any) {
		switch values := flat.(type) {
		case []float32:
			found = guards.CheckFinite(w, name, values)
		case []float64:
			found = guards.CheckFinite(w, name, values)
		case []float16.Float16:
			found = guards.CheckFiniteBits(w, name, values, guards.FP16)
		case []bfloat16.BFloat16:
			found = guards.CheckFiniteBits(w, name, values, guards.BF16)
		}
	})
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return found
}

// checksum folds the bytes of a tensor into h: the same bytes give the same
// sum, and a step that changed one gives another.
func checksum(h uint64, t *tensors.Tensor) (uint64, error) {
	err := t.ConstBytes(func(data []byte) { h = fold(h, data) })
	return h, err
}

// fold multiplies in four lanes, which a CPU works on side by side.
func fold(h uint64, data []byte) uint64 {
	const prime = 0x9e3779b97f4a7c15
	a, b, c, d := h, h+1, h+2, h+3
	for len(data) >= 32 {
		a = bits.RotateLeft64(a^binary.LittleEndian.Uint64(data), 23) * prime
		b = bits.RotateLeft64(b^binary.LittleEndian.Uint64(data[8:]), 23) * prime
		c = bits.RotateLeft64(c^binary.LittleEndian.Uint64(data[16:]), 23) * prime
		d = bits.RotateLeft64(d^binary.LittleEndian.Uint64(data[24:]), 23) * prime
		data = data[32:]
	}
	for _, x := range data {
		a = bits.RotateLeft64(a^uint64(x), 23) * prime
	}
	return a ^ bits.RotateLeft64(b, 16) ^ bits.RotateLeft64(c, 32) ^ bits.RotateLeft64(d, 48)
}
