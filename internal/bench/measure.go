package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"
)

// Usage is what the kernel counted for one process.
type Usage struct {
	CPU  time.Duration `json:"cpu"` // user and system
	Wall time.Duration `json:"wall"`
	Peak int64         `json:"peak"` // resident bytes at most; 0: not known here
	Exit int           `json:"exit"`
}

// Candidate is a command to measure. Its output is thrown away.
type Candidate struct {
	Name string
	Argv []string
	Dir  string
	OK   []int // exit codes that are an answer
}

// ExitError says that a candidate gave no answer.
type ExitError struct {
	Candidate string
	Code      int
	Stderr    string
}

func (e *ExitError) Error() string {
	return fmt.Sprintf("%s exited with %d: %s", e.Candidate, e.Code, e.Stderr)
}

// Runner runs candidates. Launcher, if set, is a small program between this one
// and the candidate that calls Launch: the kernel counts to a process's peak
// what its parent held when it was started.
type Runner struct{ Launcher []string }

// Measure runs a candidate once.
func (r *Runner) Measure(ctx context.Context, c *Candidate) (Usage, error) {
	u, stderr, err := r.start(ctx, c)
	switch {
	case err != nil:
		return u, fmt.Errorf("measuring %s: %w", c.Name, err)
	case !slices.Contains(c.OK, u.Exit):
		return u, &ExitError{Candidate: c.Name, Code: u.Exit, Stderr: stderr}
	}
	return u, nil
}

func (r *Runner) start(ctx context.Context, c *Candidate) (u Usage, stderr string, err error) {
	if len(r.Launcher) == 0 {
		return run(ctx, c.Argv, c.Dir)
	}
	argv := append(slices.Clone(r.Launcher), c.Argv...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var errs bytes.Buffer
	cmd.Dir, cmd.Stderr = c.Dir, &errs
	out, err := cmd.Output()
	if err != nil {
		return Usage{}, "", fmt.Errorf("%w: %s", err, tail(errs.Bytes()))
	}
	if err := json.Unmarshal(out, &u); err != nil {
		return Usage{}, "", fmt.Errorf("reading what the launcher measured: %w", err)
	}
	return u, tail(errs.Bytes()), nil
}

// Launch is the launcher's whole work: it runs a command and writes its usage to
// standard output.
func Launch(ctx context.Context, argv []string) error {
	u, stderr, err := run(ctx, argv, "")
	if err != nil {
		return err
	}
	if _, err := os.Stderr.WriteString(stderr); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(u)
}

func run(ctx context.Context, argv []string, dir string) (Usage, string, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var errs bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &errs
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Usage{}, "", err
	}
	st := cmd.ProcessState
	return Usage{CPU: st.UserTime() + st.SystemTime(), Wall: wall, Peak: peak(st), Exit: st.ExitCode()}, tail(errs.Bytes()), nil
}

func tail(b []byte) string {
	b = bytes.TrimSpace(b)
	return string(b[max(0, len(b)-400):])
}

// Rounds runs the candidates in turns; who begins changes from round to round.
// The result is by candidate, then by round.
func (r *Runner) Rounds(ctx context.Context, candidates []Candidate, rounds int) ([][]Usage, error) {
	out := make([][]Usage, len(candidates))
	for round := range rounds {
		for k := range candidates {
			i := (k + round) % len(candidates)
			u, err := r.Measure(ctx, &candidates[i])
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], u)
		}
	}
	return out, nil
}

// Ratio is the median of the CPU ratios inside the rounds.
func Ratio(of, against []Usage) float64 {
	ratios := make([]float64, min(len(of), len(against)))
	for i := range ratios {
		ratios[i] = of[i].CPU.Seconds() / max(against[i].CPU.Seconds(), 1e-6)
	}
	return median(ratios)
}

// Peak is the median of the peaks.
func Peak(u []Usage) float64 {
	return medianOf(u, func(u Usage) float64 { return float64(u.Peak) })
}

func medianOf(list []Usage, of func(Usage) float64) float64 {
	values := make([]float64, len(list))
	for i := range list {
		values[i] = of(list[i])
	}
	return median(values)
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	if n := len(v) / 2; len(v)%2 == 1 {
		return v[n]
	} else {
		return (v[n-1] + v[n]) / 2
	}
}
