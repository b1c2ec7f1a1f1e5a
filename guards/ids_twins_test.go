package guards

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/trainvet/trainvet/guards/record"
)

// The twins: what healthy models and trainers really produce, and what must
// therefore bring neither an error nor a doubt.

// recorded is a run with a directory of its own.
func recorded(t *testing.T) (*Run, string) {
	t.Helper()
	dir := t.TempDir()
	return New(Options{Dir: dir}), dir
}

// doubts lists the codes of all that a run recorded, but for notes.
func doubts(t *testing.T, run *Run, dir string) []string {
	t.Helper()
	if err := run.Close(); err != nil {
		return []string{err.Error()}
	}
	recs, issues := readRecord(t, dir)
	if len(issues) > 0 {
		t.Fatalf("the record is damaged: %v", issues)
	}
	var out []string
	for _, f := range bodies[*record.Finding](recs) {
		if f.Effect != record.Note {
			out = append(out, f.Code)
		}
	}
	for _, f := range bodies[*record.Fault](recs) {
		out = append(out, f.Code)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// head is the output layer of a language model that was never trained, its
// padding columns initialised like the others.
type head struct {
	weights [][]float32 // columns by state
	r       *rand.Rand
}

func newHead(seed uint64, columns, state int) *head {
	h := &head{r: rand.New(rand.NewPCG(seed, 3)), weights: make([][]float32, columns)}
	for i := range h.weights {
		h.weights[i] = make([]float32, state)
		for j := range h.weights[i] {
			h.weights[i][j] = float32(h.r.NormFloat64())
		}
	}
	return h
}

// next gives the id behind a state: the likeliest, or one drawn at a
// temperature. Quant rounds the logits as a quantised head does.
func (h *head) next(state []float32, temperature, quant float64) int32 {
	best, id := math.Inf(-1), 0
	for i, w := range h.weights {
		logit := 0.0
		for j := range w {
			logit += float64(w[j] * state[j])
		}
		logit /= math.Sqrt(float64(len(state)))
		if quant > 0 {
			logit = math.Round(logit/quant) * quant
		}
		if temperature > 0 { // the Gumbel trick: the likeliest of noisy logits is a draw
			logit = logit/temperature - math.Log(-math.Log(h.r.Float64()))
		}
		if logit > best {
			best, id = logit, i
		}
	}
	return int32(id)
}

// generate feeds each id back as the next state, as decoding does.
func (h *head) generate(rows, columns int, temperature, quant float64) [][]int32 {
	out := make([][]int32, rows)
	state := make([]float32, len(h.weights[0]))
	for i := range out {
		id := int32(h.r.IntN(len(h.weights)))
		for range columns {
			for j := range state {
				state[j] = 0.5*state[j] + h.weights[id][j]
			}
			id = h.next(state, temperature, quant)
			out[i] = append(out[i], id)
		}
	}
	return out
}

func TestTwinUntrainedModelWithPaddingColumns(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		for _, how := range []struct {
			name        string
			temperature float64
			quant       float64
		}{{"greedy", 0, 0}, {"sampled", 1, 0}, {"hot", 1.5, 0}, {"quantised", 0, 0.25}, {"quantised and sampled", 1, 0.25}} {
			run, dir := recorded(t)
			site := run.DecodeSite("generate", mustVocab(t, 960, LogitsWidth(1024)))
			h := newHead(seed, 1024, 6)
			for range 4 {
				if err := CheckTokenRows(site, h.generate(8, 16, how.temperature, how.quant)); err != nil {
					t.Fatalf("seed %d, %s: %v", seed, how.name, err)
				}
			}
			if d := doubts(t, run, dir); len(d) > 0 {
				t.Errorf("seed %d, %s: %v", seed, how.name, d)
			}
		}
	}
}

// A model without training may say one padding column to everything: each batch
// is that one event, and says nothing of a rate.
func TestTwinUntrainedModelThatSaysOneThing(t *testing.T) {
	t.Parallel()
	run, dir := recorded(t)
	site := run.DecodeSite("generate", mustVocab(t, 48, LogitsWidth(128)))
	rows := make([][]int, 12)
	for i := range rows {
		rows[i] = slices.Repeat([]int{92}, 20)
	}
	for range 40 {
		if err := CheckTokenRows(site, rows); err != nil {
			t.Fatal(err)
		}
	}
	if d := doubts(t, run, dir); len(d) > 0 {
		t.Error(d)
	}
}

// The share of padding columns of real vocabularies, drawn evenly for long.
func TestTwinUntrainedModelSampledForLong(t *testing.T) {
	t.Parallel()
	for _, v := range [][2]int{{50257, 50321}, {32000, 32064}, {50295, 51200}, {100015, 102400}, {151665, 152064}} {
		run, dir := recorded(t)
		site := run.DecodeSite("sample", mustVocab(t, v[0], LogitsWidth(v[1])))
		r := rand.New(rand.NewPCG(7, uint64(v[0])))
		ids := make([]int32, 16*448)
		for range 200 {
			for i := range ids {
				ids[i] = int32(r.IntN(v[1]))
			}
			if err := CheckTokenMatrix(site, ids, 448); err != nil {
				t.Fatal(err)
			}
		}
		if d := doubts(t, run, dir); len(d) > 0 {
			t.Errorf("%v: %v", v, d)
		}
	}
}

func TestTwinTrainedModelThatSamplesAPaddingColumnNowAndThen(t *testing.T) {
	t.Parallel()
	run, dir := recorded(t)
	site := run.DecodeSite("sample", mustVocab(t, 151665, LogitsWidth(151936)))
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		row := make([]int64, 20)
		for i := range row {
			row[i] = int64(math.Pow(r.Float64(), 4) * 151000)
			if r.IntN(5000) == 0 {
				row[i] = 151665 + r.Int64N(271)
			}
		}
		if err := CheckTokenIDs(site, row); err != nil {
			t.Fatal(err)
		}
	}
	if d := doubts(t, run, dir); len(d) > 0 {
		t.Error(d)
	}
	if site.count.total(tallyUnmapped) == 0 {
		t.Error("none was counted")
	}
}

