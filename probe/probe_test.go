package probe

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/internal/machine"
)

// stub writes a program that stands for the workers, and a prober that uses it.
func stub(t *testing.T, program string) *prober {
	t.Helper()
	python, why := FindPython("", os.Getenv)
	if python == "" {
		t.Skip(why)
	}
	path := filepath.Join(t.TempDir(), "worker.py")
	require.NoError(t, os.WriteFile(path, []byte(program), 0o600))
	p := &prober{opt: options(python), python: python, program: path}
	p.opt.Within, p.opt.Check = time.Minute, 20*time.Second
	p.report.Facts.Torch = "2.6.0"
	return p
}

const head = `import json, os, sys, time
req = json.loads(sys.stdin.read())
def line(**f): print(json.dumps(f), flush=True)
def done(name, status="pass"): line(begin=name); line(result=name, status=status, text="t", numbers={}, seconds=0.1)
line(facts={})
names = req.get("checks") or ["a", "b", "c", "d"]
line(planned=names)
`

var cpu = machine.Device{Kind: "cpu", ID: "cpu:x", Name: "x"}

// TestADeathIsAResult: the check that dies is named, those behind it are run
// again, each alone.
func TestADeathIsAResult(t *testing.T) {
	p := stub(t, head+`
for n in names:
    if n == "b":
        line(begin=n)
        sys.stderr.write("Error: command buffer exited with error status.\nlast words\n"); sys.stderr.flush()
        os.abort()
    done(n, "fail" if n == "d" else "pass")
line(done=True)
`)
	require.NoError(t, p.group(t.Context(), cpu, "parity"))
	require.Len(t, p.report.Results, 4)
	b := named(t, &p.report, "b")
	require.Equal(t, Crash, b.Status)
	require.Equal(t, "Error: command buffer exited with error status.", b.Evidence)
	require.Equal(t, Pass, named(t, &p.report, "c").Status)
	require.Equal(t, Fail, named(t, &p.report, "d").Status)
}

// TestADeathInCompany: a check that dies only behind others says so.
func TestADeathInCompany(t *testing.T) {
	p := stub(t, head+`
for n in names:
    if n == "c" and len(names) > 1:
        line(begin=n); os._exit(9)
    done(n)
line(done=True)
`)
	require.NoError(t, p.group(t.Context(), cpu, "parity"))
	c := named(t, &p.report, "c")
	require.Equal(t, Crash, c.Status)
	require.Equal(t, "behind other checks the process ended with exit code 9; alone the check passes", c.Text)
}

// TestAHangIsKilled with all that it started.
func TestAHangIsKilled(t *testing.T) {
	p := stub(t, head+`
import subprocess
line(begin="a")
subprocess.Popen(["sleep", "600"])
time.sleep(600)
`)
	p.opt.Within, p.opt.Check = 20*time.Second, time.Second
	begin := time.Now()
	require.NoError(t, p.group(t.Context(), cpu, "train"))
	require.Less(t, time.Since(begin), 60*time.Second)
	a := named(t, &p.report, "a")
	require.Equal(t, Hang, a.Status)
}

// TestAGroupThatDoesNotBegin: torch that cannot be loaded is one result, and
// every check of the group is not run again.
func TestAGroupThatDoesNotBegin(t *testing.T) {
	p := stub(t, "import sys\nsys.stderr.write('ImportError: libcudart.so.12\\n')\nsys.exit(1)\n")
	require.NoError(t, p.group(t.Context(), cpu, "train"))
	require.Len(t, p.report.Results, 1)
	require.Equal(t, Crash, p.report.Results[0].Status)
	require.Equal(t, "ImportError: libcudart.so.12", p.report.Results[0].Evidence)
}

// TestABrokenControl: nothing is said of a device.
func TestABrokenControl(t *testing.T) {
	for _, program := range []string{
		head + `line(begin="control"); line(result="control", status="fail", text="plain arithmetic is wrong"); line(done=True)`,
		"import os; os.abort()",
		"print('no JSON')",
	} {
		p := stub(t, program)
		require.NoError(t, p.control(t.Context()))
		require.NotEmpty(t, p.report.Broken)
		require.NoError(t, p.report.Record(machine.Open(t.TempDir()), "host", "b", []machine.Device{cpu}, time.Now()))
		require.Empty(t, p.report.Devices)
		var out bytes.Buffer
		require.NoError(t, p.report.WriteText(&out, false))
		require.Contains(t, out.String(), "PROBE BROKEN")
	}
}

// TestWithoutPython: the machine is looked at, and what was not is said.
func TestWithoutPython(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	opt := options("")
	opt.Env = func(string) string { return "" }
	begin := time.Now()
	r, err := Run(t.Context(), opt)
	require.NoError(t, err)
	require.Less(t, time.Since(begin), 20*time.Second)
	require.Contains(t, r.Missing[0], "no Python")
	require.Equal(t, Pass, named(t, r, "boot").Status)
	require.NoError(t, r.Record(machine.Open(t.TempDir()), "host", "b", opt.Devices, time.Now()))
	require.False(t, r.Devices[0].Passed, "a check that did not run is not a check that passed")
}

