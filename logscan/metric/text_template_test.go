package metric

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/source"
)

// TestTemplatesReadAsTheScanner: the short way gives what the long way gives,
// for every line of the corpora with other numbers in it.
func TestTemplatesReadAsTheScanner(t *testing.T) {
	t.Parallel()
	c := load(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, path := range []string{"testdata/examples.txt", "testdata/frameworks.txt"} {
		for _, s := range sections(t, path) {
			for _, line := range strings.Split(s.text, "\n") {
				short, long := c.NewReader(), c.NewReader()
				long.temps.off = true
				for range 8 {
					line := otherNumbers(line, rng)
					require.Equal(t, readLine(long, line), readLine(short, line), line)
				}
			}
		}
	}
}

func readLine(r *Reader, line string) string {
	var b strings.Builder
	l := source.Line{Text: []byte(line), End: int64(len(line)), No: 1}
	r.Line(&l, func(rec *Record) { renderRecord(&b, rec) })
	return b.String()
}

// otherNumbers changes digits, and now and then what a number looks like.
func otherNumbers(line string, rng *rand.Rand) string {
	b := []byte(line)
	for i := range b {
		if isDigit(b[i]) && rng.IntN(2) == 0 {
			b[i] = '0' + byte(rng.IntN(10))
		}
	}
	s := string(b)
	switch rng.IntN(8) {
	case 0:
		s = strings.Replace(s, ": 0.", ": nan 0.", 1)
	case 1:
		s = strings.Replace(s, ": ", ": -", 1)
	case 2:
		s = strings.Replace(s, "  ", "      ", 1)
	case 3:
		s = strings.Replace(s, " 1", " 11", 1)
	case 4:
		s = strings.Replace(s, "e-0", "e-1", 1)
	}
	return s
}

// TestAddressesFitATemplate: chatty libraries print addresses, whose letters
// differ from line to line; the scanner looks at two such lines and no more.
func TestAddressesFitATemplate(t *testing.T) {
	t.Parallel()
	r := load(t).NewReader()
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		line := fmt.Sprintf("[0] NCCL INFO AllReduce: opCount %d sendbuff 0x%x busId %d%x comm 0x%X [nranks=64]",
			rng.IntN(1000), rng.Uint64(), rng.IntN(9), 0xb000+rng.IntN(200), rng.Uint64())
		require.Empty(t, readLine(r, line))
	}
	require.Equal(t, 2, r.temps.scans)
}

// TestAddressesAreReadAsTheScannerReadsThem: values stand beside addresses too,
// and what is glued to one makes it another token.
func TestAddressesAreReadAsTheScannerReadsThem(t *testing.T) {
	t.Parallel()
	c := load(t)
	rng := rand.New(rand.NewPCG(7, 8))
	const hex = "0123456789abcdefABCDEFxz.:-%"
	for _, shape := range []string{"step 5 | buf 0x~ | loss 1.25", "0x~ step 5 loss: 0.5", "loss=0x~ acc=0.5 epoch 3", "epoch 3 loss 0.5 1~"} {
		short, long := c.NewReader(), c.NewReader()
		long.temps.off = true
		for range 3000 {
			digits := make([]byte, 1+rng.IntN(6))
			for i := range digits {
				digits[i] = hex[rng.IntN(len(hex)-rng.IntN(2)*6)]
			}
			line := strings.Replace(shape, "~", string(digits), 1)
			require.Equal(t, readLine(long, line), readLine(short, line), line)
		}
	}
}

// TestLinesRepeatWithoutAllocation: a repeated line costs its record's one string.
func TestLinesRepeatWithoutAllocation(t *testing.T) {
	c := load(t)
	for line, most := range map[string]float64{
		"{'loss': 2.3187, 'grad_norm': 4.250112533569336, 'learning_rate': 4.75e-05, 'epoch': 0.12}": 1,
		"host-a:24437:24484 [0] NCCL INFO Channel 00/02 :    0   1   2   3":                          0,
		"Saving the model and its tokenizer beside the optimizer state":                              0,
	} {
		r := c.NewReader()
		l := source.Line{Text: []byte(line), End: int64(len(line))}
		emit := func(*Record) {}
		for range 3 {
			r.Line(&l, emit)
		}
		require.LessOrEqual(t, testing.AllocsPerRun(100, func() { r.Line(&l, emit) }), most, line)
	}
}

// TestAReaderThatReadOthersReadsAsANewOne: what one source taught a reader must
// not show in the next.
func TestAReaderThatReadOthersReadsAsANewOne(t *testing.T) {
	t.Parallel()
	c := load(t)
	rng := rand.New(rand.NewPCG(3, 4))
	used := c.NewReader()
	for range 3 {
		for _, path := range []string{"testdata/examples.txt", "testdata/frameworks.txt"} {
			all := sections(t, path)
			rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
			for _, s := range all {
				text := strings.Repeat(otherNumbers(s.text, rng)+"\n", 2)
				used.Reset()
				require.Equal(t, readAll(c.NewReader(), text), readAll(used, text), s.text)
			}
		}
	}
}

func readAll(r *Reader, text string) string {
	var b strings.Builder
	emit := func(rec *Record) { renderRecord(&b, rec) }
	for i, line := range strings.Split(text, "\n") {
		l := source.Line{Text: []byte(line), End: int64(len(line)), No: int64(i + 1)}
		r.Line(&l, emit)
	}
	r.Close(emit)
	return b.String()
}
