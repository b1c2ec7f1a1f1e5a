package probe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadOverfit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	r, err := ReadOverfit(dir)
	require.NoError(t, err)
	require.False(t, r.Learned(), "nothing was seen, which is no pass")
	put("overfit-1.json", `{"pid":1,"samples":8,"steps":200,"loaders":1,"first":1.4,"last":0.01,"finite":true,"rate":0.01,"code":""}`)
	r, err = ReadOverfit(dir)
	require.NoError(t, err)
	require.True(t, r.Learned())
	put("overfit-2.json", `{"pid":2,"samples":8,"steps":50,"loaders":1,"first":1.4,"last":1.387,"finite":true,"rate":0.01,"code":"stands-at-chance"}`)
	r, err = ReadOverfit(dir)
	require.NoError(t, err)
	require.False(t, r.Learned(), "one of two did not")
	var b strings.Builder
	require.NoError(t, r.WriteText(&b, false))
	require.Equal(t, `pass  overfit: 8 samples, 200 steps, loss 1.4 to 0.01, learning rate at most 0.01 (process 1)
FAIL  overfit: 8 samples, 50 steps, loss 1.4 to 1.387, learning rate at most 0.01 (process 2)
      stands-at-chance: the loss stands where it began, at ln 4, which is what guessing among 4 classes costs; the trainer ended after 50 steps, 200 would have been watched
      do: look whether inputs and labels belong together, at the learning rate, and at layers that are frozen
`, b.String())
	put("overfit-3.json", `{"pid":`)
	_, err = ReadOverfit(dir)
	require.ErrorContains(t, err, "overfit-3.json")
}

// TestOverfitTextsAreThoseOfTheRuntime: each code that the runtime can write has a
// text, and no text is of a code that it cannot.
func TestOverfitTextsAreThoseOfTheRuntime(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../guards/python/trainvet/overfit.py")
	require.NoError(t, err)
	written := map[string]bool{}
	for line := range strings.Lines(string(source)) {
		if code, ok := strings.CutPrefix(strings.TrimSpace(line), `return "`); ok {
			written[strings.TrimSuffix(code, `"`)] = true
		}
	}
	delete(written, "") // learned
	require.Len(t, overfitTexts(), len(written))
	for code := range overfitTexts() {
		require.True(t, written[code], code)
	}
}

func TestChance(t *testing.T) {
	t.Parallel()
	require.Contains(t, chance(0.6931), "2 classes")
	require.Contains(t, chance(2.3026), "10 classes")
	for _, loss := range []float64{0.5, 0, -1, 1e9, 1.25, 9.2} {
		require.Empty(t, chance(loss), loss)
	}
}
