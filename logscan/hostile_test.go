package logscan_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/verdict"
)

const healthyLog = "step 1 loss 2.5\nstep 2 loss 2.1\nstep 3 loss 1.9\ntest accuracy 0.8919 (33/37)\n"

// auditOf audits a folder of these files.
func auditOf(t *testing.T, files map[string][]byte) (*verdict.Result, []string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	res, ev, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{})
	require.NoError(t, err)
	var unread []string
	for _, u := range ev.Unread {
		unread = append(unread, strings.TrimPrefix(u.Path, dir)+" "+u.Why)
	}
	return res, unread
}

// A run that went well leaves an empty standard error: it was read, and says
// that nothing was printed there.
func TestEmptyFilesAreRead(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"nothing": "", "a line feed": "\n"} {
		res, unread := auditOf(t, map[string][]byte{"train.log": []byte(healthyLog), "train.err": []byte(text)})
		require.Empty(t, unread, name)
		require.Equal(t, verdict.Trusted, res.Headline, name)
	}
}

// What is said of a file that could not be read names it once.
func TestUnreadNamesThePathOnce(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(strings.Repeat(healthyLog, 100)))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	_, unread := auditOf(t, map[string][]byte{"train.log.gz": b.Bytes()[:b.Len()-9]})
	require.Len(t, unread, 1)
	require.Equal(t, 1, strings.Count(unread[0], "train.log.gz"), unread[0])
}

// An output that is too long to be held is named: what was not read was not checked.
func TestNotebookOutputThatIsCutIsNamed(t *testing.T) {
	t.Parallel()
	cell := `{"cells":[{"cell_type":"code","outputs":[{"output_type":"stream","name":"stdout","text":"` +
		strings.Repeat("x", 5<<20) + `\ntest accuracy 0.5\n"}]}],"nbformat":4}`
	_, unread := auditOf(t, map[string][]byte{"run.ipynb": []byte(cell)})
	require.Len(t, unread, 1)
	require.Contains(t, unread[0], "4 MiB")
}

// A counter that is no number is none; a table of many columns costs no more
// memory and time than a narrow one.
func TestOddCountersAndWideTables(t *testing.T) {
	t.Parallel()
	res, _ := auditOf(t, map[string][]byte{"log.jsonl": []byte(`{"eval_acc": 0.4, "step": NaN}` + "\n" + `{"eval_acc": 0.5, "step": Infinity}` + "\n")})
	require.NotEmpty(t, res.Claims)
	for _, c := range res.Claims {
		require.False(t, c.Step.Has, c.Step)
	}
	var wide strings.Builder
	for step := range 1000 {
		fmt.Fprintf(&wide, `{"step": %d, "eval_loss": 0.5`, step)
		for i := range 240 {
			fmt.Fprintf(&wide, `, "eval_n%d": 0.%d`, i, step)
		}
		wide.WriteString("}\n")
	}
	began := time.Now()
	res, _ = auditOf(t, map[string][]byte{"log.jsonl": []byte(wide.String())})
	require.Len(t, res.Claims, 241)
	require.Less(t, time.Since(began), time.Minute)
}
