package table_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric/table"
)

func read(t testing.TB, text string) ([]string, table.Info, error) {
	t.Helper()
	var out []string
	info, err := table.Read(context.Background(), iotest.HalfReader(strings.NewReader(text)), func(r *table.Row) error {
		if r.Offset < 0 || r.End > int64(len(text)) || r.Offset >= r.End {
			t.Fatalf("row [%d, %d) of %d bytes", r.Offset, r.End, len(text))
		}
		var cells []string
		for _, v := range r.Values {
			if _, ok := number(text[r.Offset:r.End], v.Text); !ok {
				t.Fatalf("%q is not in %q", v.Text, text[r.Offset:r.End])
			}
			cells = append(cells, fmt.Sprintf("%s=%v", v.Name, v.Number))
		}
		out = append(out, fmt.Sprintf("%d: %s", r.Line, strings.Join(cells, " ")))
		return nil
	})
	return out, info, err
}

func number(row, text string) (int, bool) {
	i := strings.Index(strings.ReplaceAll(row, `""`, `"`), text)
	return i, i >= 0
}

func TestWriters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{
			"ultralytics, padded header",
			"                  epoch,                   time,         train/box_loss,       metrics/mAP50(B)\n" +
				"                      1,                12.75,                1.2345,                   nan\n" +
				"                      2,                25.11,                1.1,                0.41\n",
			[]string{"2: epoch=1 time=12.75 train/box_loss=1.2345 metrics/mAP50(B)=NaN", "3: epoch=2 time=25.11 train/box_loss=1.1 metrics/mAP50(B)=0.41"},
		},
		{
			"Lightning, sparse, header again with another column",
			"epoch,step,train_loss\n0,49,0.6931\nepoch,step,train_loss,val_loss\n0,117,,0.5127\n",
			[]string{"2: epoch=0 step=49 train_loss=0.6931", "4: epoch=0 step=117 val_loss=0.5127"},
		},
		{
			"Keras, carriage returns, NA",
			"epoch,accuracy,loss,val_loss\r\n0,0.8,inf,NA\r\n1,0.81,-inf,0.4\r\n",
			[]string{"2: epoch=0 accuracy=0.8 loss=+Inf", "3: epoch=1 accuracy=0.81 loss=-Inf val_loss=0.4"},
		},
		{
			"semicolons and decimal commas, byte order mark",
			"\xef\xbb\xbfepoch;loss;acc\n1;0,25;84,3%\n",
			[]string{"2: epoch=1 loss=0.25 acc=84.3"},
		},
		{
			"tabs", "step\tloss\n10\t1.5e-3\n", []string{"2: step=10 loss=0.0015"},
		},
		{
			"quoted cells with separator, quote and line end",
			"epoch,note,\"loss\"\n1,\"a, \"\"b\"\"\nc\",\"0.5\"\n2,,0.4\n",
			[]string{"2: epoch=1 loss=0.5", "4: epoch=2 loss=0.4"},
		},
		{
			"index column without a name, trailing separator",
			",epoch,loss\n0,1,0.5,\n1,2,0.4,,\n", []string{"2: epoch=1 loss=0.5", "3: epoch=2 loss=0.4"},
		},
		{
			"monitor file: comment line, header behind a hash",
			"#{\"t_start\": 1}\n# r,l,t\n1,200,0.5\n", []string{"3: r=1 l=200 t=0.5"},
		},
		{
			"sentence-transformers",
			"epoch,steps,cosine_pearson,cosine_spearman\n1.0,-1,0.8421,0.8433\n", []string{"2: epoch=1 steps=-1 cosine_pearson=0.8421 cosine_spearman=0.8433"},
		},
	} {
		got, info, err := read(t, c.text)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, got, c.name)
		require.Nil(t, info.Torn, c.name)
		require.Zero(t, info.BadRows, c.name)
		require.Equal(t, int64(len(c.text)), info.Bytes, c.name)
	}
}

