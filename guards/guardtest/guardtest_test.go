package guardtest_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/trainvet/trainvet/guards"
	"github.com/trainvet/trainvet/guards/guardtest"
)

func vocab(t testing.TB, size int, options ...guards.VocabOption) *guards.Vocab {
	t.Helper()
	v, err := guards.NewVocab(size, options...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEveryBatchIsWhatItSays(t *testing.T) {
	holes, err := guards.NewVocabOf(slices.Values([]int{0, 1, 2, 3, 50, 60, 100}), guards.LogitsWidth(128))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []*guards.Vocab{vocab(t, 1000), vocab(t, 1000, guards.LogitsWidth(1064)), vocab(t, 1000, guards.LogitsWidth(996)), vocab(t, 1), holes} {
		all[int](t, v)
		all[int32](t, v)
		all[int64](t, v)
		all[uint](t, v)
		all[uint32](t, v)
		all[uint16](t, v)
	}
}

func all[T guards.ID](t *testing.T, v *guards.Vocab) {
	t.Helper()
	for _, b := range guardtest.Batches[T](v, 4, 32) {
		for shape, check := range map[string]func(*guards.Site) error{
			"rows":   func(s *guards.Site) error { return guards.CheckTokenRows(s, b.Rows) },
			"flat":   func(s *guards.Site) error { return guards.CheckTokenIDs(s, b.Flat()) },
			"matrix": func(s *guards.Site) error { return guards.CheckTokenMatrix(s, b.Flat(), 32) },
		} {
			rec := guardtest.Record(t)
			site := guards.DecodeSite("x", v)
			if v.Size() == 1 && b.Grade == "" {
				continue // a vocabulary of one token is always stuck
			}
			err := check(site)
			if !errors.Is(err, b.Err) || (err == nil) != (b.Err == nil) {
				t.Errorf("%T, %d of %d, %s as %s: %v, want %v", T(0), v.Size(), v.Width(), b.Name, shape, err, b.Err)
			}
			if got := rec.Codes(); b.Grade != "" && !slices.Contains(got, b.Grade) || b.Grade == "" && len(got) > 0 {
				t.Errorf("%T, %d of %d, %s as %s: recorded %v, want %q", T(0), v.Size(), v.Width(), b.Name, shape, got, b.Grade)
			}
		}
	}
}

func TestEveryGradeHasABatch(t *testing.T) {
	t.Parallel()
	grades := map[string]bool{}
	for _, v := range []*guards.Vocab{vocab(t, 1000, guards.LogitsWidth(1064)), vocab(t, 1000, guards.LogitsWidth(996))} {
		for _, b := range guardtest.Batches[int64](v, 4, 32) {
			grades[b.Grade] = true
		}
	}
	want := []string{"", "ids-impossible", "ids-reverse-gap", "ids-signature", "ids-stuck", "ids-unmapped"}
	if got := slices.Sorted(maps.Keys(grades)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEveryTensorIsWhatItSays(t *testing.T) {
	t.Parallel()
	tensors[float32](t)
	tensors[float64](t)
	for _, f := range []guards.Format{guards.BF16, guards.FP16} {
		for _, c := range guardtest.HalfTensors(f, 1000) {
			w := guards.New(guards.Options{}).WatchFinite(guards.Parameter)
			if err := guards.CheckFiniteBits(w, "w", c.Values, f); !errors.Is(err, c.Err) || (err == nil) != (c.Err == nil) {
				t.Errorf("format %d, %s: %v, want %v", f, c.Name, err, c.Err)
			}
		}
	}
}

func tensors[T guards.Float](t *testing.T) {
	t.Helper()
	for _, c := range guardtest.Tensors[T](1000) {
		w := guards.New(guards.Options{}).WatchFinite(guards.Output)
		if err := guards.CheckFinite(w, "logits", c.Values); !errors.Is(err, c.Err) || (err == nil) != (c.Err == nil) {
			t.Errorf("%T, %s: %v, want %v", T(0), c.Name, err, c.Err)
		}
	}
}

// A trainer whose decode is guarded, and whose error reaches the top.
func TestDecode(t *testing.T) {
	v := vocab(t, 1000, guards.LogitsWidth(1064))
	guardtest.Decode(t, v, func(rows [][]int32) error {
		if err := guards.CheckTokenRows(guards.DecodeSite("evaluate", v), rows); err != nil {
			return fmt.Errorf("evaluating: %w", err)
		}
		return nil
	})
}

func TestFinite(t *testing.T) {
	guardtest.Finite(t, 100, func(values []float32) error {
		return guards.CheckFinite(guards.WatchFinite(guards.Output), "logits", values)
	})
}
