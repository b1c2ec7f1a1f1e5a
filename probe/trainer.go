package probe

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

// EnvTrainer asks a trainer for the probe that it carries, of computations of
// its own; its value is how long one of them may take. The trainer answers on
// its standard output in the lines of a worker, and ends.
const EnvTrainer = "TRAINVET_PROBE"

// TrainerOptions says which trainer to ask.
type TrainerOptions struct {
	Argv  []string
	Start time.Duration // until it says what it is going to look at
	Check time.Duration // for one computation
	Now   func() time.Time
	Told  func(Result) // called as results come; nil: nobody listens
}

// groupTrainer is the group of what a trainer looks at itself.
const groupTrainer = "trainer"

// Trainer starts a trainer for its own probe. It fails only where the trainer
// cannot be started; one that does not answer is in the report as missing.
func Trainer(ctx context.Context, opt TrainerOptions) (*Report, error) {
	begin := opt.Now()
	r := &Report{Version: 1, At: begin.UTC().Format(time.RFC3339)}
	e, err := opt.ask(ctx)
	if err != nil {
		return nil, err
	}
	for _, x := range e.results {
		x.Group = groupTrainer
		r.Results = append(r.Results, x)
		if opt.Told != nil {
			opt.Told(x)
		}
	}
	opt.judge(r, &e)
	r.elapsed = opt.Now().Sub(begin)
	return r, ctx.Err()
}

// judge says what the trainer left open.
func (o *TrainerOptions) judge(r *Report, e *ended) {
	name := o.Argv[0]
	switch {
	case len(e.planned) == 0 && e.hung:
		r.Missing = append(r.Missing, fmt.Sprintf("%s said nothing of a probe within %s, and was ended: it registers no computations, or not first of all", name, o.Start))
	case len(e.planned) == 0:
		r.Missing = append(r.Missing, fmt.Sprintf("%s ended (%s) and said nothing of a probe: it registers no computations, or not first of all%s", name, e.how, behind(e)))
	case e.done && len(e.results) == len(e.planned):
	case e.hung && e.begun != "":
		r.Results = append(r.Results, Result{Group: groupTrainer, Name: e.begun, Status: Hang, Text: "the trainer gave no result in time", Evidence: e.evidence()})
	default:
		r.Missing = append(r.Missing, fmt.Sprintf("%s ended (%s) behind %d of %d computations%s", name, e.how, len(e.results), len(e.planned), behind(e)))
	}
}

func behind(e *ended) string {
	if text := e.evidence(); text != "" {
		return ": " + text
	}
	return ""
}

// margin is how much longer than the trainer itself a computation is waited for:
// it ends those of its own that take too long.
func margin(check time.Duration) time.Duration { return min(10*time.Second, check) }

// ask starts the trainer and reads what it says.
func (o *TrainerOptions) ask(ctx context.Context) (ended, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.Argv[0], o.Argv[1:]...)
	cmd.Env = append(workerEnv(os.Environ()), EnvTrainer+"="+o.Check.String())
	cmd.WaitDelay = graceTime
	ownGroup(cmd)
	tail := &tail{}
	cmd.Stderr = tail
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return ended{}, fmt.Errorf("starting the trainer: %w", err)
	}
	var e ended
	var late atomic.Bool
	timer := time.AfterFunc(o.Start, func() { late.Store(true); cancel() })
	defer timer.Stop()
	read := make(chan struct{})
	go func() {
		defer close(read)
		e.read(out, func() { timer.Reset(o.Check + margin(o.Check)) })
	}()
	select { // children that outlive the trainer may hold the pipe open
	case <-read:
	case <-ctx.Done():
		select {
		case <-read:
		case <-time.After(graceTime):
			out.Close()
			<-read
		}
	}
	err = cmd.Wait()
	killGroup(cmd)
	e.hung = !e.done && late.Load()
	e.stderr = strings.TrimSpace(tail.String())
	e.how = howEnded(cmd, err)
	return e, nil
}
