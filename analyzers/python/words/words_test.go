package words

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEach(t *testing.T) {
	t.Parallel()
	list := []Word{
		{"GradScaler", false}, {"backward(", false}, {".step", false}, {"autocast", false}, {"torch.nn", false}, {"step(", false}, {".batch_decode", true}, {".step", false},
		{".to(", false}, {"nan\"", true},
	}
	for text, want := range map[string][]string{
		"":                                     nil,
		"step":                                 nil,
		"x.step(":                              {"2@1", "5@2", "7@1"},
		"loss.backward()\nopt.step()":          {"1@5", "2@19", "5@20", "7@19"},
		"import torch.nn as nn":                {"4@7"},
		"gradscaler":                           nil,
		"t.Batch_Decode(":                      {"6@1"},
		strings.Repeat("x", 1000) + "autocast": {"3@1000"},
		"GradScalerautocast":                   {"0@0", "3@10"},
		".to(.to(-.to(":                        {"8@0", "8@4", "8@9"},
		"\x80.to(x.to(":                        {"8@1", "8@6"},
		"NaN\" \"nan\"":                        {"9@0", "9@6"},
		strings.Repeat("x", 1001) + ".to(":     {"8@1001"},
	} {
		require.ElementsMatch(t, want, foundBy(New(list), text), text)
	}
}

func foundBy(f *Finder, text string) []string {
	var got []string
	f.Each([]byte(text), func(word, start int) bool {
		got = append(got, fmt.Sprintf("%d@%d", word, start))
		return true
	})
	return got
}

// TestEachOfManyShort: a word of four bytes has more than a hundred entries.
func TestEachOfManyShort(t *testing.T) {
	t.Parallel()
	var list []Word
	for i := range 1000 {
		list = append(list, Word{Text: fmt.Sprintf("x%03d", i)})
	}
	require.ElementsMatch(t, []string{"7@1", "999@5"}, foundBy(New(list), ".x007x999"))
}

func TestEachStops(t *testing.T) {
	t.Parallel()
	f := New([]Word{{"autocast", false}})
	for _, text := range []string{"autocast autocast", strings.Repeat("autocast ", 9)} {
		n := 0
		require.False(t, f.Each([]byte(text), func(int, int) bool { n++; return n < 2 }))
		require.Equal(t, 2, n)
	}
	require.True(t, New(nil).Each([]byte("autocast"), nil))
	require.Panics(t, func() { New([]Word{{"ids", false}}) })
}

// FuzzEach holds the finder against a search for each word by itself.
func FuzzEach(f *testing.F) {
	f.Add("optimizer.step()\nOptimizer.STEP()", "optim|.step(|imizer")
	f.Add("aaaaaaaaaaaaaaaa", "aaaaa|aaaaaa")
	f.Fuzz(func(t *testing.T, text, list string) {
		if len(text) > 1<<10 || len(list) > 1<<12 {
			t.Skip("each word may stand at each byte")
		}
		var words []Word
		for i, w := range strings.Split(list, "|") {
			if len(w) < MinLen || len(w) > MaxLen || len(words) > 500 {
				continue
			}
			fold := i%2 == 1
			if fold {
				w = lower(w)
			}
			words = append(words, Word{w, fold})
		}
		var want []string
		for k, w := range words {
			in := text
			if w.Fold {
				in = lower(text)
			}
			for at := range len(in) {
				if strings.HasPrefix(in[at:], w.Text) {
					want = append(want, fmt.Sprintf("%d@%d", k, at))
				}
			}
		}
		got := foundBy(New(words), text)
		slices.Sort(want)
		slices.Sort(got)
		require.Equal(t, want, got)
	})
}

// lower folds ASCII alone.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// TestFour holds the search for four bytes against that of the standard library.
func TestFour(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() { NewFour("loss ") })
	f := NewFour(".to(")
	for n := range 40 {
		for at := range n + 1 {
			text := strings.Repeat("t", at) + ".to(" + strings.Repeat(".", n-at)
			for from := range len(text) + 1 {
				want := strings.Index(text[from:], ".to(")
				if want >= 0 {
					want += from
				}
				require.Equal(t, want, f.Index([]byte(text), from), "%q from %d", text, from)
			}
		}
	}
	require.Equal(t, -1, NewFour("aaab").Index([]byte("aaa"), 0))
	require.Equal(t, 2, NewFour("aaab").Index([]byte("aaaaab"), 0))
}

func FuzzFour(f *testing.F) {
	f.Add("x.to(y).to(z)", ".to(", 3)
	f.Add("losloslosslossloss", "loss", 0)
	f.Fuzz(func(t *testing.T, text, word string, from int) {
		if len(word) != 4 || from < 0 || from > len(text) {
			return
		}
		want := strings.Index(text[from:], word)
		if want >= 0 {
			want += from
		}
		require.Equal(t, want, NewFour(word).Index([]byte(text), from))
	})
}
