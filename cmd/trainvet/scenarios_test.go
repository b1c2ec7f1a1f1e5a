package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards/record"
)

// scenarioSeeds is how many seeds of each scenario are run; TRAINVET_SEEDS says less,
// for a second PyTorch.
func scenarioSeeds() int {
	if n, err := strconv.Atoi(os.Getenv("TRAINVET_SEEDS")); err == nil && n > 0 {
		return n
	}
	return 3
}

// scenario is expected.json.
type scenario struct {
	Metric      string
	Args        []string // of trainvet run
	Pending     string   // the check that is not built yet: the fault is skipped by name, the twin is run
	Fault, Twin expectation
}

type expectation struct {
	Verdict   string
	Code      string  // of the reason, or the word of it that the report uses; of a TRUSTED value, of a note
	Text      string  // that the reasons hold
	Step      int64   // that the finding names; 0: none is asked for
	Optimizer string  // whose skips these are
	Steps     []int64 // the attempts that were skipped
}

// torch is a Python with PyTorch and transformers. CI has one; elsewhere
// TRAINVET_TORCH names it.
func torch(t *testing.T) string {
	t.Helper()
	name := os.Getenv("TRAINVET_TORCH")
	if name == "" {
		t.Skip("TRAINVET_TORCH names no Python with PyTorch")
	}
	return name
}

// TestScenarios runs the programs of testdata/scenarios, unmodified, under
// trainvet run: the fault is found, where it happened, and the twin is trusted.
func TestScenarios(t *testing.T) {
	python := torch(t)
	tool, err := exec.LookPath("trainvet")
	require.NoError(t, err)
	folders, err := filepath.Glob("../../testdata/scenarios/*/expected.json")
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	table := readDelays(t)
	for _, name := range folders {
		folder := filepath.Dir(name)
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		var want scenario
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		require.NoError(t, dec.Decode(&want), name)
		for seed := range scenarioSeeds() {
			for mode, expect := range map[string]expectation{"fault": want.Fault, "twin": want.Twin} {
				t.Run(filepath.Base(folder)+"/"+mode+"/"+strconv.Itoa(seed), func(t *testing.T) {
					t.Parallel()
					if want.Pending != "" && mode == "fault" {
						t.Skip("pending: ", want.Pending)
					}
					run := &scenarioRun{t: t, tool: tool, dir: filepath.Join(t.TempDir(), "run")}
					script := filepath.Join(t.TempDir(), "train.py") // beside no other source, and in no folder of tests
					text, err := os.ReadFile(filepath.Join(folder, "train.py"))
					require.NoError(t, err)
					require.NoError(t, os.WriteFile(script, text, 0o600))
					run.start(want.Args, python, script, mode, strconv.Itoa(seed))
					run.judge(want.Metric, expect)
					if mode == "fault" {
						table.hold(t, filepath.Base(folder), seed, run.delay)
					}
				})
			}
		}
	}
}

type scenarioRun struct {
	t         *testing.T
	tool, dir string
	delay     delay // of the first finding of the code that is expected
}

func (r *scenarioRun) start(args []string, argv ...string) {
	r.t.Helper()
	args = append(append([]string{"run", "--dir", r.dir}, args...), "--")
	cmd := exec.Command(r.tool, append(args, argv...)...)
	cmd.Env = append(os.Environ(), "TRAINVET_STATE="+r.t.TempDir(), "CUDA_VISIBLE_DEVICES=", "OMP_NUM_THREADS=1", "CI=")
	out, err := cmd.CombinedOutput()
	require.NoError(r.t, err, "%s", out)
}

// judge holds the verdict of the claim and the records against what is expected.
func (r *scenarioRun) judge(metric string, want expectation) {
	r.t.Helper()
	cmd := exec.Command(r.tool, "audit", "--format", "json", r.runDirectory())
	out, err := cmd.Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		require.NoError(r.t, err)
	}
	var report struct {
		Claims, Others []struct { // speeds are no claims
			Name, Verdict, Assurance string
			Reasons                  []struct{ Code, Verdict, Text string }
		}
	}
	require.NoError(r.t, json.Unmarshal(out, &report), "%s", out)
	found := false
	for _, c := range append(report.Claims, report.Others...) {
		if c.Name != metric {
			continue
		}
		found = true
		require.Equal(r.t, want.Verdict, c.Verdict, "%s", out)
		if want.Verdict == "TRUSTED" {
			require.Equal(r.t, "guarded", c.Assurance)
			continue
		}
		var reasons []string
		for _, why := range c.Reasons {
			if why.Verdict == want.Verdict {
				reasons = append(reasons, why.Code+": "+why.Text)
			}
		}
		require.Contains(r.t, strings.Join(reasons, "\n"), want.Code)
		require.Contains(r.t, strings.Join(reasons, "\n"), want.Text)
	}
	require.True(r.t, found, "no claim %s in %s", metric, out)
	r.records(want)
}

// runDirectory is the run itself where --dir holds several.
func (r *scenarioRun) runDirectory() string {
	if _, err := os.Stat(filepath.Join(r.dir, "manifest.json")); err == nil {
		return r.dir
	}
	list, err := filepath.Glob(filepath.Join(r.dir, "*", "manifest.json"))
	require.NoError(r.t, err)
	require.Len(r.t, list, 1)
	return filepath.Dir(list[0])
}

// records holds the steps that the guards named; a twin has no finding above a
// note.
func (r *scenarioRun) records(want expectation) {
	r.t.Helper()
	at := int64(math.MaxInt64)
	var skipped []int64
	files, err := filepath.Glob(filepath.Join(r.runDirectory(), record.Folder, "*.jsonl"))
	require.NoError(r.t, err)
	for _, name := range files {
		f, err := os.Open(name)
		require.NoError(r.t, err)
		for reader := record.NewReader(f); ; {
			e, err := reader.Next()
			if err != nil {
				break
			}
			require.Nil(r.t, e.Issue, name)
			switch b := e.Record.Body.(type) {
			case *record.Finding:
				require.NotEqual(r.t, record.Class("hook"), b.Class, b.Text)
				elsewhere := b.Code == want.Code && b.Metric != "" // it bears on values of another name
				if want.Code == "" || (want.Verdict == "TRUSTED" && !elsewhere) {
					require.Equal(r.t, record.Effect("note"), b.Effect, b.Text)
				}
				if b.Code == want.Code {
					r.delay.add(b)
					at = min(at, b.From)
				}
			case *record.Fault:
				require.NotEmpty(r.t, want.Code, b.Text)
			case *record.Skip:
				if b.Optimizer == want.Optimizer {
					for i := b.From; i <= b.Until; i++ {
						skipped = append(skipped, i)
					}
				} else {
					require.Empty(r.t, want.Optimizer, "%s skipped too", b.Optimizer)
				}
			}
		}
		require.NoError(r.t, f.Close())
	}
	if want.Verdict == "TRUSTED" && want.Code != "" {
		require.NotEqual(r.t, int64(math.MaxInt64), at, "no note %s", want.Code)
	}
	if want.Step > 0 {
		require.InDelta(r.t, want.Step, at, 1, want.Code)
	}
	if want.Steps != nil {
		require.Equal(r.t, want.Steps, skipped)
	}
}
