package gomlxguard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/compute"

	"github.com/trainvet/trainvet/guards"
)

// Probe finds out whether a backend computes what a trainer relies on right:
// values and gradients of candidates, against the same in plain Go in float64.
// Each runs in a process of its own, so that a crash and a hang are results.
//
//	probe := gomlxguard.Probe{Backend: backend, Candidates: append(gomlxguard.Candidates(), mine)}
//	if probe.Serve() { // first thing in main: the program starts itself for each candidate
//		return
//	}
//	…
//	results, err := probe.Run(ctx)
type Probe struct {
	Backend    compute.Backend
	Candidates []Candidate
	Timeout    time.Duration // of one candidate; 0: a minute
}

// ProbeResult is what one candidate said.
type ProbeResult struct {
	Name   string `json:"name"`
	Status string `json:"status"` // pass, fail, crash, hang
	Text   string `json:"text"`
}

// The statuses of a candidate.
const (
	ProbePass  = "pass"
	ProbeFail  = "fail"
	ProbeCrash = "crash"
	ProbeHang  = "hang"
)

// envProbe names the candidate that a process is started for.
const envProbe = "TRAINVET_PROBE_CANDIDATE"

// mark stands before the result on the output of such a process.
const mark = "trainvet-probe-result "

// Serve reports whether this process was started to probe: by Run, for one
// candidate, or by `trainvet probe go`, for all. If so that is done, and main
// returns.
func (p *Probe) Serve() bool {
	name := os.Getenv(envProbe)
	switch asked, all := os.LookupEnv(envAll); {
	case name == "" && all:
		p.answer(asked)
		return true
	case name == "":
		return false
	}
	for _, c := range p.Candidates {
		if c.Name == name {
			text, _ := json.Marshal(c.judge(p.Backend)) // strings alone
			fmt.Printf("\n%s%s\n", mark, text)
			return true
		}
	}
	fmt.Fprintf(os.Stderr, "there is no candidate %q\n", name)
	return true
}

// Run starts this program once for each candidate, and records what each said
// with the run of the process. The error says that a process could not be
// started; a candidate that failed is a result.
func (p *Probe) Run(ctx context.Context) ([]ProbeResult, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("probing: %w", err)
	}
	var results []ProbeResult
	for _, c := range p.Candidates {
		r, err := p.start(ctx, self, c.Name)
		if err != nil {
			return results, fmt.Errorf("probing %s: %w", c.Name, err)
		}
		results = append(results, r)
		guards.Default().Probed(r.Name, p.Backend.Name(), "gomlx", r.Status == ProbePass, r.Text)
	}
	return results, nil
}

func (p *Probe) start(ctx context.Context, self, name string) (ProbeResult, error) {
	timeout := p.Timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, self)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, envAll+"=") })
	cmd.Env = append(cmd.Env, envProbe+"="+name, guards.EnvRun+"=") // it is no part of the run
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ProbeResult{}, ctx.Err()
	case limited.Err() != nil:
		return ProbeResult{name, ProbeHang, fmt.Sprintf("no answer within %s", timeout)}, nil
	case errors.As(err, &ended):
		return ProbeResult{name, ProbeCrash, fmt.Sprintf("%s: %s", ended, lastLine(errs.String()))}, nil
	case err != nil:
		return ProbeResult{}, err
	}
	var r ProbeResult
	_, text, found := strings.Cut(string(out), "\n"+mark)
	if !found || json.Unmarshal([]byte(text), &r) != nil {
		return ProbeResult{name, ProbeCrash, "it ended without a result"}, nil
	}
	return r, nil
}

// lastLine is the line of a crash that says most: the one of the panic, else
// the last.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
			return line
		}
	}
	return lines[len(lines)-1]
}
