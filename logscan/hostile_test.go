package logscan_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
