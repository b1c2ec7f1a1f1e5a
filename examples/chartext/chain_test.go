package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestChain goes the whole way with this trainer: vet, build, probe, run, audit. It
// takes a minute or two of CPU, so that it is asked for: `make example`.
func TestChain(t *testing.T) {
	if os.Getenv("TRAINVET_EXAMPLE") == "" {
		t.Skip("TRAINVET_EXAMPLE is not set: make example runs it")
	}
	c := newChain(t)
	t.Run("vet", c.vet)
	c.must(t, "go", "build", "-o", "chartext", ".")
	t.Run("healthy", c.healthy)
	t.Run("probed", c.probed)
	t.Run("faults", c.faults)
	t.Run("swallowed", c.swallowed)
	t.Run("float16", c.float16)
	t.Run("killed", c.killed)
	t.Run("killed at any moment", c.killedAtAnyMoment)
	t.Run("behind its target", c.behindItsTarget)
}

// chain is a copy of this module, in which the commands run.
type chain struct {
	dir, tool string
	runs      int
	folders   int // of checkpoints
}

func newChain(t *testing.T) *chain {
	t.Helper()
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	c := &chain{dir: t.TempDir()}
	c.tool = filepath.Join(t.TempDir(), "trainvet")
	if err := os.CopyFS(c.dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", c.tool, "./cmd/trainvet")
	build.Dir = top
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building trainvet: %v\n%s", err, out)
	}
	c.must(t, "go", "mod", "edit",
		"-replace=github.com/trainvet/trainvet/guards="+filepath.Join(top, "guards"),
		"-replace=github.com/trainvet/trainvet/guards/gomlx="+filepath.Join(top, "guards", "gomlx"))
	return c
}

// command runs a program in the copy and gives its output and exit code. The
// state of the machine is one of its own, so that no fault of another run, and
// no injected one, is held against this.
func (c *chain) command(t *testing.T, name string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(c.dir, fmt.Sprint("state-", c.runs)), "CI=", "TRAINVET_RUN=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("starting %s: %v", name, err)
	}
	shown := append([]string{strings.Replace(name, c.tool, "trainvet", 1)}, args...)
	fmt.Printf("$ %s\n%s", strings.Join(shown, " "), out.String())
	return out.String(), cmd.ProcessState.ExitCode()
}

func (c *chain) must(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, code := c.command(t, name, args...); code != 0 {
		t.Fatalf("%s %v: exit code %d\n%s", name, args, code, out)
	}
}

// verdict is what the audit of a run says.
type verdict struct {
	Headline  string
	Assurance string
	Claims    []struct {
		Name, Verdict, Assurance string
		Value                    any // a number, or a word where it is none
		Step                     struct{ Last float64 }
		Reasons                  []struct{ Code, Text string }
	}
	Steps  *struct{ Attempted, Skipped, Effective int64 }
	Notes  []struct{ Code, Text string }
	Series []struct {
		Name      string
		Stretches []struct {
			Verdict string
			Step    struct{ First, Last float64 }
		}
	}
}

// run trains under trainvet run, audits the run directory, and gives the
// output, the exit code of the trainer and what the audit says.
func (c *chain) run(t *testing.T, command ...string) (string, int, verdict) {
	t.Helper()
	c.runs++
	dir := fmt.Sprint("run-", c.runs)
	out, code := c.command(t, c.tool, append([]string{"run", "--quiet", "--dir", dir, "--"}, command...)...)
	c.command(t, c.tool, "audit", dir)
	report := filepath.Join(c.dir, dir+".json")
	c.command(t, c.tool, "audit", "--format", "json", "--output", report, dir)
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var v verdict
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return out, code, v
}

// claim is the claim of that name.
func (v verdict) claim(t *testing.T, name string) (verdict, level string, number float64, reasons []string) {
	t.Helper()
	for _, claim := range v.Claims {
		if claim.Name == name {
			for _, r := range claim.Reasons {
				reasons = append(reasons, r.Code+": "+r.Text)
			}
			number, _ = claim.Value.(float64)
			return claim.Verdict, claim.Assurance, number, reasons
		}
	}
	t.Errorf("there is no claim %s", name)
	return "", "", 0, nil
}

// record reads the run records of the last run: one line a record.
func (c *chain) record(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(c.dir, fmt.Sprint("run-", c.runs), "records", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	var lines []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Split(strings.TrimSpace(string(text)), "\n")...)
	}
	return lines
}

// holds tells whether a record holds all words.
func holds(lines []string, words ...string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		for _, w := range words {
			if !strings.Contains(line, w) {
				return false
			}
		}
		return true
	})
}
