package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// told is what a command may say of its own steps, as one line of its output:
//
//	trainvet-bench {"examples": 64000, "seconds": 12.5, "steps": 1000, "data_wait": 1.1, ...}
type told struct {
	Examples  float64 `json:"examples"`
	Seconds   float64 `json:"seconds"`
	Steps     float64 `json:"steps"`
	Wait      float64 `json:"data_wait"` // seconds, as those below
	ToDevice  float64 `json:"to_device"`
	Compute   float64 `json:"compute"`
	Optimizer float64 `json:"optimizer"`
}

const toldHead = "trainvet-bench "

// Command runs a command with an arm's values and times it whole. Its output
// goes to out.
func Command(command []string, out io.Writer) func(context.Context, Arm) (Sample, error) {
	return func(ctx context.Context, arm Arm) (Sample, error) {
		argv, err := arm.Fill(command)
		if err != nil {
			return Sample{}, err
		}
		lines := &lastTold{out: out}
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Stdout, cmd.Stderr = lines, lines
		cmd.WaitDelay = time.Second
		begin := time.Now()
		err = cmd.Run()
		s := Sample{Seconds: time.Since(begin).Seconds()}
		if errors.Is(err, exec.ErrWaitDelay) { // a child of its own outlives it
			err = nil
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
		}
		lines.fill(&s)
		return s, nil
	}
}

// lastTold passes output on and keeps the last line that tells of steps.
type lastTold struct {
	out  io.Writer
	part []byte
	last string
}

// maxPart bounds a line that is looked at.
const maxPart = 1 << 16

func (l *lastTold) Write(p []byte) (int, error) {
	l.part = append(l.part, p...)
	for {
		i := bytes.IndexByte(l.part, '\n')
		if i < 0 {
			break
		}
		if text, ok := strings.CutPrefix(string(l.part[:i]), toldHead); ok {
			l.last = text
		}
		l.part = l.part[i+1:]
	}
	if len(l.part) > maxPart {
		l.part = l.part[:0]
	}
	return l.out.Write(p)
}

func (l *lastTold) fill(s *Sample) {
	var t told
	d := json.NewDecoder(bufio.NewReader(strings.NewReader(l.last)))
	if l.last == "" || d.Decode(&t) != nil || t.Seconds <= 0 {
		return
	}
	s.Examples = t.Examples / t.Seconds
	if t.Steps > 0 {
		s.Step = t.Seconds / t.Steps
	}
	if t.Wait+t.ToDevice+t.Compute+t.Optimizer > 0 {
		s.Split = &Split{Wait: t.Wait / t.Seconds, ToDevice: t.ToDevice / t.Seconds, Compute: t.Compute / t.Seconds, Optimizer: t.Optimizer / t.Seconds}
		s.Split.Rest = max(0, 1-s.Split.Wait-s.Split.ToDevice-s.Split.Compute-s.Split.Optimizer)
	}
}
