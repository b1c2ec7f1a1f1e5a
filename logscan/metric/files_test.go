package metric_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric"
)

var updateFiles = flag.Bool("update-files", false, "write the golden files of the file readers anew")

// dumpFile writes what a file gives, one record a line.
func dumpFile(t testing.TB, kind, id string, data []byte) (string, metric.FileResult, error) {
	t.Helper()
	cat, err := metric.Load()
	require.NoError(t, err)
	var b strings.Builder
	res, err := metric.NewFileReader(cat).Read(context.Background(), kind, id, bytes.NewReader(data), func(r *metric.Record) {
		fmt.Fprintf(&b, "[%d,%d) line %d %s", r.Offset, r.End, r.Line, r.Format)
		if r.Process {
			b.WriteString(" process")
		}
		for _, c := range []metric.Counter{r.Step, r.Epoch} {
			if c.Has {
				fmt.Fprintf(&b, " %s=%g", c.Name, c.Value)
			}
			if c.Total > 0 {
				fmt.Fprintf(&b, "/%g", c.Total)
			}
		}
		if r.Time > 0 {
			fmt.Fprintf(&b, " at %s", time.Unix(0, r.Time).UTC().Format("2006-01-02T15:04:05.000"))
		}
		b.WriteString("\n")
		for _, f := range r.Fields {
			fmt.Fprintf(&b, "    %s = %s (%g, %d digits) %s %s %s %s", f.Name, f.Text, f.Value, f.Digits, f.Role, f.Kind, f.Split, f.Window)
			if f.Samples != nil {
				fmt.Fprintf(&b, " n=%d", *f.Samples)
			}
			if f.Placeholder {
				b.WriteString(" placeholder")
			}
			b.WriteString("\n")
		}
	})
	fmt.Fprintf(&b, "clock %+v planned %g\n", res.Clock, res.Planned)
	for _, x := range res.Breaks {
		fmt.Fprintf(&b, "break %s at %d line %d: %s\n", x.Kind, x.At.Offset, x.At.Line, x.Text)
	}
	for _, x := range res.Boundaries {
		fmt.Fprintf(&b, "boundary %s at %d: %s\n", x.Kind, x.At.Offset, x.Text)
	}
	for _, x := range res.Artifacts {
		fmt.Fprintf(&b, "artifact %s %s\n", x.Op, x.Path)
	}
	for _, x := range res.Notes {
		fmt.Fprintf(&b, "note %s\n", x)
	}
	if err != nil {
		fmt.Fprintf(&b, "error %v\n", err)
	}
	return b.String(), res, err
}

func TestFilesGolden(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, id, path string }{
		{"trainer-state", "trainer_state.json", ""},
		{"hf-results", "all_results.json", ""},
		{"jsonl", "trainer_log.jsonl", ""},
		{"jsonl", "mmengine.json", ""},
		{"jsonl", "structured.jsonl", ""},
		{"jsonl", "stylegan.jsonl", ""},
		{"jsonl", "detectron2.json", ""},
		{"jsonl", "stats.jsonl", ""},
		{"csv", "results.csv", ""},
		{"csv", "keras.csv", ""},
		{"csv", "lightning.csv", ""},
		{"csv", "timm.csv", ""},
		{"csv", "st.csv", ""},
		{"csv", "0.monitor.csv", ""},
		{"wandb-summary", "wandb-summary.json", ""},
		{"json", "history.json", ""},
		{"mlflow", "run/metrics/eval/loss", "testdata/files/mlflow.txt"},
		{"tfevents", "simple.tfevents", "tfevents/testdata/simple.tfevents"},
		{"tfevents", "tensor.tfevents", "tfevents/testdata/tensor.tfevents"},
		{"wandb", "small.wandb", "wandb/testdata/small.wandb"},
	} {
		path := c.path
		if path == "" {
			path = filepath.Join("testdata/files", c.id)
		}
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		got, _, _ := dumpFile(t, c.kind, c.id, data)
		golden := filepath.Join("testdata/files", filepath.Base(path)+".golden")
		if *updateFiles {
			require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), got, c.id)
	}
}
