package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
)

const positive = "../../logscan/marker/testdata/positive.tsv"

// An audit finds all of the truth: what is measured does the work.
func TestAuditFindsTheTruth(t *testing.T) {
	t.Parallel()
	faults, err := ReadFaults(positive)
	require.NoError(t, err)
	for _, name := range Shapes() {
		for _, size := range []int64{1 << 20, 40 << 20} { // read whole, and through the filter
			chosen, err := faults.Choose(name, 10, uint64(size))
			require.NoError(t, err)
			log := Log{Shape: name, Size: size, Seed: 1, Faults: chosen}
			path := filepath.Join(t.TempDir(), name+".log")
			truth, err := log.WriteFile(path)
			require.NoError(t, err)
			ev, err := logscan.Scan(t.Context(), []string{path}, nil, logscan.Options{})
			require.NoError(t, err)
			require.Empty(t, truth.Missed(ev), "%s of %d bytes", name, size)
		}
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	t.Parallel()
	for _, name := range Shapes() {
		var texts [3]bytes.Buffer
		var truths [3]*Truth
		for i, seed := range []uint64{1, 1, 2} {
			log := Log{Shape: name, Size: 1 << 16, Seed: seed, Faults: []Fault{{ID: "x", Line: "a fault"}}}
			var err error
			truths[i], err = log.Write(&texts[i])
			require.NoError(t, err)
			require.EqualValues(t, texts[i].Len(), truths[i].Bytes)
			require.EqualValues(t, bytes.Count(texts[i].Bytes(), []byte("\n")), truths[i].Lines)
		}
		require.Equal(t, truths[0], truths[1])
		require.Equal(t, texts[0].String(), texts[1].String())
		if name != "storm" { // all its lines are alike
			require.NotEqual(t, texts[0].String(), texts[2].String())
			at := truths[0].Faults[0].Offset
			require.Equal(t, "a fault", texts[0].String()[at:at+7])
		}
	}
}

func TestRanks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := Log{Size: 1 << 20, Seed: 1, Faults: []Fault{{ID: "x", Line: "a fault"}}}
	files, truth, err := log.WriteRanks(dir)
	require.NoError(t, err)
	require.Len(t, files, 9)
	require.Len(t, truth.Faults, 1)
	text, err := os.ReadFile(filepath.Join(dir, files[0]))
	require.NoError(t, err)
	require.Equal(t, rankLines, bytes.Count(text, []byte("\n")))
}
