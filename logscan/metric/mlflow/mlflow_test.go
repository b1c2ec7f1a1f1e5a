package mlflow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric/mlflow"
)

func read(t *testing.T, text string) ([]string, mlflow.Info) {
	t.Helper()
	var out []string
	info, err := mlflow.Read(context.Background(), strings.NewReader(text), "loss", func(p *mlflow.Point) error {
		out = append(out, fmt.Sprintf("%d@%d: %d %s %d %v", p.Line, p.Offset, p.Millis, p.Value.Text, p.Step, p.HasStep))
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, int64(len(text)), info.Bytes)
	return out, info
}

func TestPoints(t *testing.T) {
	t.Parallel()
	got, info := read(t, "1700000000123 0.4127 120\n1700000001123 nan\n1700000002123 -inf 130 data abc\n")
	require.Equal(t, []string{"1@0: 1700000000123 0.4127 120 true", "2@25: 1700000001123 nan 0 false", "3@43: 1700000002123 -inf 130 true"}, got)
	require.Zero(t, info.BadLines)
	require.Nil(t, info.Torn)
}

func TestTornAndBadLines(t *testing.T) {
	t.Parallel()
	got, info := read(t, "1700000000123 0.4 1\nwhat is this line\n"+strings.Repeat("x", 200_000)+"\n1700000000124 0.3 2\n1700000000125 0.2 1")
	require.Len(t, got, 2)
	require.Equal(t, int64(2), info.BadLines)
	require.Equal(t, "the file ends in it", info.Torn.Why, "its step may be 1 or 19")
}

func TestName(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"mlruns/0/abc/metrics/eval/loss": "eval/loss", `mlruns\0\abc\metrics\acc`: "acc", "metrics/acc": "acc", "acc": "acc",
	} {
		require.Equal(t, want, mlflow.Name(file))
	}
}
