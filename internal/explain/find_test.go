package explain

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/report"
	"github.com/trainvet/trainvet/logscan/marker"
)

func shelves(t *testing.T) []Shelf {
	t.Helper()
	markers, err := marker.Load()
	require.NoError(t, err)
	cfg, err := config.NewSchema().Parse("trainvet.toml", []byte("[audit.skips]\nlast = 5\n"))
	require.NoError(t, err)
	s, err := Shelves(markers, cfg)
	require.NoError(t, err)
	return s
}

// TestEveryCodeIsExplained holds that no catalogue lists a code of which it
// then has nothing to say.
func TestEveryCodeIsExplained(t *testing.T) {
	t.Parallel()
	for _, s := range shelves(t) {
		require.NotEmpty(t, s.Codes(), s.Name())
		for _, code := range s.Codes() {
			e := s.Entry(code)
			require.Equal(t, code, e.Code, s.Name())
			require.NotEmpty(t, e.What, "%s of %s", code, s.Name())
			require.NotEmpty(t, e.Kind, code)
			require.NoError(t, report.Explain(&bytes.Buffer{}, e, report.Options{}))
		}
	}
}

// TestEveryXidSaysWhatToDo holds that no reader is left with a word of NVIDIA's
// catalogue alone.
func TestEveryXidSaysWhatToDo(t *testing.T) {
	t.Parallel()
	markers, err := marker.Load()
	require.NoError(t, err)
	x, err := newXids(markers)
	require.NoError(t, err)
	for _, code := range x.Codes() {
		require.NotEmpty(t, x.Entry(code).Remedy, code)
		require.NotRegexp(t, "[A-Z]_", x.Entry(code).Remedy[0], code)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	all := shelves(t)
	for code, kind := range map[string]string{
		"poisoned": "verdict", "Captured": "assurance", "look-back": "reason",
		"mtl-cb-aborted": "marker", "Xid 79": "NVIDIA driver code", "xid-79": "NVIDIA driver code",
		"audit.skips.last": "configuration key", "stderr": "not checked", "curve-not-checked": "not checked", "tv201": "rule fault-swallowed",
	} {
		found, err := Find(all, code)
		require.NoError(t, err, code)
		require.Equal(t, kind, found[0].Kind, code)
	}
	found, err := Find(all, "audit.skips.last")
	require.NoError(t, err)
	require.Equal(t, "int in 1..; now 5 (trainvet.toml:2)", found[0].Effect)
}

func TestFindSuggests(t *testing.T) {
	t.Parallel()
	all := shelves(t)
	for code, near := range map[string]string{
		"lok-back": "look-back", "POISOND": "POISONED", "mtl-cb-abortd": "mtl-cb-aborted",
		"audit.skip.last": "audit.skips.last", "qqqqqqqq": "",
	} {
		_, err := Find(all, code)
		var unknown *UnknownError
		require.ErrorAs(t, err, &unknown, code)
		require.Equal(t, near, unknown.Near, code)
	}
}
