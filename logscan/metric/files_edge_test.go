package metric_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/metric/table"
	"github.com/trainvet/trainvet/logscan/metric/tfevents"
	"github.com/trainvet/trainvet/logscan/metric/tolerant"
	"github.com/trainvet/trainvet/logscan/metric/wandb"
)

func sample(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

func TestTruncatedStateIsABreakAndAnError(t *testing.T) {
	t.Parallel()
	data := sample(t, "testdata/files/trainer_state.json")
	cut := bytes.Index(data, []byte(`"eval_runtime"`))
	dump, res, err := dumpFile(t, "trainer-state", "s.json", data[:cut])
	var truncated *tolerant.TruncatedError
	require.ErrorAs(t, err, &truncated)
	var file *metric.FileError
	require.ErrorAs(t, err, &file)
	require.Equal(t, "s.json", file.ID)
	require.Len(t, res.Breaks, 1)
	require.Equal(t, "truncated", res.Breaks[0].Kind)
	require.Equal(t, int64(cut), res.Breaks[0].At.Offset)
	require.Contains(t, dump, "loss = 0.0")
	require.NotContains(t, dump, "eval_accuracy", "an entry that is not whole is no record")
}

func TestTypedErrors(t *testing.T) {
	t.Parallel()
	text := []byte("this is prose, and not one number\n")
	var syntax *tolerant.SyntaxError
	_, _, err := dumpFile(t, "trainer-state", "x", text)
	require.ErrorAs(t, err, &syntax)
	_, _, err = dumpFile(t, "json", "x", text)
	require.ErrorAs(t, err, &syntax)
	var noTable *table.NoTableError
	_, _, err = dumpFile(t, "csv", "x", []byte("prose\n"))
	require.ErrorAs(t, err, &noTable)
	var notEvents *tfevents.NotEventsError
	_, _, err = dumpFile(t, "tfevents", "x", text)
	require.ErrorAs(t, err, &notEvents)
	var notWandb *wandb.NotWandbError
	_, _, err = dumpFile(t, "wandb", "x", text)
	require.ErrorAs(t, err, &notWandb)
	var unknown *metric.UnknownKindError
	_, _, err = dumpFile(t, "pickle", "x", text)
	require.ErrorAs(t, err, &unknown)
}

func TestReadErrorsAndCancel(t *testing.T) {
	t.Parallel()
	cat, err := metric.Load()
	require.NoError(t, err)
	files := metric.NewFileReader(cat)
	gone := errors.New("gone")
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for kind, path := range map[string]string{
		"trainer-state": "testdata/files/trainer_state.json", "jsonl": "testdata/files/trainer_log.jsonl", "json": "testdata/files/history.json",
		"csv": "testdata/files/results.csv", "tfevents": "tfevents/testdata/simple.tfevents", "mlflow": "testdata/files/mlflow.txt",
		"wandb": "wandb/testdata/small.wandb",
	} {
		_, err := files.Read(context.Background(), kind, path, iotest.ErrReader(gone), func(*metric.Record) {})
		require.ErrorIs(t, err, gone, kind)
		if kind == "json" {
			continue // too small to ask
		}
		_, err = files.Read(canceled, kind, path, bytes.NewReader(sample(t, path)), func(*metric.Record) {})
		require.ErrorIs(t, err, context.Canceled, kind)
	}
}

func TestDamagedFilesSayWhere(t *testing.T) {
	t.Parallel()
	events := sample(t, "tfevents/testdata/tensor.tfevents")
	events[240] ^= 1
	_, res, err := dumpFile(t, "tfevents", "x", events)
	require.NoError(t, err)
	require.Equal(t, "gap", res.Breaks[0].Kind)

	_, res, err = dumpFile(t, "tfevents", "x", append(sample(t, "tfevents/testdata/tensor.tfevents"), make([]byte, 4096)...))
	require.NoError(t, err)
	require.Equal(t, "nul-hole", res.Breaks[0].Kind)

	run := sample(t, "wandb/testdata/small.wandb")
	_, res, err = dumpFile(t, "wandb", "x", run[:len(run)-20])
	require.NoError(t, err)
	require.Empty(t, res.Breaks, "a cut tail is normal after a kill")
	require.Len(t, res.Notes, 1)
	require.Nil(t, res.Exit)

	_, res, err = dumpFile(t, "csv", "x", []byte("epoch,loss\n1,0.5\n\x00\x00\x00\x00\n2,0.4\n"))
	require.NoError(t, err)
	require.Equal(t, "nul-hole", res.Breaks[0].Kind)
}

// The folder names the data set where the tag does not.
func TestFolderOfEvents(t *testing.T) {
	t.Parallel()
	data := sample(t, "tfevents/testdata/tensor.tfevents")
	for dir, want := range map[string]string{
		"logs/validation": "epoch_loss = 1 (1, 7 digits) eval loss val", "logs/train": "epoch_loss = 1 (1, 7 digits) series loss train",
		"logs/train_llama_test": "epoch_loss = 1 (1, 7 digits) series loss  ",
	} {
		dump, _, err := dumpFile(t, "tfevents", dir+"/events.out.tfevents.1", data)
		require.NoError(t, err)
		require.Contains(t, dump, want, dir)
	}
}

// Keras counts epochs from 0 in its file; other writers of like columns do not.
func TestEpochBase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"epoch,loss,val_loss\n0,0.5,0.6\n1,0.4,0.5\n":        "keras-csv epoch=2",
		"epoch,loss,val_loss\n1,0.5,0.6\n2,0.4,0.5\n":        "csv epoch=2",
		"epoch,val_loss,loss\n0,0.5,0.6\n1,0.4,0.5\n":        "csv epoch=1",
		"epoch,step,loss,val_loss\n0,9,0.5,\n1,19,0.4,0.5\n": "pl-csv step=19 epoch=1",
	} {
		dump, _, err := dumpFile(t, "csv", "x", []byte(text))
		require.NoError(t, err)
		require.Contains(t, dump, want)
	}
}

// An int64 id survives as text wherever a file holds one.
func TestExactIntegers(t *testing.T) {
	t.Parallel()
	for kind, text := range map[string]string{
		"jsonl": `{"step": 1, "loss_checksum": 72340172838076673}` + "\n",
		"json":  `{"loss_checksum": 72340172838076673}`,
		"csv":   "step,loss_checksum\n1,72340172838076673\n",
	} {
		dump, _, err := dumpFile(t, kind, "x", []byte(text))
		require.NoError(t, err)
		require.Contains(t, dump, "= 72340172838076673 (", kind)
	}
}

func TestConsoleOfWandb(t *testing.T) {
	t.Parallel()
	cat, err := metric.Load()
	require.NoError(t, err)
	files := metric.NewFileReader(cat)
	var text strings.Builder
	files.Console = func(c metric.ConsoleText) error {
		require.Equal(t, "out", c.Stream)
		require.Positive(t, c.Time)
		text.WriteString(c.Text)
		return nil
	}
	res, err := files.Read(context.Background(), "wandb", "x", bytes.NewReader(sample(t, "wandb/testdata/small.wandb")), func(*metric.Record) {})
	require.NoError(t, err)
	require.Contains(t, text.String(), "console step 5 loss 0.5\n")
	require.Equal(t, 0, *res.Exit)
}
