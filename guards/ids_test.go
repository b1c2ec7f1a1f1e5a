package guards

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func mustVocab(t testing.TB, size int, options ...VocabOption) *Vocab {
	t.Helper()
	v, err := NewVocab(size, options...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func grade(err error) string {
	var f *Fault
	var q *Finding
	switch {
	case errors.As(err, &f):
		return f.Grade
	case errors.As(err, &q):
		return q.Grade
	case err != nil:
		return err.Error()
	}
	return ""
}

func TestGradesOfSingleIDs(t *testing.T) {
	t.Parallel()
	v := mustVocab(t, 50257, LogitsWidth(50304))
	for _, c := range []struct {
		id    int64
		grade string
		says  string
	}{
		{0, "", ""},
		{50256, "", ""},
		{50257, "", ""}, // a padding column
		{50303, "", ""},
		{50304, "ids-impossible", "outside the 50304 columns"},
		{-1, "ids-impossible", "negative"},
		{-100, "ids-impossible", "guards.Fill"},
		{16843009, "ids-signature", "four bytes of 0x01"},
		{72340172838076673, "ids-signature", "eight bytes of 0x01"},
		{math.MinInt64, "ids-signature", "least int64"},
		{math.MinInt32, "ids-impossible", "least int32"},
		{0x0006000000000009, "ids-signature", "9 with a stray high word"},
		{-1<<32 + 5, "ids-signature", "stray high word"},
		{1<<32 + 50303, "ids-signature", "stray high word"},
		{1<<32 + 50304, "ids-impossible", "no model of this width"},
		{5279552648203111001, "ids-impossible", "no model"},
		{math.MaxInt64, "ids-impossible", "no model"},
	} {
		run := New(Options{})
		site := run.DecodeSite("evaluate", v)
		err := CheckTokenIDs(site, []int64{1, 2, c.id, 3})
		if got := grade(err); got != c.grade {
			t.Errorf("%d: %q, want %q", c.id, got, c.grade)
		} else if err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%d: %v, want %q in it", c.id, err, c.says)
		}
		if got := grade(CheckTokenID(site, c.id)); got != c.grade {
			t.Errorf("alone, %d: %q, want %q", c.id, got, c.grade)
		}
		if err := run.Err(); (err != nil) != errors.Is(err, ErrFault) || (err != nil) != (c.grade != "") {
			t.Errorf("%d: the run is tainted by %v", c.id, err)
		}
	}
}

// The same values in each type that trainers hold ids in.
func TestGradesByType(t *testing.T) {
	t.Parallel()
	byType[int](t, strconv.IntSize, true)
	byType[int32](t, 32, true)
	byType[int64](t, 64, true)
	byType[uint](t, strconv.IntSize, false)
	byType[uint32](t, 32, false)
	byType[uint16](t, 16, false)
	byType[token](t, 32, true)
}

func byType[T ID](t *testing.T, bits int, signed bool) {
	t.Helper()
	v := mustVocab(t, 200, LogitsWidth(250), Fill(-100))
	site := func() *Site { return New(Options{}).DecodeSite("x", v) }
	minus := func(n int64) T { return T(n) }
	want := func(name string, ids []T, grades ...string) {
		t.Helper()
		if got := grade(CheckTokenIDs(site(), ids)); !slices.Contains(grades, got) {
			t.Errorf("%T %s %v: %q, want %q", ids, name, ids, got, grades)
		}
		if got := grade(CheckTokenRows(site(), [][]T{{1}, nil, ids})); !slices.Contains(grades, got) {
			t.Errorf("%T rows %s %v: %q, want %q", ids, name, ids, got, grades)
		}
	}
	want("clean", []T{1, 2, 199}, "")
	want("fill", []T{1, 2, minus(-100), minus(-100)}, "")
	want("all fill", []T{minus(-100), minus(-100)}, "")
	want("fill inside", []T{1, minus(-100), 2}, "ids-impossible")
	want("negative", []T{1, minus(-7), 2}, "ids-impossible")
	want("0x01 bytes", []T{1, convert[T](fill64), 2}, "ids-signature")
	if bits >= 32 {
		want("four 0x01 bytes", []T{1, convert[T](fill32), 2}, "ids-signature")
	}
	if bits == 64 {
		want("high word", []T{1, convert[T](7<<32 | 9)}, "ids-signature")
		want("least", []T{convert[T](math.MinInt64)}, "ids-signature")
	}
	want("outside", []T{250}, "ids-impossible")
	want("one value over and over", []T{1, minus(-7), minus(-7), minus(-7), minus(-7)}, "ids-signature")
	_ = signed
}

func TestReportsTheFirstOfTheWorst(t *testing.T) {
	t.Parallel()
	run := New(Options{})
	run.SetStep(400)
	site := run.DecodeSite("evaluate", mustVocab(t, 100, LogitsWidth(128)))
	rows := [][]int32{{1, 2}, {3, -5, 4}, {5, 6, 16843009, 16843009}, {16843009}}
	err := CheckTokenRows(site, rows)
	var f *Fault
	if !errors.As(err, &f) || !errors.Is(err, ErrFault) || errors.Is(err, ErrQuality) {
		t.Fatalf("%v is no fault", err)
	}
	if f.Sample != 2 || f.Place != 2 || f.Value != "16843009" || f.Site != "evaluate" || f.Step != 400 || !strings.Contains(f.Text, "4 bad ids") {
		t.Errorf("%+v", *f)
	}
	flat := []int32{1, 2, 3, 4, 5, -5, 6, 7, 8}
	if err := CheckTokenMatrix(site, flat, 3); !errors.As(err, &f) || f.Sample != 1 || f.Place != 2 {
		t.Errorf("%v", err)
	}
	if !errors.As(run.Err(), &f) || f.Value != "16843009" {
		t.Errorf("the run remembers %v, not its first fault", run.Err())
	}
}

func TestMatrixKnowsItsRows(t *testing.T) {
	t.Parallel()
	site := New(Options{}).DecodeSite("x", mustVocab(t, 100, Fill(-100)))
	padded := []int32{1, 2, -100, 3, -100, -100, -100, -100, -100, 4, 5, 6}
	if err := CheckTokenMatrix(site, padded, 3); err != nil {
		t.Error(err)
	}
	if got := grade(CheckTokenMatrix(site, padded, 4)); got != "ids-impossible" {
		t.Errorf("rows of 4: %q", got)
	}
	if err := CheckTokenMatrix(site, []int32{1, 2, 3, 4, 5}, 2); err != nil {
		t.Errorf("a short last row: %v", err)
	}
	if err := CheckTokenMatrix(site, []int32{1}, 0); err != nil {
		t.Error(err)
	}
}

func TestReverseGapIsAMistakeOfTheSetUp(t *testing.T) {
	t.Parallel()
	run := New(Options{})
	site := run.DecodeSite("inputs", mustVocab(t, 32004, LogitsWidth(32000)))
	if err := CheckTokenIDs(site, []int32{31999}); err != nil {
		t.Error(err)
	}
	err := CheckTokenIDs(site, []int32{1, 32003})
	if grade(err) != "ids-reverse-gap" || !errors.Is(err, ErrQuality) || run.Err() != nil {
		t.Errorf("%v, run %v", err, run.Err())
	}
	if got := grade(CheckTokenIDs(site, []int32{32004})); got != "ids-impossible" {
		t.Errorf("%q", got)
	}
}

func TestVocabRefuses(t *testing.T) {
	t.Parallel()
	type made struct {
		v   *Vocab
		err error
	}
	make1 := func(v *Vocab, err error) made { return made{v, err} }
	for name, m := range map[string]made{
		"zero":           make1(NewVocab(0)),
		"negative":       make1(NewVocab(-1)),
		"an id":          make1(NewVocab(16843009)),
		"no ids":         make1(NewVocabOf(slices.Values([]int{}))),
		"negative id":    make1(NewVocabOf(slices.Values([]int{1, -1}))),
		"huge id":        make1(NewVocabOf(slices.Values([]int64{1, fill64}))),
		"no logits":      make1(NewVocab(10, LogitsWidth(0))),
		"wide logits":    make1(NewVocab(10, LogitsWidth(16843009))),
		"fill is a word": make1(NewVocab(10, Fill(3))),
		"negative pad":   make1(NewVocab(10, Pad(-1))),
	} {
		var e *VocabError
		if !errors.As(m.err, &e) || m.v != nil {
			t.Errorf("%s: %v, %v", name, m.v, m.err)
		}
	}
}

func TestSiteWithoutVocabularySaysSo(t *testing.T) {
	t.Parallel()
	run := New(Options{})
	site := run.DecodeSite("x", nil)
	for _, err := range []error{CheckTokenIDs(site, []int{1}), CheckTokenRows(site, [][]int{{1}}), CheckTokenID(site, 1), CheckTokenMatrix(site, []int{1}, 1)} {
		var e *VocabError
		if !errors.As(err, &e) || errors.Is(err, ErrFault) || errors.Is(err, ErrQuality) {
			t.Errorf("%v", err)
		}
	}
	if run.Err() != nil || run.sites[0].Live || site.Seen() != 0 {
		t.Error("a site without a vocabulary counts as checked")
	}
}

func TestVocabWithHoles(t *testing.T) {
	t.Parallel()
	v, err := NewVocabOf(maps.Values(map[string]uint32{"a": 0, "b": 1, "c": 2, "z": 100}), LogitsWidth(128), From("WordLevel"))
	if err != nil {
		t.Fatal(err)
	}
	if v.Size() != 101 || v.Holes() != 97 || v.Width() != 128 || !v.Has(100) || v.Has(3) || v.Has(-1) || v.padding() != 124 {
		t.Errorf("%+v", v)
	}
	site := New(Options{}).DecodeSite("x", v)
	if err := CheckTokenIDs(site, []int{100, 0, 1, 2}); err != nil || site.count.total(tallyUnmapped) != 0 {
		t.Errorf("the legal id 100: %v", err)
	}
	if err := CheckTokenIDs(site, []int{100, 3, 0}); err != nil || site.count.total(tallyUnmapped) != 1 {
		t.Errorf("the hole 3: %v, %d", err, site.count.total(tallyUnmapped))
	}
	full, err := NewVocabOf(slices.Values([]int{3, 1, 0, 2, 2}))
	if err != nil || full.bits != nil || full.Size() != 4 || full.Holes() != 0 {
		t.Errorf("a set without holes: %+v %v", full, err)
	}
}

func TestMaskAnywhere(t *testing.T) {
	t.Parallel()
	site := New(Options{}).DecodeSite("labels", mustVocab(t, 100, Mask(-100)))
	if err := CheckTokenRows(site, [][]int64{{-100, -100, -100, -100, -100, 5, 6}, {-100, 7, -100}, {-100}}); err != nil {
		t.Error(err)
	}
	if got := site.count.total(tallyFill); got != 8 {
		t.Errorf("%d masked", got)
	}
	if got := grade(CheckTokenIDs(site, []int64{-100, -1})); got != "ids-impossible" {
		t.Errorf("%q", got)
	}
}

func TestUnknownWidthGivesTheBenefitOfTheDoubt(t *testing.T) {
	t.Parallel()
	site := New(Options{}).DecodeSite("x", mustVocab(t, 50257))
	if err := CheckTokenIDs(site, []int{1, 53247}); err != nil {
		t.Error(err)
	}
	if got := grade(CheckTokenIDs(site, []int{1, 53248})); got != "ids-impossible" {
		t.Errorf("%q", got)
	}
}

func TestPoliciesAtASite(t *testing.T) {
	t.Parallel()
	v := mustVocab(t, 100)
	bad := []int{1, 16843009}
	run := New(Options{Policy: Record})
	if err := CheckTokenIDs(run.DecodeSite("x", v), bad); err != nil || run.Err() == nil {
		t.Errorf("record: %v, run %v", err, run.Err())
	}
	defer func() {
		if f, ok := recover().(*Fault); !ok || f.Grade != "ids-signature" {
			t.Errorf("panic: %v", f)
		}
	}()
	_ = CheckTokenIDs(New(Options{Policy: Panic}).DecodeSite("x", v), bad)
}