func TestTornLastRow(t *testing.T) {
	t.Parallel()
	got, info, err := read(t, "epoch,loss,acc\n1,0.5,0.8\n2,0.4")
	require.NoError(t, err)
	require.Equal(t, []string{"2: epoch=1 loss=0.5 acc=0.8"}, got)
	require.Equal(t, &table.Bad{Offset: 25, End: 30, Line: 3, Why: "the file ends in it, after 2 of 3 columns"}, info.Torn)

	got, info, err = read(t, "epoch,loss\n1,0.5\n2,0.4")
	require.NoError(t, err)
	require.Len(t, got, 2, "a row whose columns are all there is kept")
	require.Nil(t, info.Torn)
	require.True(t, info.Unended)
}

func TestBadRowsAreSaid(t *testing.T) {
	t.Parallel()
	got, info, err := read(t, "epoch,loss\n1,0.5\n2,0.4,7\n3\n\x00\x00\x00\n4,0.3\n")
	require.NoError(t, err)
	require.Equal(t, []string{"2: epoch=1 loss=0.5", "6: epoch=4 loss=0.3"}, got)
	require.Equal(t, int64(3), info.BadRows)
	require.Equal(t, "it has 3 cells, its header 2", info.Bad[0].Why)
	require.True(t, info.Bad[2].Zero)
}

func TestLongRowIsReadOver(t *testing.T) {
	t.Parallel()
	got, info, err := read(t, "epoch,loss\n1,0.5\n"+strings.Repeat("9,", 1<<20)+"\n2,0.4\n")
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, int64(1), info.BadRows)
}

func TestOpenQuoteCostsFewRows(t *testing.T) {
	t.Parallel()
	got, info, err := read(t, "epoch,loss\n1,\"0.5\n"+strings.Repeat("2,0.4\n", 100))
	require.NoError(t, err)
	require.Len(t, got, 100-15)
	require.Equal(t, "a quote in it is not closed", info.Bad[0].Why)
}

func TestNoTable(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"just text\n", "1,2,3\n4,5,6\n", "epoch,0.5\n"} {
		_, _, err := read(t, text)
		var no *table.NoTableError
		require.ErrorAs(t, err, &no, text)
	}
	_, info, err := read(t, "")
	require.NoError(t, err)
	require.Zero(t, info.Rows)
}

func TestReadError(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	_, err := table.Read(context.Background(), iotest.ErrReader(gone), func(*table.Row) error { return nil })
	require.ErrorIs(t, err, gone)
	_, err = table.Read(context.Background(), strings.NewReader("a,b\n1,2\n"), func(*table.Row) error { return gone })
	require.ErrorIs(t, err, gone)
}

// FuzzTable: no input panics; rows are inside the file, in order, and hold
// only numbers that their text prints.
func FuzzTable(f *testing.F) {
	f.Add("epoch,loss\n1,0.5\n2,nan\n")
	f.Add("epoch;\"a\"\n1;\"0,5\"\nepoch;x\n2;3")
	f.Add("#{}\n\x00\n a\tb\n1\t\n")
	f.Fuzz(func(t *testing.T, text string) {
		at := int64(0)
		info, _ := table.Read(context.Background(), strings.NewReader(text), func(r *table.Row) error {
			if r.Offset < at || r.End > int64(len(text)) || r.End <= r.Offset || len(r.Values) > len(r.Header.Columns) {
				t.Fatalf("row [%d, %d) behind %d of %d", r.Offset, r.End, at, len(text))
			}
			for _, v := range r.Values {
				if !strings.Contains(strings.ReplaceAll(text[r.Offset:r.End], `""`, `"`), v.Text) && !math.IsNaN(v.Number) {
					t.Fatalf("%q is not in %q", v.Text, text[r.Offset:r.End])
				}
			}
			at = r.End
			return nil
		})
		if info.Bytes > int64(len(text)) {
			t.Fatal("more bytes than there are")
		}
	})
}
