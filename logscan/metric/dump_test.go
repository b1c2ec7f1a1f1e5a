package metric

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/source"
)

func readAll(t testing.TB, c *Catalog, text string) string {
	t.Helper()
	r := c.NewReader()
	var b strings.Builder
	emit := func(rec *Record) { writeRecord(&b, rec) }
	err := source.EachLine(context.Background(), strings.NewReader(text), func(l *source.Line) error {
		r.Line(l, emit)
		return nil
	})
	require.NoError(t, err)
	r.Close(emit)
	return b.String()
}

func writeRecord(b *strings.Builder, rec *Record) {
	fmt.Fprintf(b, "L%d %s", rec.Line, rec.Format)
	if rec.Step.Has {
		fmt.Fprintf(b, " %s=%v", rec.Step.Name, rec.Step.Value)
		if rec.Step.Total != 0 {
			fmt.Fprintf(b, "/%v", rec.Step.Total)
		}
	}
	if rec.Epoch.Has {
		fmt.Fprintf(b, " epoch=%v", rec.Epoch.Value)
		if rec.Epoch.Total != 0 {
			fmt.Fprintf(b, "/%v", rec.Epoch.Total)
		}
	}
	if rec.Phase != "" {
		fmt.Fprintf(b, " phase=%s", rec.Phase)
	}
	if rec.Process {
		b.WriteString(" process")
	}
	if rec.EvalBar {
		b.WriteString(" evalbar")
	}
	if rec.Flush {
		b.WriteString(" flush")
	}
	b.WriteByte('\n')
	for _, f := range rec.Fields {
		fmt.Fprintf(b, "\t%s = %s", f.Name, f.Text)
		if fmt.Sprint(f.Value) != f.Text {
			fmt.Fprintf(b, " (%v)", f.Value)
		}
		fmt.Fprintf(b, "  %s %s %s %s", f.Role, f.Kind, f.Split, f.Window)
		if f.Placeholder {
			b.WriteString(" placeholder")
		}
		if f.Absent {
			b.WriteString(" absent")
		}
		if f.Samples != nil {
			fmt.Fprintf(b, " n=%d", *f.Samples)
		}
		if f.Good != nil {
			fmt.Fprintf(b, " k=%d", *f.Good)
		}
		b.WriteByte('\n')
	}
}

func TestDump(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if p := os.Getenv("METRICS"); p != "" {
		raw, _ := os.ReadFile(p)
		for _, row := range bytes.Split(raw, []byte("\n"))[1:] {
			f := strings.Split(string(row), "\t")
			if len(f) < 4 {
				continue
			}
			ex := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(f[3])
			fmt.Printf("### %s\n    %s\n%s", f[0], f[3], readAll(t, c, ex))
		}
		return
	}
	files, _ := filepath.Glob("../../testdata/cases/*/log.txt")
	for _, p := range files {
		raw, _ := os.ReadFile(p)
		fmt.Printf("### %s\n%s", p, readAll(t, c, string(raw)))
	}
}