func TestTwinAddedTokensAndPadding(t *testing.T) {
	t.Parallel()
	run, dir := recorded(t)
	// The base vocabulary ends at 1000; seven tokens were added.
	site := run.DecodeSite("x", mustVocab(t, 1007, LogitsWidth(1024), Fill(-100), Pad(0, 1003)))
	pad := slices.Repeat([]int32{1003}, 64)
	zero := slices.Repeat([]int32{0}, 64)
	fill := slices.Repeat([]int32{-100}, 64)
	for range 8 {
		for name, rows := range map[string][][]int32{
			"added tokens":     {{1000, 1001, 1006}, {5, 1002}},
			"padded rows":      {{5, 6, 0, 0, 0}, {7, 0, 0, 0, 0}, zero},
			"nothing but pads": {pad, pad},
			"only the first":   {zero, zero},
			"only fill":        {fill, fill, {}},
			"some rows fill":   {{1, 2, -100}, fill},
			"empty":            {{}, nil},
			"none":             nil,
		} {
			if err := CheckTokenRows(site, rows); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if d := doubts(t, run, dir); len(d) > 0 {
		t.Error(d)
	}
}

func TestTwinIDsThatAre16BitsWideByNature(t *testing.T) {
	t.Parallel()
	run, dir := recorded(t)
	site := run.DecodeSite("x", mustVocab(t, 65536))
	small := run.DecodeSite("bytes", mustVocab(t, 259, LogitsWidth(259), Pad(257)))
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		ids := make([]uint16, 448)
		for i := range ids {
			ids[i] = uint16(r.IntN(1 << 16))
		}
		ids[9], ids[10], ids[11], ids[12] = 257, 257, 257, 257
		if err := CheckTokenIDs(site, ids); err != nil {
			t.Fatal(err)
		}
		if err := CheckTokenIDs(small, slices.Repeat([]uint16{257}, 448)); err != nil {
			t.Fatal(err)
		}
	}
	if d := doubts(t, run, dir); len(d) > 0 {
		t.Error(d)
	}
}

// A young model says the same word over and over, in every row.
func TestTwinYoungModelThatRepeatsItself(t *testing.T) {
	t.Parallel()
	run, dir := recorded(t)
	site := run.DecodeSite("x", mustVocab(t, 50257, LogitsWidth(50304)))
	for range 50 {
		if err := CheckTokenRows(site, [][]int{slices.Repeat([]int{262}, 64), slices.Repeat([]int{262}, 64)}); err != nil {
			t.Fatal(err)
		}
		if err := CheckTokenIDs(site, []int{0, 0, 0, 7}); err != nil { // a few of the first id
			t.Fatal(err)
		}
	}
	if d := doubts(t, run, dir); len(d) > 0 {
		t.Error(d)
	}
}

func TestStuckIsASuspicion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		id      int32
		options []SiteOption
		want    string
	}{
		{"first", 0, nil, "[ids-stuck]"},
		{"last", 50256, nil, "[ids-stuck]"},
		{"last column", 50303, nil, "[ids-stuck]"},
		{"first padding column", 50257, nil, "[ids-stuck]"},
		{"any", 262, []SiteOption{MustVary()}, "[ids-stuck]"},
		{"any, not declared", 262, nil, "[]"},
		{"may repeat", 0, []SiteOption{MayRepeat()}, "[]"},
	} {
		for shape, check := range shapes(c.id) {
			run, dir := recorded(t)
			site := run.DecodeSite("x", mustVocab(t, 50257, LogitsWidth(50304)), c.options...)
			if err := check(site); err != nil {
				t.Errorf("%s, %s: %v", c.name, shape, err)
			}
			if got := fmt.Sprint(doubts(t, run, dir)); got != c.want {
				t.Errorf("%s, %s: %v, want %s", c.name, shape, got, c.want)
			}
		}
	}
}

