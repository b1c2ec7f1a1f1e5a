package guards

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"
)

// Nothing on the hot path allocates: not in a run that writes no record, and
// not in one that does, but for the counts at powers of two.
func TestChecksDoNotAllocate(t *testing.T) {
	v := mustVocab(t, 50257, LogitsWidth(50304), Fill(-100), Pad(0))
	holes := holedVocab(t)
	ids := randomIDs[int32](448, 50000)
	rows := [][]int64{randomIDs[int64](30, 50000), nil, randomIDs[int64](70, 50000)}
	padded := slices.Concat(ids, slices.Repeat([]int32{-100}, 64))
	gradient := make([]float32, 1000)
	half := make([]uint16, 1000)
	for _, dir := range []string{"", t.TempDir()} {
		run := New(Options{Dir: dir})
		site, holed := run.DecodeSite("x", v), run.DecodeSite("x", holes)
		watch, norm, scaled := run.WatchFinite(Gradient), run.WatchSpikes(""), run.WatchScaler(1).Optimizer("adam")
		for name, check := range map[string]func() error{
			"ids":      func() error { return CheckTokenIDs(site, ids) },
			"rows":     func() error { return CheckTokenRows(site, rows) },
			"matrix":   func() error { return CheckTokenMatrix(site, ids, 56) },
			"one":      func() error { return CheckTokenID(site, uint16(7)) },
			"padded":   func() error { return CheckTokenIDs(site, padded) },
			"holes":    func() error { return CheckTokenIDs(holed, ids[:100]) },
			"finite":   func() error { return CheckFinite(watch, "w", gradient) },
			"half":     func() error { return CheckFiniteBits(watch, "w", half, FP16) },
			"loss":     func() error { return watch.Value("loss", 0.5) },
			"stepped":  func() error { return watch.Stepped(true) },
			"norm":     func() error { return norm.Norm(1) },
			"scaler":   func() error { return scaled.Step(false, 1024) },
			"all":      func() error { AllFinite(gradient); return nil },
			"all bits": func() error { AllFiniteBits(half, BF16); return nil },
		} {
			for range 1100 { // past the first powers of two
				if err := check(); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if n := testing.AllocsPerRun(500, func() { _ = check() }); n != 0 {
				t.Errorf("%s, record in %q: %g allocations", name, dir, n)
			}
		}
	}
}

// holedVocab maps every second id below 50,000 that is not below 40.
func holedVocab(t testing.TB) *Vocab {
	t.Helper()
	v, err := NewVocabOf(func(yield func(int) bool) {
		for id := range 50000 {
			if (id < 40 || id%2 == 0) && !yield(id) {
				return
			}
		}
	}, LogitsWidth(50304))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func randomIDs[T ID](n, below int) []T {
	r := rand.New(rand.NewPCG(uint64(n), 9))
	ids := make([]T, n)
	for i := range ids {
		ids[i] = T(r.IntN(below) &^ 1)
	}
	return ids
}

// plainLoop is what an author would write.
func plainLoop[T ID](ids []T, n uint64) bool {
	for _, id := range ids {
		if uint64(id) >= n {
			return false
		}
	}
	return true
}

var sink bool

func BenchmarkTokenIDs(b *testing.B) {
	for _, n := range []int{448, 1 << 20} {
		benchIDs[int32](b, n, 4)
		benchIDs[int64](b, n, 8)
		benchIDs[uint16](b, n, 2)
	}
}

func benchIDs[T ID](b *testing.B, n, size int) {
	ids, to := randomIDs[T](n, 50000), make([]T, n)
	site := New(Options{}).DecodeSite("x", mustVocab(b, 50257, LogitsWidth(50304)))
	holed := New(Options{}).DecodeSite("x", holedVocab(b))
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"guard", func() { sink = CheckTokenIDs(site, ids) == nil }},
		{"plain", func() { sink = plainLoop(ids, 50257) }},
		{"copy", func() { copy(to, ids) }},
		{"holes", func() { sink = CheckTokenIDs(holed, ids) == nil }},
	} {
		b.Run(fmt.Sprintf("%T/%d/%s", ids[0], n, c.name), func(b *testing.B) {
			b.SetBytes(int64(n * size))
			b.ReportAllocs()
			for range b.N {
				c.f()
			}
		})
	}
}

func BenchmarkSite(b *testing.B) {
	v := mustVocab(b, 50257, LogitsWidth(50304), Fill(-100))
	site := New(Options{}).DecodeSite("x", v)
	rows := make([][]int32, 16)
	for i := range rows {
		rows[i] = randomIDs[int32](448, 50000)
	}
	zeros := make([]int32, 448)
	padded := slices.Concat(rows[0][:300], slices.Repeat([]int32{-100}, 148))
	unsure := slices.Clone(rows[0])
	unsure[200] = 50300
	for _, c := range []struct {
		name string
		f    func() error
	}{
		{"one", func() error { return CheckTokenID(site, int32(7)) }},
		{"rows of 16 x 448", func() error { return CheckTokenRows(site, rows) }},
		{"padded 448", func() error { return CheckTokenIDs(site, padded) }},
		{"unmapped in 448", func() error { return CheckTokenIDs(site, unsure) }},
		{"stuck 448", func() error { return CheckTokenIDs(site, zeros) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				_ = c.f()
			}
		})
	}
}

