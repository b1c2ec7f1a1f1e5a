package notebook_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric/notebook"
	"github.com/trainvet/trainvet/logscan/metric/tolerant"
)

func read(text string) ([]notebook.Output, error) {
	var out []notebook.Output
	err := notebook.Each(iotest.HalfReader(strings.NewReader(text)), func(o notebook.Output) error {
		out = append(out, o)
		return nil
	})
	return out, err
}

func joined(outs []notebook.Output) map[string]string {
	m := map[string]string{}
	for _, o := range outs {
		m[fmt.Sprintf("%d %s", o.Cell, o.Stream)] += o.Text
	}
	return m
}

// run.ipynb was executed by nbclient.
func TestExecutedNotebook(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/run.ipynb")
	require.NoError(t, err)
	outs, err := read(string(data))
	require.NoError(t, err)
	got := joined(outs)
	require.Equal(t, "step 0 loss 1.0000\nstep 1 loss 0.5000\nstep 2 loss 0.3333\n", got["1 out"])
	require.Equal(t, "warn\n", got["1 err"])
	require.Equal(t, "\r0/3 loss=0.5\r1/3 loss=0.4\r2/3 loss=0.3\n", got["2 out"])
	require.Equal(t, "{'eval_accuracy': 0.8431}\n", got["2 result"])
	require.Contains(t, got["3 traceback"], "\x1b[31mRuntimeError\x1b[39m: Command buffer execution failed\n")
	require.Len(t, got, 5)
	for _, o := range outs {
		require.Equal(t, byte('"'), data[o.Offset])
		require.Equal(t, byte('"'), data[o.End-1])
		require.Equal(t, int64(strings.Count(string(data[:o.Offset]), "\n"))+1, o.Line)
		require.Zero(t, o.Kernel)
		require.False(t, o.Backward)
		require.Equal(t, 2026, o.Start.Year())
	}
	require.Equal(t, 1, outs[0].Count)
	require.True(t, outs[0].First)
	require.True(t, outs[2].Last)
}

func cells(counts ...any) string {
	var b strings.Builder
	for i, c := range counts {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"cell_type":"code","execution_count":%v,"outputs":[{"output_type":"stream","name":"stdout","text":"x\n"}]}`, c)
	}
	return `{"cells":[` + b.String() + `],"nbformat":4}`
}

func TestKernels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		counts  []any
		kernels []int
		back    []bool
	}{
		{[]any{1, 2, 3}, []int{0, 0, 0}, []bool{false, false, false}},
		{[]any{1, 2, 1, 2}, []int{0, 0, 1, 1}, []bool{false, false, false, false}},
		{[]any{1, 5, 3}, []int{0, 0, 0}, []bool{false, false, true}},
		{[]any{"null", 4, "null", 6}, []int{0, 0, 0, 0}, []bool{false, false, false, false}},
		{[]any{7, 7}, []int{0, 1}, []bool{false, false}},
	} {
		outs, err := read(cells(c.counts...))
		require.NoError(t, err)
		for i, o := range outs {
			require.Equal(t, c.kernels[i], o.Kernel, "%v %d", c.counts, i)
			require.Equal(t, c.back[i], o.Backward, "%v %d", c.counts, i)
		}
	}
}

func TestMembersInAnyOrder(t *testing.T) {
	t.Parallel()
	outs, err := read(`{"cells":[{"outputs":[{"text":["a","b"],"name":"stderr","output_type":"stream"}],"execution_count":9,"cell_type":"code"}]}`)
	require.NoError(t, err)
	require.Len(t, outs, 2)
	require.Equal(t, "err", outs[1].Stream)
	require.Equal(t, 9, outs[0].Count)
}

func TestVersion3(t *testing.T) {
	t.Parallel()
	outs, err := read(`{"worksheets":[{"cells":[{"prompt_number":2,"outputs":[
{"output_type":"stream","stream":"stdout","text":["loss 0.5\n"]},
{"output_type":"pyout","text":["0.25"]},
{"output_type":"pyerr","traceback":["boom"]}]}]}],"nbformat":3}`)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"0 out": "loss 0.5\n", "0 result": "0.25\n", "0 traceback": "boom\n"}, joined(outs))
	require.Equal(t, 2, outs[0].Count)
}

func TestPicturesAreReadOver(t *testing.T) {
	t.Parallel()
	picture := strings.Repeat("iVBORw0K", 1<<20)
	outs, err := read(`{"cells":[{"source":"print(1)","outputs":[{"output_type":"display_data","data":{"image/png":"` + picture + `","text/plain":"<Figure>"}}]}]}`)
	require.NoError(t, err)
	require.Len(t, outs, 1)
	require.Equal(t, "<Figure>\n", outs[0].Text)
}

func TestLongOutputGoesOutInPieces(t *testing.T) {
	t.Parallel()
	text := `{"cells":[{"execution_count":1,"outputs":[{"name":"stdout","output_type":"stream","text":["` +
		strings.Repeat(strings.Repeat("x", 1<<20)+`","`, 40) + `end"]}]}]}`
	outs, err := read(text)
	require.NoError(t, err)
	require.Len(t, outs, 41)
	firsts := 0
	for _, o := range outs {
		if o.First {
			firsts++
		}
		require.Equal(t, 1, o.Count)
		require.Equal(t, "out", o.Stream)
	}
	require.Equal(t, 1, firsts)
	require.True(t, outs[40].Last)
}

// Cut anywhere, a notebook gives what stood before the cut and a typed error.
func TestEveryCut(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/run.ipynb")
	require.NoError(t, err)
	text := strings.TrimSpace(string(data))
	whole, err := read(text)
	require.NoError(t, err)
	for n := 1; n < len(text); n++ {
		outs, err := read(text[:n])
		var cut *tolerant.TruncatedError
		require.ErrorAs(t, err, &cut, n)
		require.LessOrEqual(t, len(outs), len(whole))
		for i := range outs {
			require.Equal(t, whole[i].Offset, outs[i].Offset)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `[]`, `{"loss": 1}`} {
		_, err := read(text)
		var not *notebook.NotNotebookError
		require.ErrorAs(t, err, &not, text)
	}
	stop := errors.New("stop")
	err := notebook.Each(strings.NewReader(cells(1)), func(notebook.Output) error { return stop })
	require.ErrorIs(t, err, stop)
}

// FuzzNotebook: no input panics; outputs are strings of the file, in order.
func FuzzNotebook(f *testing.F) {
	f.Add(cells(1, 2, 1))
	f.Add(`{"worksheets":[{"cells":[{"prompt_number":2,"outputs":[{"output_type":"pyout","text":["0.25"]}]}]}]}`)
	f.Add(`{"cells":[{"metadata":{"execution":{"iopub.execute_input":"2026-01-01T00:00:00Z"}},"outputs":[{"traceback":["a`)
	f.Fuzz(func(t *testing.T, text string) {
		at := int64(-1)
		outs, _ := read(text)
		for _, o := range outs {
			if o.Offset <= at || o.End > int64(len(text)) || text[o.Offset] != '"' {
				t.Fatalf("output at %d behind %d", o.Offset, at)
			}
			at = o.Offset
		}
	})
}
