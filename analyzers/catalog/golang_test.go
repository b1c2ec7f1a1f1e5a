package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCatalogueIsSound holds what the analyzers rely on.
func TestCatalogueIsSound(t *testing.T) {
	t.Parallel()
	kinds := []Kind{Decode, Step, Implicit, Scaler, Backward, ZeroGrad, Clip, ClipNaN, Eval, Bound, Source, Forward, Opaque}
	impossible := []string{"drops", "replaces", "empty", "false", "error", "panics"}
	bounds := []string{"whole", "loose", "base", "base-unless-true", "zero"}
	fails := []string{"error", "panic", "none", "overflow", "applied", ""}
	g := Golang()
	for _, e := range g.Entries() {
		name := e.String()
		require.Contains(t, kinds, e.Kind, name)
		require.Contains(t, fails, e.Fails.How, name)
		switch e.Kind {
		case Decode:
			require.Contains(t, impossible, e.Impossible, name)
		case Bound:
			require.Contains(t, bounds, e.Bound, name)
		case Step, Implicit:
			require.NotEmpty(t, e.Fails.How, name)
			require.NotEmpty(t, e.Does, name)
		}
		if e.Sibling != "" {
			sibling := g.find(e.Package, e.Receiver, e.Sibling)
			require.NotNil(t, sibling, name)
			require.Equal(t, Decode, sibling.Kind, name)
		}
	}
	require.Greater(t, len(g.Entries()), 180)
}

// TestBothGenerationsOfGoMLX holds that a training is found whichever path its
// library has.
func TestBothGenerationsOfGoMLX(t *testing.T) {
	t.Parallel()
	g := Golang()
	for _, e := range g.Entries() {
		if strings.Contains(e.Package, "gomlx/gomlx/ml/train") && e.Kind != Eval && e.Receiver != "OptimizeWithGradients" {
			old := strings.ReplaceAll(strings.Replace(e.Package, "/ml/", "/pkg/ml/", 1), "/optimizer", "/optimizers")
			require.NotNil(t, g.find(old, e.Receiver, e.Name), "%s has no row under %s", e, old)
		}
	}
}

func TestRowsAreRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"a\tT\tDecode\tdecode",
		"a\tT\tDecode\tdecode\t-\t-\tdrops\t-\t-\t-\t-",
		"a\tT\tDecode\tdecode\tx\t-\tdrops\t-\t-\t-\t-",
		"a\tT\tStep\tstep\t0\tstep\t-\t-\terror\t-\t-",
		"a\tT\tStep\tstep\t-\tstep\t-\t-\tapplied:x\t-\t-",
		"a\tT\tStep,Step\tstep\t-\tstep\t-\t-\terror\t-\t-",
	} {
		_, err := parseGo(bad, "")
		require.ErrorContains(t, err, "go.tsv:1", bad)
	}
	_, err := parseGo("", "names without a class")
	require.ErrorContains(t, err, "go_names.tsv:1")
}

func TestNames(t *testing.T) {
	t.Parallel()
	g := Golang()
	require.True(t, g.Is("decode-ids", "DecodeBatch"))
	require.False(t, g.Is("decode-ids", "Encode"))
	require.True(t, slices.IsSorted(g.Words("generate-words")))
}
