package guards

import "math"

// Memory that no kernel wrote holds bytes of 0x01 on some devices. As floats
// these are finite and tiny, so that no finiteness check and no loss sees them;
// only that so many lie side by side tells.

// How many values of the pattern must lie side by side. Chance makes none in
// 32 bits; fewer bits want more of them.
const (
	fillRun   = 16
	fillRun16 = 64
	fillShort = 4 // of a tensor that holds nothing else and is shorter than fillRun
)

// fillStride is how far apart the values lie that are looked at first: a run
// of fillRun cannot fall between them.
const fillStride = 16

// fillPattern is the value of 0x01 bytes in a type.
func fillPattern[T Float]() T {
	if isFloat32[T]() {
		return T(math.Float32frombits(fill32))
	}
	return T(math.Float64frombits(fill64))
}

// isFloat32 tells float32 from float64: the lesser cannot hold 1e-300.
func isFloat32[T Float]() bool {
	tiny := 1e-300
	return T(tiny) == 0
}

// findFill returns the start and length of a run of the pattern, and 0, 0 where
// there is none.
func findFill[T Float](values []T) (start, n int64) {
	return findRun(values, fillPattern[T](), fillRun)
}

// findFillBits does the same for the 16-bit formats: bytes of 0x01 are 257.
func findFillBits[U ~uint16](values []U) (start, n int64) {
	return findRun(values, U(fill16), fillRun16)
}

func findRun[T comparable](values []T, pattern T, least int) (start, n int64) {
	if len(values) < least {
		if least == fillRun && len(values) >= fillShort && runFrom(values, pattern) == len(values) {
			return 0, int64(len(values))
		}
		return 0, 0
	}
	for i := fillStride - 1; i < len(values); i += fillStride {
		if values[i] != pattern {
			continue
		}
		from := i
		for from > 0 && values[from-1] == pattern {
			from--
		}
		length := runFrom(values[from:], pattern)
		if length >= least {
			return int64(from), int64(length)
		}
		i = (from + length) / fillStride * fillStride // the run was looked at
	}
	return 0, 0
}

func runFrom[T comparable](values []T, pattern T) int {
	for i, v := range values {
		if v != pattern {
			return i
		}
	}
	return len(values)
}

// onlyFillAndZero tells whether a tensor holds nothing but the pattern and
// zeros. A half-precision gradient of a mean over 65,280 values is just that,
// on a sound machine: 1/65,280 rounds to the bits 0x0101.
func onlyFillAndZero[U ~uint16](values []U) bool {
	for _, v := range values {
		if v&^(1<<15) != 0 && v&^(1<<15) != fill16 {
			return false
		}
	}
	return true
}
