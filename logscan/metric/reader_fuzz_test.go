package metric

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/source"
)

// FuzzReader: no line makes the reader panic, records lie within their line,
// and every value is the number that its text says.
func FuzzReader(f *testing.F) {
	for _, path := range []string{"testdata/examples.txt", "testdata/frameworks.txt"} {
		for _, s := range sections(f, path) {
			f.Add(s.text)
		}
	}
	logs, _ := filepath.Glob("../../testdata/cases/*/log.txt")
	for _, p := range logs {
		if raw, err := os.ReadFile(p); err == nil {
			f.Add(string(raw))
		}
	}
	c := load(f)
	f.Fuzz(func(t *testing.T, text string) {
		r := c.NewReader()
		var off int64
		emit := func(rec *Record) {
			if rec.Offset > rec.End {
				t.Fatalf("record from %d to %d", rec.Offset, rec.End)
			}
			for i := range rec.Fields {
				checkField(t, &rec.Fields[i])
			}
		}
		for i, line := range strings.Split(text, "\n") {
			l := source.Line{Offset: off, End: off + int64(len(line)) + 1, No: int64(i + 1), Text: []byte(line)}
			r.Line(&l, emit)
			off = l.End
		}
		r.Close(emit)
	})
}

// checkField: the value round-trips its text. Times are in seconds whatever
// the text's unit, fractions are of "k/n".
func checkField(t *testing.T, f *Field) {
	t.Helper()
	if f.Absent || f.Placeholder || f.Role == evidence.Speed || f.Good != nil || math.IsNaN(f.Value) {
		return
	}
	text := strings.ReplaceAll(strings.TrimSuffix(f.Text, "%"), ",", "")
	if before, after, julia := strings.Cut(text, "f"); julia && !strings.ContainsAny(text, "iI") {
		text = before + "e" + after // 2.3f0, where inf is spelt with an i
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) {
		t.Fatalf("%s: text %q is no number: %v", f.Name, f.Text, err)
	}
	if v != f.Value {
		t.Fatalf("%s: %q was read as %v", f.Name, f.Text, f.Value)
	}
}

// FuzzTemplates: the short way of lines that repeat gives what the scanner gives.
func FuzzTemplates(f *testing.F) {
	f.Add("node-3:1:2 [0] NCCL INFO comm 0x7f3c rank 3 busId 1b000 - Init START", uint64(1))
	f.Add("{'eval_loss': 1.25, 'eval_runtime': 9.06, 'epoch': 0.1}", uint64(2))
	f.Add(" iteration  5/  100 | lm loss: 2.1E+00 | buf 0xab | grad norm: 0.14 |", uint64(3))
	f.Add("  3%|#  | 3/100 [00:41<01:02,  2.3it/s, loss=0.08]", uint64(4))
	c := load(f)
	f.Fuzz(func(t *testing.T, line string, seed uint64) {
		short, long := c.NewReader(), c.NewReader()
		long.temps.off = true
		rng := rand.New(rand.NewPCG(seed, 1))
		for range 4 {
			line := otherNumbers(line, rng)
			require.Equal(t, readLine(long, line), readLine(short, line), line)
		}
	})
}
