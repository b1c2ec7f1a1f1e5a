package syntax

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDamage holds how little one broken token costs: whole files of the
// standard library with one token deleted or inserted keep nearly all of the
// methods that they call.
func TestDamage(t *testing.T) {
	files := pythonFiles(t, libraries(t, pythons(t)[0]))
	r := rand.New(rand.NewPCG(7, 7))
	before, after, broken := 0, 0, 0
	lost := map[string]float64{}
	for range 300 {
		name := files[r.IntN(len(files))]
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		whole := Parse(src)
		want := methods(whole)
		if !whole.Valid() || len(want) < 20 || len(src) > 200_000 {
			continue
		}
		tokens := roughTokens(src)
		i := r.IntN(len(tokens))
		what := tokens[i]
		if r.IntN(2) == 0 {
			tokens[i] = ""
		} else {
			what = inserted[r.IntN(len(inserted))]
			tokens[i] = " " + what + " " + tokens[i]
		}
		f := Parse([]byte(strings.Join(tokens, "")))
		checkTree(t, f)
		if f.Valid() {
			continue
		}
		broken++
		have := min(len(methods(f)), len(want))
		before += len(want)
		after += have
		if share := float64(have) / float64(len(want)); share < 0.9 {
			lost[what+" in "+name] = share
		}
	}
	require.NotZero(t, broken)
	share := float64(after) / float64(before)
	t.Logf("%d broken files: %.4f of %d method calls are still read; under 0.9 in %d: %v", broken, share, before, len(lost), lost)
	require.Greater(t, share, 0.97)
}

// methods are the names of the methods that a file calls, sorted.
func methods(f *File) []string {
	var out []string
	for n := range f.Preorder(f.Root()) {
		if fn := f.Child(n, RoleFunc); f.Kind(fn) == Attribute {
			out = append(out, string(f.Name(fn)))
		}
	}
	slices.Sort(out)
	return out
}
