package guards_test

import (
	"slices"
	"testing"

	"github.com/trainvet/trainvet/guards"
	"github.com/trainvet/trainvet/guards/guardtest"
)

// A batch that holds nothing which varies: logits of zeros give the first id at
// each place, and what stands between says nothing against it.
func TestStuckBetweenWhatSaysNothing(t *testing.T) {
	const none = -100
	tests := map[string]func(site *guards.Site) error{
		"empty batches": func(site *guards.Site) error {
			if err := guards.CheckTokenIDs(site, []int32{}); err != nil {
				return err
			}
			if err := guards.CheckTokenRows(site, [][]int32{nil, {}}); err != nil {
				return err
			}
			return guards.CheckTokenIDs(site, make([]int32, 12))
		},
		"a matrix with fill": func(site *guards.Site) error {
			return guards.CheckTokenMatrix(site, []int32{0, 0, 0, none, 0, none, none, none}, 4)
		},
		"rows with fill": func(site *guards.Site) error {
			return guards.CheckTokenRows(site, [][]int64{{0, 0, 0, none}, {none}, {0, 0}})
		},
		"a row of fill alone": func(site *guards.Site) error {
			if err := guards.CheckTokenIDs(site, []int32{none, none}); err != nil {
				return err
			}
			return guards.CheckTokenIDs(site, make([]int32, 12))
		},
		"the first padding column with fill": func(site *guards.Site) error {
			return guards.CheckTokenMatrix(site, []int32{100, 100, 100, none}, 4)
		},
	}
	for name, use := range tests {
		rec := guardtest.Record(t)
		site := guards.DecodeSite("evaluate", vocabulary(t, 100, guards.LogitsWidth(128), guards.Fill(none)))
		for range 16 {
			if err := use(site); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if !slices.Contains(rec.Codes(), "ids-stuck") {
			t.Errorf("%s: the record holds %v", name, rec.Codes())
		}
	}
}

// Where next to nothing else can come, that nothing else comes is no suspicion:
// of two classes one is often rare.
func TestStuckTwins(t *testing.T) {
	const none = -100
	tests := map[string]struct {
		size    int
		options []guards.SiteOption
		ids     []int32
	}{
		"one token":              {1, nil, make([]int32, 64)},
		"one token that must":    {1, []guards.SiteOption{guards.MustVary()}, make([]int32, 64)},
		"the usual of two":       {2, nil, make([]int32, 64)},
		"the rare one of two":    {2, nil, slices.Repeat([]int32{1}, 64)},
		"another id beside fill": {100, nil, slices.Repeat([]int32{0, 7, none, none}, 16)},
		"fill alone":             {100, nil, slices.Repeat([]int32{none}, 64)},
	}
	for name, c := range tests {
		rec := guardtest.Record(t)
		site := guards.DecodeSite("evaluate", vocabulary(t, c.size, guards.LogitsWidth(c.size), guards.Fill(none)), c.options...)
		if err := guards.CheckTokenMatrix(site, c.ids, 4); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := rec.Codes(); len(got) > 0 {
			t.Errorf("%s: the record holds %v", name, got)
		}
	}
}

func vocabulary(t *testing.T, size int, options ...guards.VocabOption) *guards.Vocab {
	t.Helper()
	v, err := guards.NewVocab(size, options...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A trainer that asks for its site at each batch still has one, which sees that
// nothing changes from batch to batch.
func TestSiteOfEachBatchIsOne(t *testing.T) {
	rec := guardtest.Record(t)
	vocab := vocabulary(t, 100)
	site := func(options ...guards.SiteOption) *guards.Site {
		return guards.DecodeSite("evaluate", vocab, options...)
	}
	first := site()
	for range 4 {
		if err := guards.CheckTokenIDs(site(), make([]int32, 12)); err != nil {
			t.Fatal(err)
		}
	}
	if first.Seen() != 48 || !slices.Equal(rec.Codes(), []string{"ids-stuck"}) {
		t.Errorf("%d ids, %v", first.Seen(), rec.Codes())
	}
	for name, other := range map[string]*guards.Site{
		"another line":   guards.DecodeSite("evaluate", vocab),
		"another option": site(guards.MayRepeat()),
		"another run":    guards.New(guards.Options{}).DecodeSite("evaluate", vocab),
	} {
		if other == first || other.Seen() != 0 {
			t.Errorf("%s gives the same site", name)
		}
	}
}
