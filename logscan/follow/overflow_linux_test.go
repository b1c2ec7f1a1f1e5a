package follow

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMoreNotificationsThanTheKernelKeeps: the follower is busy elsewhere while
// the folder sees more than fits the queue. It says so, and reads on.
func TestMoreNotificationsThanTheKernelKeeps(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	require.NoError(t, err)
	queue, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	if queue > 20_000 {
		t.Skipf("the queue holds %d", queue)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "log")
	appendTo(t, path, "one\n")
	f := open(t, path, Options{})
	if f.Polling() != "" {
		t.Skip(f.Polling())
	}
	all(t, f)
	for i := range queue { // made and removed: more than two notifications each
		name := filepath.Join(dir, "x"+strconv.Itoa(i%7))
		require.NoError(t, os.WriteFile(name, nil, 0o600))
		require.NoError(t, os.Remove(name))
	}
	appendTo(t, path, "two\n")
	got, gaps := until(t, f, "two\n")
	require.Equal(t, "two\n", got)
	for len(gaps) == 0 {
		e, err := f.Next(t.Context())
		require.NoError(t, err)
		require.NotNil(t, e.Gap)
		gaps = append(gaps, e.Gap.Kind)
	}
	require.Equal(t, []Kind{Overflow}, gaps)
}