// shapes are the ways in which 64 ids that are all the same reach a site.
func shapes(id int32) map[string]func(*Site) error {
	return map[string]func(*Site) error{
		"flat": func(s *Site) error { return CheckTokenIDs(s, slices.Repeat([]int32{id}, 64)) },
		"rows": func(s *Site) error {
			return CheckTokenRows(s, [][]int32{slices.Repeat([]int32{id}, 32), {}, slices.Repeat([]int32{id}, 32)})
		},
		"one by one": func(s *Site) error {
			for range 64 {
				if err := CheckTokenID(s, id); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func TestNarrowedBytes(t *testing.T) {
	t.Parallel()
	v := mustVocab(t, 50257)
	fill := slices.Repeat([]uint16{fill16}, 64)
	site := New(Options{}).DecodeSite("x", v, Narrowed())
	if got := grade(CheckTokenIDs(site, fill)); got != "ids-signature" {
		t.Errorf("declared: %q", got)
	}
	wide := New(Options{}).DecodeSite("x", v, Narrowed())
	if got := grade(CheckTokenIDs(wide, slices.Repeat([]int32{fill16}, 64))); got != "ids-signature" {
		t.Errorf("widened again: %q", got)
	}
	run, dir := recorded(t)
	if err := CheckTokenIDs(run.DecodeSite("x", v), fill); err != nil {
		t.Errorf("not declared: %v", err)
	}
	if got := fmt.Sprint(doubts(t, run, dir)); got != "[ids-stuck]" {
		t.Errorf("not declared: %s", got)
	}
}

// many returns a batch of which k of 448 ids lie in padding columns.
func many(r *rand.Rand, k int) []int32 {
	ids := make([]int32, 448)
	for i := range ids {
		ids[i] = int32(r.IntN(50257))
	}
	for i := range k {
		ids[i*7] = int32(50257 + i)
	}
	return ids
}

func TestRateRule(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ k, batches, clean int }{{1, 1, 0}, {2, 1, 0}, {4, 1, 0}, {1, 100, 3}} {
		if got := rateOf(t, c.k, c.batches, c.clean, nil); got != "[]" {
			t.Errorf("%d unmapped in each of %d batches with %d clean ones between: %s", c.k, c.batches, c.clean, got)
		}
	}
	for _, c := range []struct{ k, batches, clean int }{{10, 1, 0}, {7, 1, 0}, {5, 2, 0}, {2, 50, 0}} {
		if got := rateOf(t, c.k, c.batches, c.clean, nil); got != "[ids-unmapped-many]" {
			t.Errorf("%d unmapped in each of %d batches with %d clean ones between: %s", c.k, c.batches, c.clean, got)
		}
	}
}

// A fault after a long clean run is not diluted by it.
func TestRateRuleLooksBackOnlySoFar(t *testing.T) {
	t.Parallel()
	run, dir := recorded(t)
	site := run.DecodeSite("x", mustVocab(t, 50257, LogitsWidth(50304)))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 12000 {
		k := 0
		if i > 11000 {
			k = 2
		}
		if err := CheckTokenIDs(site, many(r, k)); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(doubts(t, run, dir)); got != "[ids-unmapped-many]" {
		t.Error(got)
	}
}

func rateOf(t *testing.T, k, batches, clean int, before func(*Site)) string {
	t.Helper()
	run, dir := recorded(t)
	site := run.DecodeSite("x", mustVocab(t, 50257, LogitsWidth(50304)))
	if before != nil {
		before(site)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range batches {
		if err := CheckTokenIDs(site, many(r, k)); err != nil {
			return err.Error()
		}
		for range clean {
			if err := CheckTokenIDs(site, many(r, 0)); err != nil {
				return err.Error()
			}
		}
	}
	return fmt.Sprint(doubts(t, run, dir))
}

func TestManyUnmappedWithAWitnessAreAFault(t *testing.T) {
	t.Parallel()
	witness := func(s *Site) { s.Witness("the driver reset the device") }
	if got := rateOf(t, 10, 1, 0, witness); !strings.Contains(got, "ids-unmapped-witness") || !strings.Contains(got, "the driver reset") {
		t.Error(got)
	}
	if got := rateOf(t, 1, 1, 0, witness); got != "[]" {
		t.Errorf("a witness makes no fault of a note: %s", got)
	}
	run := New(Options{})
	site := run.DecodeSite("x", mustVocab(t, 50257, LogitsWidth(50304)))
	_ = CheckTokenIDs(site, []int32{fill32})
	if got := grade(CheckTokenIDs(site, many(rand.New(rand.NewPCG(1, 1)), 10))); got != "ids-unmapped-witness" {
		t.Errorf("after a fault: %q", got)
	}
}
