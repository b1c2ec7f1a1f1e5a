package guards

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// oracle is the rule of the issue, written the slow way: big integers, one id
// at a time, no width of type but the one that it is told.
type oracle struct {
	mapped map[string]bool // decimal
	size   *big.Int
	width  *big.Int // nil: not known
	fill   *big.Int // nil: none; as the type holds it
	bits   uint
}

func (o *oracle) limit() *big.Int {
	if o.width != nil {
		return o.width
	}
	step := big.NewInt(4096)
	n := new(big.Int).Add(o.size, big.NewInt(4095))
	return n.Div(n, step).Mul(n, step)
}

func (o *oracle) one(id *big.Int) string {
	zero, lim := new(big.Int), o.limit()
	in := id.Cmp(zero) >= 0 && id.Cmp(lim) < 0
	word := new(big.Int).Lsh(big.NewInt(1), 32)
	_, low := new(big.Int).DivMod(id, word, new(big.Int)) // Euclidean: as the low word of two's complement
	switch {
	case o.mapped[id.String()] && in:
		return "mapped"
	case o.mapped[id.String()]:
		return "reverse"
	case in:
		return "unmapped"
	case o.bits == 16 && id.Cmp(big.NewInt(257)) == 0,
		o.bits >= 32 && id.Cmp(big.NewInt(16843009)) == 0,
		o.bits == 64 && id.Cmp(big.NewInt(72340172838076673)) == 0,
		o.bits == 64 && (id.String() == "-9223372036854775808" || id.String() == "9223372036854775808"):
		return "signature"
	case o.bits == 64 && low.Cmp(id) != 0 && low.Cmp(lim) < 0:
		return "signature"
	}
	return "impossible"
}

// batch gives the worst grade of ragged rows, and the numbers of fill and of
// unmapped ids.
func (o *oracle) batch(rows [][]*big.Int) (worst string, fill, unmapped int64) {
	rank := []string{"mapped", "fill", "unmapped", "reverse", "impossible", "signature"}
	best := 0
	for _, row := range rows {
		end := len(row)
		for o.fill != nil && end > 0 && row[end-1].Cmp(o.fill) == 0 {
			end--
			fill++
		}
		for i, id := range row[:end] {
			g := o.one(id)
			if g == "unmapped" {
				unmapped++
			}
			if g == "impossible" && o.longRun(row[:end], i) {
				g = "signature"
			}
			best = max(best, slices.Index(rank, g))
		}
	}
	if rank[best] == "unmapped" || rank[best] == "fill" {
		return "", fill, unmapped
	}
	return map[string]string{"mapped": "", "reverse": "ids-reverse-gap", "impossible": "ids-impossible", "signature": "ids-signature"}[rank[best]], fill, unmapped
}

func (o *oracle) longRun(row []*big.Int, i int) bool {
	custom := big.NewInt(-100)
	mod := new(big.Int).Lsh(big.NewInt(1), o.bits)
	if new(big.Int).Mod(new(big.Int).Sub(row[i], custom), mod).Sign() == 0 {
		return false // -100, or what it becomes unsigned: forgotten padding, not a pattern
	}
	n := 1
	for j := i - 1; j >= 0 && row[j].Cmp(row[i]) == 0; j-- {
		n++
	}
	for j := i + 1; j < len(row) && row[j].Cmp(row[i]) == 0; j++ {
		n++
	}
	return n >= 4
}

func exact[T ID](id T) *big.Int {
	n, _ := new(big.Int).SetString(decimal(id), 10)
	return n
}

// gradesAgree builds vocabulary and batch from a source of numbers and holds
// the guard against the oracle.
func gradesAgree[T ID](t *testing.T, r *rand.Rand, bits uint) {
	t.Helper()
	size := 1 + r.IntN(300)
	ids := []int{size - 1}
	for i := range size {
		if r.IntN(10) > 0 {
			ids = append(ids, i)
		}
	}
	if r.IntN(2) == 0 {
		ids = ids[:1:1]
		for i := range size {
			ids = append(ids, i)
		}
	}
	o := &oracle{mapped: map[string]bool{}, size: big.NewInt(int64(size)), bits: bits}
	for _, id := range ids {
		o.mapped[exact(id).String()] = true
	}
	var options []VocabOption
	if r.IntN(3) > 0 {
		w := max(1, size-5+r.IntN(80))
		options = append(options, LogitsWidth(w))
		o.width = big.NewInt(int64(w))
	}
	if r.IntN(2) == 0 {
		options = append(options, Fill(-100))
		o.fill = exact(convert[T](-100))
	}
	v, err := NewVocabOf(slices.Values(ids), options...)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]T, r.IntN(5))
	slow := make([][]*big.Int, len(rows))
	for i := range rows {
		rows[i] = randomRow[T](r, size)
		for _, id := range rows[i] {
			slow[i] = append(slow[i], exact(id))
		}
	}
	want, fill, unmapped := o.batch(slow)
	site := New(Options{}).DecodeSite("x", v)
	got := grade(CheckTokenRows(site, rows))
	if got != want || site.count.total(tallyFill) != fill || site.count.total(tallyUnmapped) != unmapped {
		t.Fatalf("%T size %d width %v fill %v holes %d rows %v: %q fill %d unmapped %d, want %q %d %d", T(0), size, o.width, o.fill, v.Holes(), rows,
			got, site.count.total(tallyFill), site.count.total(tallyUnmapped), want, fill, unmapped)
	}
	if len(rows) == 1 {
		if again := grade(CheckTokenIDs(New(Options{}).DecodeSite("x", v), rows[0])); again != want {
			t.Fatalf("%T flat %v: %q, want %q", T(0), rows[0], again, want)
		}
	}
}

func randomRow[T ID](r *rand.Rand, size int) []T {
	row := make([]T, r.IntN(150))
	for i := range row {
		row[i] = T(r.IntN(size))
	}
	odd := []int64{-1, -2, -100, fill16, fill32, fill64, -1 << 63, -1 << 31, 1 << 32, 1<<32 + 7, 6<<32 + 9, -1<<32 + 5,
		int64(size), int64(size) + 3, int64(size) + 90, 4095, 4096, 1 << 40, 65436, 4294967196}
	for range r.IntN(3) {
		if len(row) == 0 {
			break
		}
		at, id := r.IntN(len(row)), T(odd[r.IntN(len(odd))])
		for n := r.IntN(7); n >= 0 && at < len(row); n-- {
			row[at] = id
			at++
		}
	}
	if len(row) > 3 && r.IntN(3) == 0 {
		for i := len(row) - r.IntN(len(row)); i < len(row); i++ {
			row[i] = convert[T](-100)
		}
	}
	return row
}

func TestGradesAgainstOracle(t *testing.T) {
	t.Parallel()
	for seed := range uint64(600) {
		everyType(t, seed)
	}
}

func everyType(t *testing.T, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 6))
	gradesAgree[int32](t, r, 32)
	gradesAgree[int64](t, r, 64)
	gradesAgree[int](t, r, strconv.IntSize)
	gradesAgree[uint32](t, r, 32)
	gradesAgree[uint](t, r, strconv.IntSize)
	gradesAgree[uint16](t, r, 16)
	gradesAgree[token](t, r, 32)
}

func FuzzGrades(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { everyType(t, seed) })
}
