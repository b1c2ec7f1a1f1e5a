package tfevents

import (
	"encoding/binary"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// Fields of a TensorProto, and its element types.
const (
	tensorType    = 1
	tensorShape   = 2
	tensorContent = 4
	floatVal      = 5
	doubleVal     = 6
	intVal        = 7
	int64Val      = 10
	boolVal       = 11
	halfVal       = 13
	uint32Val     = 16
	uint64Val     = 17

	shapeDim = 2
	dimSize  = 1

	dtFloat    = 1
	dtDouble   = 2
	dtInt32    = 3
	dtUint8    = 4
	dtInt16    = 5
	dtInt8     = 6
	dtInt64    = 9
	dtBool     = 10
	dtBfloat16 = 14
	dtUint16   = 17
	dtHalf     = 19
	dtUint32   = 22
	dtUint64   = 23
)

// tensor reads a tensor of exactly one number.
func tensor(b []byte) (float64, string, bool) {
	t := oneNumber{elements: 1}
	if err := each(b, t.field); err != nil || t.elements != 1 {
		return 0, "", false
	}
	if t.content != nil {
		t.bits, t.has = littleEndian(t.content)
	}
	// A tensor of one zero may be written without any value.
	if !t.has && t.content != nil {
		return 0, "", false
	}
	return decode(t.dtype, t.bits)
}

type oneNumber struct {
	dtype    uint64
	elements int64
	content  []byte
	bits     uint64
	has      bool
}

func (t *oneNumber) field(num protowire.Number, typ protowire.Type, raw []byte, v uint64) {
	switch num {
	case tensorType:
		t.dtype = v
	case tensorShape:
		t.elements = elements(raw)
	case tensorContent:
		if len(raw) > 0 {
			t.content = raw
		}
	case floatVal, doubleVal, intVal, int64Val, boolVal, halfVal, uint32Val, uint64Val:
		t.take(num, typ, raw, v)
	}
}

// take reads a repeated number field, packed or not; the first one counts.
func (t *oneNumber) take(num protowire.Number, typ protowire.Type, raw []byte, v uint64) {
	if t.has {
		return
	}
	if typ != protowire.BytesType {
		t.bits, t.has = v, true
		return
	}
	switch num {
	case floatVal:
		if len(raw) >= 4 {
			t.bits, t.has = uint64(binary.LittleEndian.Uint32(raw)), true
		}
	case doubleVal:
		if len(raw) >= 8 {
			t.bits, t.has = binary.LittleEndian.Uint64(raw), true
		}
	default:
		if v, n := protowire.ConsumeVarint(raw); n > 0 {
			t.bits, t.has = v, true
		}
	}
}

func elements(shape []byte) int64 {
	count := int64(1)
	_ = each(shape, func(num protowire.Number, typ protowire.Type, raw []byte, _ uint64) {
		if num != shapeDim || typ != protowire.BytesType {
			return
		}
		size := int64(0)
		_ = each(raw, func(num protowire.Number, _ protowire.Type, _ []byte, v uint64) {
			if num == dimSize {
				size = int64(v)
			}
		})
		if size < 0 || size > 1<<20 || count > 1<<20 {
			size = 1 << 20
		}
		count *= size
	})
	return count
}

func littleEndian(b []byte) (uint64, bool) {
	switch len(b) {
	case 1:
		return uint64(b[0]), true
	case 2:
		return uint64(binary.LittleEndian.Uint16(b)), true
	case 4:
		return uint64(binary.LittleEndian.Uint32(b)), true
	case 8:
		return binary.LittleEndian.Uint64(b), true
	}
	return 0, false
}

func decode(dtype, bits uint64) (float64, string, bool) {
	switch dtype {
	case dtFloat:
		return small(math.Float32frombits(uint32(bits)))
	case dtHalf:
		return small(half(uint16(bits)))
	case dtBfloat16:
		return small(math.Float32frombits(uint32(bits) << 16))
	case dtDouble:
		f := math.Float64frombits(bits)
		return f, strconv.FormatFloat(f, 'g', -1, 64), true
	case dtInt8:
		return integer(int64(int8(bits)))
	case dtInt16:
		return integer(int64(int16(bits)))
	case dtInt32:
		return integer(int64(int32(bits)))
	case dtInt64, dtUint8, dtUint16, dtUint32, dtBool:
		return integer(int64(bits))
	case dtUint64:
		return float64(bits), strconv.FormatUint(bits, 10), true
	}
	return 0, "", false
}

func small(f float32) (float64, string, bool) { return float64(f), float32Text(f), true }

func integer(n int64) (float64, string, bool) { return float64(n), strconv.FormatInt(n, 10), true }

// half widens an IEEE 754 binary16.
func half(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h>>10) & 0x1f
	frac := uint32(h) & 0x3ff
	switch {
	case exp == 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	case exp == 0:
		f := float32(frac) * (1.0 / (1 << 24))
		if sign != 0 {
			f = -f
		}
		return f
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}
