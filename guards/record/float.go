package record

import (
	"fmt"
	"math"
	"strconv"
)

// Float is a float64 whose JSON keeps what JSON numbers cannot say, as the
// strings "nan", "inf" and "-inf".
type Float float64

func (f Float) append(b []byte) []byte {
	switch v := float64(f); {
	case math.IsNaN(v):
		return append(b, `"nan"`...)
	case math.IsInf(v, 1):
		return append(b, `"inf"`...)
	case math.IsInf(v, -1):
		return append(b, `"-inf"`...)
	default:
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	}
}

// MarshalJSON writes a number, or one of the three strings.
func (f Float) MarshalJSON() ([]byte, error) { return f.append(nil), nil }

// UnmarshalJSON reads what MarshalJSON wrote, and nothing else.
func (f *Float) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"nan"`:
		*f = Float(math.NaN())
		return nil
	case `"inf"`:
		*f = Float(math.Inf(1))
		return nil
	case `"-inf"`:
		*f = Float(math.Inf(-1))
		return nil
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return fmt.Errorf("reading the number %.40q: %w", b, err)
	}
	*f = Float(v)
	return nil
}
