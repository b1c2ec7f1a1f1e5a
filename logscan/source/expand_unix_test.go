//go:build unix

package source

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSpecialFilesNeverBlock(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"train.log": logText})
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, "fifo.log"), 0o644))
	listener, err := net.Listen("unix", filepath.Join(root, "s.log"))
	require.NoError(t, err)
	defer listener.Close()
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(root, "zero.log")))
	require.NoError(t, os.Symlink("fifo.log", filepath.Join(root, "link.log")))
	set, err := expand(t, Options{}, root, filepath.Join(root, "fifo.log"), "/dev/null")
	require.NoError(t, err)
	require.Len(t, set.Inputs, 1)
	why := map[string]string{}
	for _, u := range set.Unread {
		why[filepath.Base(u.Path)] = u.Why
	}
	require.Len(t, why, 5)
	require.Contains(t, why["fifo.log"], "FIFO")
	require.Contains(t, why["link.log"], "FIFO")
	require.Contains(t, why["s.log"], "socket")
	require.Contains(t, why["zero.log"], "device")
	require.Contains(t, why["null"], "device")
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	root := tree(t, map[string]string{"train.log": logText, "no.log": logText, "closed/a.log": logText})
	require.NoError(t, os.Chmod(filepath.Join(root, "no.log"), 0))
	require.NoError(t, os.Chmod(filepath.Join(root, "closed"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "closed"), 0o755) })
	set, err := expand(t, Options{}, root)
	require.NoError(t, err)
	require.Len(t, set.Inputs, 1)
	require.Len(t, set.Unread, 2)
	for _, u := range set.Unread {
		require.True(t, strings.Contains(u.Why, "permission denied"), u.Why)
	}
}
