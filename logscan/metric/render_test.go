package metric

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

func load(t testing.TB) *Catalog {
	t.Helper()
	c, err := Load()
	require.NoError(t, err)
	return c
}

// read gives the records of a log, its lines cleaned as the audit cleans them.
func read(t testing.TB, c *Catalog, text string) []Record {
	t.Helper()
	r := c.NewReader()
	var out []Record
	emit := func(rec *Record) {
		keep := *rec
		keep.Fields = append([]Field(nil), rec.Fields...)
		out = append(out, keep)
	}
	err := source.EachLine(context.Background(), strings.NewReader(text), func(l *source.Line) error {
		r.Line(l, emit)
		return nil
	})
	require.NoError(t, err)
	r.Close(emit)
	return out
}

// section is one "### name" part of a corpus file.
type section struct{ name, text string }

func sections(t testing.TB, path string) []section {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var out []section
	for _, part := range strings.Split("\n"+string(raw), "\n### ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		out = append(out, section{name, text})
	}
	return out
}

// golden compares with, or writes, a golden file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "run the test with -update and read the difference")
}

func render(recs []Record) string {
	var b strings.Builder
	for i := range recs {
		renderRecord(&b, &recs[i])
	}
	return b.String()
}

func renderRecord(b *strings.Builder, rec *Record) {
	fmt.Fprintf(b, "%d %s", rec.Line, rec.Format)
	renderCounter(b, rec.Step.Name, rec.Step)
	renderCounter(b, "epoch", rec.Epoch)
	if rec.Phase != "" {
		fmt.Fprintf(b, " phase=%s", rec.Phase)
	}
	for _, f := range []struct {
		on   bool
		word string
	}{{rec.Process, "process"}, {rec.EvalBar, "evalbar"}, {rec.Flush, "flush"}} {
		if f.on {
			b.WriteString(" " + f.word)
		}
	}
	b.WriteByte('\n')
	for i := range rec.Fields {
		renderField(b, &rec.Fields[i])
	}
}

func renderCounter(b *strings.Builder, name string, c Counter) {
	if !c.Has {
		return
	}
	fmt.Fprintf(b, " %s=%s", name, number(c.Value))
	if c.Total != 0 {
		fmt.Fprintf(b, "/%s", number(c.Total))
	}
}

func renderField(b *strings.Builder, f *Field) {
	fmt.Fprintf(b, "  %s = %s", f.Name, f.Text)
	if v := number(f.Value); v != f.Text {
		fmt.Fprintf(b, " (%s)", v)
	}
	fmt.Fprintf(b, "  %s %s", f.Role, f.Kind)
	if f.Split != "" {
		fmt.Fprintf(b, " %s", f.Split)
	}
	fmt.Fprintf(b, " %s", f.Window)
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

func number(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }
