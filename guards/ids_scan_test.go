package guards

import (
	"math/rand/v2"
	"testing"
)

// Every length up to a few blocks, every place, values at and around the bound:
// the fast scans against a plain loop.
func TestAllBelowAgainstPlainLoop(t *testing.T) {
	t.Parallel()
	scanType[int](t)
	scanType[int32](t)
	scanType[int64](t)
	scanType[uint](t)
	scanType[uint32](t)
	scanType[uint16](t)
	scanType[token](t)
}

type token int32

func scanType[T ID](t *testing.T) {
	t.Helper()
	bounds := []uint64{0, 1, 2, 255, 257, 32000, 1<<15 - 1, 1 << 15, 1<<15 + 1, 50257, 1<<16 - 1, 1 << 16, 1<<31 - 1, 1 << 31, 1 << 32}
	odd := []uint64{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 7, 1 << 63, 1<<63 - 1, ^uint64(0), ^uint64(99), fill16, fill32, fill64}
	for _, n := range bounds {
		for length := 0; length < 40; length++ {
			ids := make([]T, length)
			for i := range ids {
				if n > 0 {
					ids[i] = T(rand.Uint64N(n))
				}
			}
			compareScan(t, ids, n)
			for i := range ids {
				for _, v := range append(odd, n-1, n, n+1) {
					old := ids[i]
					ids[i] = T(v)
					compareScan(t, ids, n)
					ids[i] = old
				}
			}
		}
	}
}

func compareScan[T ID](t *testing.T, ids []T, n uint64) {
	t.Helper()
	want := true
	for _, id := range ids {
		want = want && uint64(id) < n
	}
	if got := allBelow(ids, n); got != want {
		t.Fatalf("allBelow(%T %v, %d) = %v", ids, ids, n, got)
	}
}
