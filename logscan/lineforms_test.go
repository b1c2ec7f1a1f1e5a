package logscan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The expressions of lines.tsv are compiled when they are needed: here is where
// a wrong one shows.
func TestLineFormsCompile(t *testing.T) {
	t.Parallel()
	forms, err := loadLineForms()
	require.NoError(t, err)
	for i, f := range forms.forms {
		require.NotPanics(t, func() { f.pattern() }, forms.anchors[i])
	}
}
