package gomlx

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// header stands before packed bytes, and behind it the length and the name of
// the packing.
const header = "gomlx_checkpointss"

// UnknownPackingError says that the bytes are packed in a way that this reader
// does not know.
type UnknownPackingError struct{ Name string }

// Error names the packing.
func (e *UnknownPackingError) Error() string { return fmt.Sprintf("packed as %.20q", e.Name) }

// unpack gives the bytes as they lie in memory.
func unpack(data io.Reader) (io.Reader, error) {
	r := bufio.NewReaderSize(data, 64<<10)
	begin, err := r.Peek(len(header) + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(begin) <= len(header) || !bytes.HasPrefix(begin, []byte(header)) {
		return r, nil
	}
	length := int(begin[len(header)])
	name := make([]byte, len(begin)+length)
	if _, err := io.ReadFull(r, name); err != nil {
		return nil, cut(err)
	}
	if packing := string(name[len(begin):]); packing != "gzip" {
		return nil, &UnknownPackingError{packing}
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, cut(err)
	}
	return bufio.NewReaderSize(z, 64<<10), nil
}

// kind is a type of values.
type kind struct {
	size   int64
	number func([]byte) float64
	finite func([]byte) bool // nil: all its values are
}

var little = binary.LittleEndian

// types are the types that checkpoints name.
var types = map[string]kind{
	"Bool":     {1, func(b []byte) float64 { return float64(b[0]) }, nil},
	"Int8":     {1, func(b []byte) float64 { return float64(int8(b[0])) }, nil},
	"Uint8":    {1, func(b []byte) float64 { return float64(b[0]) }, nil},
	"Int16":    {2, func(b []byte) float64 { return float64(int16(little.Uint16(b))) }, nil},
	"Uint16":   {2, func(b []byte) float64 { return float64(little.Uint16(b)) }, nil},
	"Int32":    {4, func(b []byte) float64 { return float64(int32(little.Uint32(b))) }, nil},
	"Uint32":   {4, func(b []byte) float64 { return float64(little.Uint32(b)) }, nil},
	"Int64":    {8, func(b []byte) float64 { return float64(int64(little.Uint64(b))) }, nil},
	"Uint64":   {8, func(b []byte) float64 { return float64(little.Uint64(b)) }, nil},
	"Float16":  {2, half, exponent16(0x7c00)},
	"BFloat16": {2, func(b []byte) float64 { return float64(math.Float32frombits(uint32(little.Uint16(b)) << 16)) }, exponent16(0x7f80)},
	"Float32": {4, func(b []byte) float64 { return float64(math.Float32frombits(little.Uint32(b))) },
		func(b []byte) bool { return little.Uint32(b)&0x7f800000 != 0x7f800000 }},
	"Float64": {8, func(b []byte) float64 { return math.Float64frombits(little.Uint64(b)) },
		func(b []byte) bool { return little.Uint64(b)&0x7ff0000000000000 != 0x7ff0000000000000 }},
}

// exponent16 tells a value whose exponent is not all ones.
func exponent16(mask uint16) func([]byte) bool {
	return func(b []byte) bool { return little.Uint16(b)&mask != mask }
}

// half is the value of a float16.
func half(b []byte) float64 {
	bits := little.Uint16(b)
	sign, exponent, mantissa := 1.0, int(bits>>10&0x1f), float64(bits&0x3ff)
	if bits>>15 != 0 {
		sign = -1
	}
	switch {
	case exponent == 0:
		return sign * math.Ldexp(mantissa, -24)
	case exponent == 0x1f && mantissa != 0:
		return math.NaN()
	case exponent == 0x1f:
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+mantissa, exponent-25)
}

// count reads so many bytes and counts the values that are not finite.
func (k *kind) count(r io.Reader, length int64) (n int64, err error) {
	if k.finite == nil {
		_, err := io.CopyN(io.Discard, r, length)
		return 0, err
	}
	buffer := make([]byte, 32<<10) // holds whole values of every size
	for length > 0 {
		part := buffer[:min(int64(len(buffer)), length)]
		if _, err := io.ReadFull(r, part); err != nil {
			return n, err
		}
		length -= int64(len(part))
		for ; len(part) > 0; part = part[k.size:] {
			if !k.finite(part[:k.size]) {
				n++
			}
		}
	}
	return n, nil
}