func TestTheMachine(t *testing.T) {
	now := time.Date(2026, 8, 10, 12, 0, 0, 0, time.UTC)
	st := machine.State{Key: machine.Key{ID: "GPU-1"}, Updated: now.Add(time.Hour)}
	st.AddProbe(machine.Probe{Passed: true, At: now.Add(-48 * time.Hour), BootID: "b0"})
	st.AddTaint(machine.Taint{Marker: "xid-79", Since: now.Add(-time.Hour)})
	look := Look{
		Before: func(context.Context) machine.Before {
			return machine.Before{BootID: "b1", Seen: []machine.Seen{
				{Kind: machine.SeenStuck, Text: "process 7 waits"}, {Kind: machine.SeenContext, Text: "GPU-1: process 9 is gone"}, {Kind: machine.SeenKernel, Text: "NVRM: Xid 79"},
			}}
		},
		States: []machine.State{st}, Folder: t.TempDir(), Now: func() time.Time { return now },
	}
	r := &Report{Results: lookAtMachine(t.Context(), look, Checks())}
	require.Equal(t, Warn, named(t, r, "stuck-processes").Status)
	require.Equal(t, Fail, named(t, r, "stale-contexts").Status)
	require.Equal(t, "GPU-1: process 9 is gone", named(t, r, "stale-contexts").Evidence)
	require.Equal(t, Warn, named(t, r, "kernel-log").Status)
	require.Equal(t, "booted since the last probe of 2026-08-08", named(t, r, "boot").Text)
	require.Equal(t, Warn, named(t, r, "clock").Status, "something was recorded in the future")
	require.Contains(t, named(t, r, "taints").Evidence, "xid-79")
	require.Len(t, lookAtMachine(t.Context(), look, selected([]string{"disk"})), 1)
}

func TestAFailureIsKept(t *testing.T) {
	store := machine.Open(t.TempDir())
	r := &Report{Facts: Facts{Torch: "2.6.0"}, Results: []Result{{Group: "parity", Name: "parity-linear", Device: "cpu", Status: Fail, Text: "2.96 times too large"}}}
	require.NoError(t, r.Record(store, "host", "b1", []machine.Device{cpu}, time.Now()))
	st := store.Load(machine.Key{Kind: machine.KindDevice, ID: cpu.ID})
	p, ok := st.LastProbe()
	require.True(t, ok)
	require.False(t, p.Passed)
	require.Equal(t, "parity", p.Name)
	require.Contains(t, p.Text, "2.96")
	// A part of the probe that passes is no pass.
	r = &Report{Results: []Result{{Group: "parity", Name: "parity-linear", Device: "cpu", Status: Pass}}}
	require.NoError(t, r.Record(store, "host", "b1", []machine.Device{cpu}, time.Now()))
	st = store.Load(machine.Key{Kind: machine.KindDevice, ID: cpu.ID})
	require.Len(t, st.Probes, 1)
}

func TestKnownOfThisVersion(t *testing.T) {
	for _, tt := range []struct {
		check, kind, torch, vision string
		want                       Status
	}{
		{"parity-roi-align", "mps", "2.12", "0.28.0", Known},
		{"parity-roi-align", "mps", "2.12", "0.28", Known},
		{"parity-roi-align", "mps", "2.12", "0.29.0", Fail},
		{"parity-roi-align", "mps", "2.12", "", Fail}, // its version is not known
		{"parity-roi-align", "cuda", "2.12", "0.28.0", Fail},
		{"parity-linear-strided", "mps", "2.8.0", "", Known},
		{"parity-linear-strided", "mps", "2.7.1", "", Fail},
		{"parity-linear-strided", "mps", "2.9.0", "", Fail},
		{"parity-embedding-bag", "cpu", "2.6.0+cu124", "", Known},
		{"parity-linear", "cpu", "2.6.0", "", Fail},
	} {
		r := Result{Name: tt.check, Status: Fail}
		r.explain(tt.kind, Facts{Torch: tt.torch, Vision: tt.vision})
		require.Equal(t, tt.want, r.Status, tt)
	}
	crash := Result{Name: "parity-roi-align", Status: Crash}
	crash.explain("mps", Facts{Vision: "0.28"})
	require.Equal(t, Crash, crash.Status, "a crash is never expected")
	for _, k := range knownRows() {
		require.True(t, Fits(k.check), k.check)
	}
}

func TestSelection(t *testing.T) {
	require.Len(t, selected([]string{"machine"}), 7)
	require.Len(t, selected([]string{"parity-conv*"}), 4)
	require.Len(t, selected([]string{"disk", "clock"}), 2)
	require.False(t, Fits("nothing"))
	require.True(t, Fits("user-mine"))
	for _, c := range Checks() {
		require.Contains(t, Groups(), c.Group)
		require.NotEmpty(t, c.What)
	}
}

func FuzzWorkerReport(f *testing.F) {
	f.Add([]byte("{\"begin\":\"a\"}\n{\"result\":\"a\",\"status\":\"pass\"}\n{\"done\":true}\n"))
	f.Add([]byte("{\"facts\":{}}\n{\"planned\":[\"a\"]}\nnoise\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var e ended
		e.read(bytes.NewReader(text), func() {})
		for _, r := range e.results {
			require.NotEmpty(t, r.Name)
		}
	})
}
