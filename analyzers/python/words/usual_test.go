package words

import (
	"cmp"
	"encoding/binary"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// usualGrams is how many grams are worth a line: one that is met less often costs
// a word nothing that could be measured.
const usualGrams = 4000

// TestUsual makes usual.txt of the Python below the folder that TRAINVET_USUAL
// names.
func TestUsual(t *testing.T) {
	dir := os.Getenv("TRAINVET_USUAL")
	if dir == "" {
		t.Skip("TRAINVET_USUAL is not set: it names a folder of trainers")
	}
	count := map[uint32]int{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) != ".py" {
			return err
		}
		text, err := os.ReadFile(name)
		for i := 0; i+gramLen <= len(text); i++ {
			count[binary.LittleEndian.Uint32(text[i:])|foldMask]++
		}
		return err
	}))
	grams := slices.SortedFunc(maps.Keys(count), func(a, b uint32) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	var out strings.Builder
	for _, g := range grams[:usualGrams] {
		line := binary.LittleEndian.AppendUint32(nil, g)
		if g&0x80808080 != 0 {
			continue // no word has letters beyond ASCII
		}
		for i, c := range line {
			if c == '_'|foldMask&0xff { // no text holds the byte that it folds to
				line[i] = '_'
			}
		}
		out.Write(append(line, '\n'))
	}
	require.NoError(t, os.WriteFile("usual.txt", []byte(out.String()), 0o644))
}

// TestUsualIsRead holds the form of usual.txt: a gram a line, none twice.
func TestUsualIsRead(t *testing.T) {
	t.Parallel()
	require.Len(t, newRarity(), len(usual)/usualLine)
	require.Equal(t, len(usual)/usualLine, strings.Count(usual, "\n"))
}