// The bars of the issue, as the best of many short runs so that a busy machine
// says no less. TRAINVET_BARS=1 turns them on: on a busy machine they prove
// nothing.
func TestBars(t *testing.T) {
	if os.Getenv("TRAINVET_BARS") == "" {
		t.Skip("TRAINVET_BARS is not set")
	}
	small := time.Hour
	for range 5 { // a busy machine has quiet moments
		if small >= 100*time.Nanosecond {
			n, _ := measure[int32](t, 448)
			small = min(small, n)
		}
	}
	if small >= 100*time.Nanosecond {
		t.Errorf("448 ids take %v", small)
	}
	if large, moved := measure[int32](t, 1<<20); 2*moved < large {
		t.Errorf("1 M ids take %v, copying them %v", large, moved)
	}
	for _, n := range []int{448, 1 << 20} {
		measure[int64](t, n)
		measure[uint16](t, n)
	}
}

func measure[T ID](t *testing.T, n int) (guard, moved time.Duration) {
	t.Helper()
	site := New(Options{}).DecodeSite("x", mustVocab(t, 50257, LogitsWidth(50304)))
	holed := New(Options{}).DecodeSite("x", holedVocab(t))
	ids, to := randomIDs[T](n, 50000), make([]T, n)
	times := max(1, 1<<20/n/2)
	guard = best(times, func() { sink = CheckTokenIDs(site, ids) == nil })
	plain := best(times, func() { sink = plainLoop(ids, 50257) })
	holes := best(times/8+1, func() { sink = CheckTokenIDs(holed, ids) == nil })
	moved = best(times, func() { copy(to, ids) })
	t.Logf("%T, %d ids: guard %v; speed %.2f of a plain loop, %.2f of copy; half the vocabulary holes: %v",
		ids[0], n, guard, float64(plain)/float64(guard), float64(moved)/float64(guard), holes)
	return guard, moved
}

func best(times int, f func()) time.Duration {
	least := time.Hour
	for range 200 {
		start := time.Now()
		for range times {
			f()
		}
		least = min(least, time.Since(start)/time.Duration(times))
	}
	return least
}

// Many goroutines at one site, with batches of all grades.
func TestSitesAreSharedByGoroutines(t *testing.T) {
	t.Parallel()
	run, dir := recorded(t)
	site := run.DecodeSite("x", mustVocab(t, 50257, LogitsWidth(50304), Fill(-100)))
	finite, norms := run.WatchFinite(Gradient), run.WatchSpikes("")
	scaler, err := run.NewLossScaler(ScalerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 100 {
				ids := randomIDs[int32](64, 50000)
				ids[63] = []int32{1, -100, 50300, 16843009, 0}[i%5]
				_ = CheckTokenIDs(site, ids)
				_ = CheckTokenRows(site, [][]int32{make([]int32, 8)})
				_ = CheckTokenID(site, ids[63])
				_ = CheckFinite(finite, "", []float32{1, 2})
				_ = finite.Stepped(true)
				_ = norms.Norm(float64(i))
				_, _ = scaler.Optimizer([]string{"a", "b"}[worker%2]).Step(i%7 == 0)
				scaler.Update()
				_ = scaler.State()
			}
		}()
	}
	wg.Wait()
	if site.Seen() != 8*100*(64+8+1) || site.count.total(tallyBad) != 8*20*2 {
		t.Errorf("%d ids seen, %d bad", site.Seen(), site.count.total(tallyBad))
	}
	if got := scaler.Optimizer("a").Counts(); got.Attempted != 400 || got.Applied+got.Skipped != 400 {
		t.Errorf("%+v", got)
	}
	_ = run.Close() // the fault is the test's
	if _, issues := readRecord(t, dir); len(issues) > 0 {
		t.Errorf("the record is damaged: %v", issues)
	}
}

// BenchmarkFinite holds the check of a tensor against a plain loop and a copy.
func BenchmarkFinite(b *testing.B) {
	values, to := make([]float32, 1<<20), make([]float32, 1<<20)
	for i := range values {
		values[i] = rand.Float32()
	}
	half := make([]uint16, 1<<20)
	w := New(Options{}).WatchFinite(Gradient)
	for _, c := range []struct {
		name string
		size int64
		f    func()
	}{
		{"float32/guard", 4 << 20, func() { sink = CheckFinite(w, "", values) == nil }},
		{"float32/plain", 4 << 20, func() { sink = countNonFinite(values).n == 0 }},
		{"float32/copy", 4 << 20, func() { copy(to, values) }},
		{"bf16/guard", 2 << 20, func() { sink = CheckFiniteBits(w, "", half, BF16) == nil }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(c.size)
			b.ReportAllocs()
			for range b.N {
				c.f()
			}
		})
	}
}
