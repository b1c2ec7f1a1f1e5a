package evidence

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// Num is a float64 whose JSON keeps NaN and the infinities, as the strings
// "nan", "inf" and "-inf".
type Num float64

// MarshalJSON writes a number, or a string where JSON has no number.
func (n Num) MarshalJSON() ([]byte, error) {
	f := float64(n)
	switch {
	case math.IsNaN(f):
		return []byte(`"nan"`), nil
	case math.IsInf(f, 1):
		return []byte(`"inf"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-inf"`), nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (n *Num) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(string(bytes.Trim(b, `"`)), 64)
	if err != nil {
		return fmt.Errorf("reading a number: %w", err)
	}
	*n = Num(f)
	return nil
}

// Finite reports whether n is neither NaN nor infinite.
func (n Num) Finite() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }
