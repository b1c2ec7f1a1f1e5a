package logscan_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// gomlxCheckpoint writes a checkpoint as GoMLX does, with the counters of the
// guards in it.
func gomlxCheckpoint(t *testing.T, dir string, number int, attempted, applied int64, weight float32) {
	t.Helper()
	var data bytes.Buffer
	var names []string
	for _, v := range []struct {
		path, dtype string
		value       any
	}{
		{"/model/w", "Float32", weight},
		{"/global_step", "Int64", applied},
		{"/trainvet/attempted", "Int64", attempted},
		{"/trainvet/applied", "Int64", applied},
		{"/trainvet/scale", "Float64", 2048.0},
	} {
		at := data.Len()
		require.NoError(t, binary.Write(&data, binary.LittleEndian, v.value))
		names = append(names, fmt.Sprintf("\t\t{\n\t\t\t\"ParameterName\": \"var:%s\",\n\t\t\t\"Dimensions\": null,\n\t\t\t\"DType\": %q,\n\t\t\t\"Pos\": %d,\n\t\t\t\"Length\": %d\n\t\t}",
			v.path, v.dtype, at, data.Len()-at))
	}
	base := filepath.Join(dir, fmt.Sprintf("checkpoint-n%07d-20261130-052803-step-%08d", number, applied))
	list := "{\n\t\"Params\": [],\n\t\"Variables\": [\n" + strings.Join(names, ",\n") + "\n\t],\n\t\"BinFormat\": \"\"\n}"
	require.NoError(t, os.WriteFile(base+".json", []byte(list), 0o600))
	require.NoError(t, os.WriteFile(base+".bin", data.Bytes(), 0o600))
}

// TestGoMLXCheckpoints: a folder of checkpoints has one step ledger, that of
// the newest.
func TestGoMLXCheckpoints(t *testing.T) {
	dir := t.TempDir()
	gomlxCheckpoint(t, dir, 5, 55, 50, 1)
	gomlxCheckpoint(t, dir, 6, 65, 60, 1)
	res, _, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{All: true})
	require.NoError(t, err)
	require.NotNil(t, res.Steps)
	require.EqualValues(t, 65, res.Steps.Attempted)
	require.EqualValues(t, 5, res.Steps.Skipped)
}

// TestGoMLXCheckpointThatIsBad: values that are not finite, and a file that was
// not written whole, are said.
func TestGoMLXCheckpointThatIsBad(t *testing.T) {
	dir := t.TempDir()
	nan := float32(0)
	nan /= nan
	gomlxCheckpoint(t, dir, 1, 10, 10, nan)
	_, ev, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{})
	require.NoError(t, err)
	require.Len(t, ev.Sources, 1)
	require.Contains(t, strings.Join(ev.Sources[0].Notes, "\n"), "1 of 1 values of /model/w are not finite")

	bins, err := filepath.Glob(filepath.Join(dir, "*.bin"))
	require.NoError(t, err)
	require.NoError(t, os.Truncate(bins[0], 20))
	_, ev, err = logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{})
	require.NoError(t, err)
	require.Len(t, ev.Sources[0].Breaks, 1)
	require.Equal(t, "cut", ev.Sources[0].Breaks[0].Kind)
	require.NoError(t, os.Remove(bins[0]))
	_, ev, err = logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{})
	require.NoError(t, err)
	require.Contains(t, strings.Join(ev.Sources[0].Notes, "\n"), "only the list of variables is known")
}

// TestModelOfABadCheckpoint: what is evaluated at the step of a checkpoint whose
// parameters are not finite, or later, is no measurement of a model. What came
// before it stands, and so does what a model gives that was loaded anew.
func TestModelOfABadCheckpoint(t *testing.T) {
	nan := float32(0)
	nan /= nan
	for name, c := range map[string]struct {
		log    string
		weight float32
		want   verdict.Verdict
	}{
		"at its step":                {"step 10 loss 0.5\nstep 20 loss 0.4\neval_accuracy 0.41\n", nan, verdict.Poisoned},
		"later":                      {"step 10 loss 0.5\nstep 25 loss nan\neval_accuracy 0.41\n", nan, verdict.Poisoned},
		"before it":                  {"step 10 loss 0.5\neval_accuracy 0.41\n", nan, verdict.Trusted},
		"and the training goes on":   {"step 10 loss 0.5\nstep 20 loss 0.4\nstep 30 loss 0.3\neval_accuracy 0.41\n", nan, verdict.Trusted},
		"a checkpoint that is sound": {"step 10 loss 0.5\nstep 20 loss 0.4\neval_accuracy 0.41\n", 1, verdict.Trusted},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			gomlxCheckpoint(t, dir, 2, 20, 20, c.weight)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "train.log"), []byte(c.log), 0o600))
			res, _, err := logscan.Audit(t.Context(), []string{dir}, nil, logscan.Options{})
			require.NoError(t, err)
			require.Len(t, res.Claims, 1)
			require.Equal(t, c.want, res.Claims[0].Verdict, "%+v", res.Claims[0].Why)
			if c.want == verdict.Poisoned {
				require.Contains(t, res.Claims[0].Why[0].Text, "step 20, at which a checkpoint holds parameters that are not finite")
			}
		})
	}
}

// TestReportEval: the lines below the name of a data set are one evaluation,
// whatever the data set is called.
func TestReportEval(t *testing.T) {
	for _, name := range []string{"Validation", "held out", "jack"} {
		for loss, want := range map[string]verdict.Verdict{"NaN": verdict.Poisoned, "0.512": verdict.Trusted} {
			file := filepath.Join(t.TempDir(), "train.log")
			text := fmt.Sprintf("step 10 loss 0.7\nstep 20 loss 0.6\nResults on %s:\n\tMean Loss (#loss): %s\n\tMean Accuracy (#acc): 41.80%%\n", name, loss)
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			res, _, err := logscan.Audit(t.Context(), []string{file}, nil, logscan.Options{})
			require.NoError(t, err)
			require.Len(t, res.Claims, 2, "%s %s", name, loss)
			for _, c := range res.Claims {
				require.Equal(t, want, c.Verdict, "%s %s: %s %+v", name, loss, c.Name, c.Why)
			}
		}
	}
}
