package analyzers

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/ledger"
)

func TestToolIDFollowsTheLedgers(t *testing.T) {
	top := t.TempDir()
	write(t, filepath.Join(top, ".git", "HEAD"), "")
	write(t, filepath.Join(top, "m", "go.mod"), "module m")
	id := func() string {
		t.Helper()
		got, err := ToolID(filepath.Join(top, "m"))
		require.NoError(t, err)
		return got
	}
	none := id()
	require.Equal(t, none, id())
	write(t, filepath.Join(top, LedgerName), ledger.Header+"\n")
	above := id()
	require.NotEqual(t, none, above)
	write(t, filepath.Join(top, "m", "sub", LedgerName), ledger.Header+"\n")
	below := id()
	require.NotEqual(t, above, below, "a package answers to the nearest ledger above it")
	write(t, filepath.Join(top, "m", "node_modules", LedgerName), "of no package")
	require.Equal(t, below, id())
	t.Setenv("TRAINVET_UNITS", "1")
	wired := id()
	write(t, filepath.Join(top, LedgerName), ledger.Header+"\n# edited\n")
	require.Equal(t, wired, id(), "units of trainvet vet read no ledger")
	require.NotContains(t, []string{none, above, below}, wired)
}
