package logscan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// hugeRun is a log too large to be read whole, with a given text at a given
// share of it.
func hugeRun(t *testing.T, insert map[int]string) string {
	t.Helper()
	const lines = 420_000
	path := filepath.Join(t.TempDir(), "run.log")
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	var b strings.Builder
	for i := range lines {
		if text, ok := insert[i*100/lines]; ok && i%(lines/100) == 0 {
			b.WriteString(text)
		}
		step := (i + 1) * 10
		fmt.Fprintf(&b, "{'loss': %.4f, 'grad_norm': %.6f, 'learning_rate': 5e-05, 'epoch': %.3f}\n", 1+0.5/float64(1+i/1000)+float64(i%7)/100, 1+float64(i%13)/10, float64(step)/42000)
		if i%42_000 == 41_999 {
			fmt.Fprintf(&b, "{'eval_loss': %.4f, 'eval_wer': %.3f, 'epoch': %.1f}\n", 1.1+0.1/float64(i), 30.5-float64(i)/50_000, float64(step)/42000)
		}
		if b.Len() > 1<<20 {
			_, err := f.WriteString(b.String())
			require.NoError(t, err)
			b.Reset()
		}
	}
	_, err = f.WriteString(b.String())
	require.NoError(t, err)
	return path
}

func audit(t *testing.T, path string, opt logscan.Options) *verdict.Result {
	t.Helper()
	res, _, err := logscan.Audit(t.Context(), []string{path}, nil, opt)
	require.NoError(t, err)
	return res
}

func TestHugeHealthyLogIsTrustedWithItsEvaluations(t *testing.T) {
	t.Parallel()
	res := audit(t, hugeRun(t, nil), logscan.Options{})
	require.Equal(t, verdict.Trusted, res.Headline)
	require.Len(t, res.Claims, 2)
	require.EqualValues(t, 420_010, res.Claims[0].At.Line)
	require.NotEmpty(t, res.Series)
}

func TestHugeLogShowsTheFaultAndItsLookBackWindow(t *testing.T) {
	t.Parallel()
	bad := strings.Repeat("{'loss': 9.5000, 'grad_norm': 1.100000, 'learning_rate': 5e-05, 'epoch': 51.000}\n", 3)
	res := audit(t, hugeRun(t, map[int]string{51: bad + "Error: command buffer exited with error status.\n"}), logscan.Options{})
	require.Equal(t, verdict.Poisoned, res.Headline)
	require.EqualValues(t, 214_200+5+4, res.Faults[0].First.At.Line)
	var verdicts []string
	for _, s := range res.Series[0].Stretches {
		verdicts = append(verdicts, s.Verdict.String())
	}
	require.Equal(t, []string{"TRUSTED", "UNPROVEN", "POISONED"}, verdicts)
	require.EqualValues(t, 3, res.Series[0].Stretches[1].N, "the window is read record by record")
	require.EqualValues(t, 214_200+5+1, res.Series[0].Stretches[1].From.Line)
}

func TestHugeLogFindsAValueThatIsNotFiniteWhereverItStands(t *testing.T) {
	t.Parallel()
	bad := "{'loss': nan, 'grad_norm': nan, 'learning_rate': 5e-05, 'epoch': 33.000}\n"
	res := audit(t, hugeRun(t, map[int]string{33: bad, 71: strings.Replace(bad, "nan", "1.2000", 1)}), logscan.Options{})
	poisoned := int64(0)
	for _, s := range res.Series[0].Stretches {
		if s.Verdict == verdict.Poisoned {
			poisoned += s.N
		}
	}
	require.EqualValues(t, 1, poisoned)
}
