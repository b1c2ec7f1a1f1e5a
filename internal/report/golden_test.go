package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

func results() map[string]*verdict.Result {
	return map[string]*verdict.Result{
		"healthy": healthyResult(), "poisoned": poisonedResult(), "unproven-order": unprovenResult(),
		"degraded-skips": degradedResult(), "many-ranks": ranksResult(), "hostile": hostileResult(),
		"no-metric": noMetricResult(),
	}
}

func printed(t *testing.T, p Printer, r *verdict.Result) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Result(&b, r))
	return b.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, r := range results() {
		golden(t, name+".txt", printed(t, Text(Options{}), r))
		golden(t, name+".quiet.txt", printed(t, Text(Options{Quiet: true}), r))
		golden(t, name+".verbose.txt", printed(t, Text(Options{Verbose: true}), r))
		golden(t, name+".json", printed(t, JSON(), r))
	}
	golden(t, "poisoned.60-color.txt", printed(t, Text(Options{Width: 60, Color: true}), poisonedResult()))
}

func TestHealthyPrintsThreeLines(t *testing.T) {
	t.Parallel()
	got := printed(t, Text(Options{Width: 40}), healthyResult())
	require.Equal(t, 3, strings.Count(got, "\n"), got)
	require.True(t, strings.HasPrefix(got, "TRUSTED (log)"), got)
	require.Contains(t, got, "0.41270", "every printed digit survives")
	require.Contains(t, got, "1/37 = 0.027")
	require.NotContains(t, got, "Last value before")
}

// What a reader must not miss follows the three lines; set-aside markers do not.
func TestHealthyWithNotes(t *testing.T) {
	t.Parallel()
	r := healthyResult()
	r.Faults = []verdict.Event{deviceFault()}
	r.Faults[0].Note = "a quoted line"
	require.Equal(t, 3, strings.Count(printed(t, Text(Options{}), r), "\n"))
	r.Notes = append(r.Notes, verdict.Note{Code: "few-skips", Text: "2 of 60 steps were skipped", Do: "none needed"})
	r.Claims[0].Remarks = []string{"constant at every epoch"}
	got := printed(t, Text(Options{}), r)
	require.Equal(t, 5, strings.Count(got, "\n"), got)
}

// Each of these takes the short form away.
func TestNotHealthy(t *testing.T) {
	t.Parallel()
	changes := map[string]func(*verdict.Result){
		"fault":    func(r *verdict.Result) { r.Faults = []verdict.Event{deviceFault()} },
		"crash":    func(r *verdict.Result) { r.Crashes = []verdict.Event{{ID: "oom", Count: 1}} },
		"degraded": func(r *verdict.Result) { r.Losses = []verdict.Event{{ID: "skip", Count: 1}} },
		"quality":  func(r *verdict.Result) { r.Quality = []verdict.Note{{Text: "flat"}} },
		"claim":    func(r *verdict.Result) { r.Claims[1].Verdict = verdict.Degraded },
		"series":   func(r *verdict.Result) { r.Series[0].Stretches[0].Verdict = verdict.Unproven },
		"artifact": func(r *verdict.Result) { r.Artifacts = []verdict.Subject{{Verdict: verdict.Poisoned}} },
		"machine":  func(r *verdict.Result) { r.Machine = &verdict.Subject{Verdict: verdict.Unproven} },
		"run":      func(r *verdict.Result) { r.Run.Verdict = verdict.Degraded },
	}
	for name, change := range changes {
		r := healthyResult()
		change(r)
		require.Contains(t, printed(t, Text(Options{}), r), "Last value before the fault: ", name)
	}
}

func TestJSONIsTheContract(t *testing.T) {
	t.Parallel()
	for name, r := range results() {
		var back verdict.Result
		require.NoError(t, json.Unmarshal([]byte(printed(t, JSON(), r)), &back), name)
		require.Equal(t, r.Headline, back.Headline)
		require.Len(t, back.Claims, len(r.Claims))
	}
	var back verdict.Result
	require.NoError(t, json.Unmarshal([]byte(printed(t, JSON(), hostileResult())), &back))
	require.Equal(t, strings.ToValidUTF8(hostile, "\ufffd"), back.Claims[0].Printed, "escapes lose nothing")
	require.Contains(t, printed(t, JSON(), noMetricResult()), `"claims": []`)
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		p, err := New(f.Name, Options{})
		require.NoError(t, err)
		require.NotEmpty(t, printed(t, p, poisonedResult()))
		require.NotEmpty(t, f.About)
	}
	byDefault, err := New("", Options{})
	require.NoError(t, err)
	require.IsType(t, Text(Options{}), byDefault)
	_, err = New("xml", Options{})
	var unknown *UnknownFormatError
	require.True(t, errors.As(err, &unknown))
	require.ErrorContains(t, err, "text, json")
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriteErrorsAreTold(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, Text(Options{}).Result(full{}, healthyResult()), os.ErrClosed)
	require.ErrorIs(t, JSON().Result(full{}, healthyResult()), os.ErrClosed)
	require.ErrorIs(t, Explain(full{}, Entry{}, Options{}), os.ErrClosed)
}

func TestExplain(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, Explain(&b, Entry{
		Code: "not-finite", Kind: "reason", Effect: "poison", What: "the value is NaN or infinite",
		Meaning: "nothing was measured", Source: "facts of the trainer", See: []string{"hidden-nan"},
		Remedy: []string{"float32 first", "then bf16 if the device computes it natively", "then exp, log and softmax in float32"},
	}, Options{Width: 50}))
	golden(t, "explain.txt", b.String())
	b.Reset()
	require.NoError(t, Explain(&b, Entry{Code: "x\x1b[0m", Kind: "marker", Remedy: []string{"one"}}, Options{}))
	require.Equal(t, "x\\x1b[0m (marker)\n\nwhat to do\n  one\n", b.String())
}
