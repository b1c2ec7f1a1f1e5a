package probe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// request is what a worker is asked for, on its standard input.
type request struct {
	Group    string            `json:"group"`
	Device   string            `json:"device"`
	Checks   []string          `json:"checks,omitempty"` // none: all of the group
	Ops      string            `json:"ops,omitempty"`    // the user's file
	Options  map[string]string `json:"options,omitempty"`
	Deadline float64           `json:"deadline"` // seconds until a check prints its stack
}

// line is one line of a worker's report.
type line struct {
	Begin   string          `json:"begin"`
	Result  string          `json:"result"`
	Status  Status          `json:"status"`
	Text    string          `json:"text"`
	Numbers map[string]any  `json:"numbers"`
	Seconds float64         `json:"seconds"`
	Facts   json.RawMessage `json:"facts"`
	Planned []string        `json:"planned"`
	Done    bool            `json:"done"`
}

// ended is how a worker ended.
type ended struct {
	facts   json.RawMessage
	planned []string // the checks that it was going to make
	results []Result
	begun   string // a check that began and gave no result
	done    bool
	hung    bool
	how     string // exit code or signal
	stderr  string // its end
}

// Limits of a worker.
const (
	keepStderr = 64 << 10
	maxLine    = 1 << 20
	maxLines   = 10_000
	startTime  = 2 * time.Minute // for a framework on a cold disk and a busy machine
	stackTime  = 2 * time.Second // before its deadline a check prints where it stands
	graceTime  = 2 * time.Second // for the pipes of a process that was killed
)

// worker starts one process for a request and reads its report. The process
// and all that it started are killed when it says nothing for too long: loading
// the framework may take startTime, a check opt.Check, all together opt.Within.
func (p *prober) worker(ctx context.Context, req request) (ended, error) {
	req.Deadline = max(p.opt.Check-stackTime, p.opt.Check/2).Seconds()
	text, err := json.Marshal(req)
	if err != nil {
		return ended{}, fmt.Errorf("encoding the request: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.python, p.program)
	cmd.Env = workerEnv(os.Environ())
	cmd.Stdin = bytes.NewReader(text)
	cmd.WaitDelay = graceTime
	ownGroup(cmd)
	tail := &tail{}
	cmd.Stderr = tail
	out, err := cmd.StdoutPipe()
	if err != nil {
		return ended{}, fmt.Errorf("starting a worker: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return ended{}, fmt.Errorf("starting a worker: %w", err)
	}
	var e ended
	var late atomic.Bool
	end := func() { late.Store(true); cancel() }
	whole, each := &patience{crowd: p.opt.Crowd, end: end}, &patience{crowd: p.opt.Crowd, end: end}
	defer whole.stop()
	defer each.stop()
	whole.give(p.opt.Within)
	each.give(min(startTime, p.opt.Within))
	read := make(chan struct{})
	go func() {
		defer close(read)
		e.read(out, func() { each.give(p.opt.Check) })
	}()
	select { // children that outlive the worker may hold the pipe open
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
	e.stderr = tail.String()
	e.how = howEnded(cmd, err)
	for i := range e.results {
		e.results[i].Group, e.results[i].Device = req.Group, req.Device
	}
	return e, nil
}

// read takes the lines of the report, and says so at each. What is no line of
// it is passed over.
func (e *ended) read(r io.Reader, alive func()) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), maxLine)
	for n := 0; s.Scan() && n < maxLines; n++ {
		var l line
		if json.Unmarshal(s.Bytes(), &l) != nil {
			continue
		}
		alive()
		switch {
		case l.Facts != nil:
			e.facts = l.Facts
		case l.Planned != nil:
			e.planned = l.Planned
		case l.Begin != "":
			e.begun = l.Begin
		case l.Result != "" && l.Result == e.begun:
			e.begun = ""
			e.results = append(e.results, Result{Name: l.Result, Status: l.Status, Text: l.Text, Numbers: l.Numbers, Seconds: l.Seconds})
		case l.Done:
			e.done = true
		}
	}
}

// workerEnv keeps a worker from recording itself as a trainer, and from writing
// beside the framework.
func workerEnv(env []string) []string {
	var out []string
	for _, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); name != "TRAINVET_RUN" && name != "TRAINVET" && name != "PYTHONDONTWRITEBYTECODE" {
			out = append(out, kv)
		}
	}
	return append(out, "TRAINVET=0", "PYTHONDONTWRITEBYTECODE=1")
}

// tail keeps the end of what is written.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*keepStderr {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-keepStderr:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf[max(0, len(t.buf)-keepStderr):])
}

// evidence picks the one line of a dead worker's standard error that says most:
// the driver's word, then Python's, then the last line.
func (e *ended) evidence() string {
	var python, driver, frame, last string
	for l := range strings.Lines(e.stderr) {
		l = strings.TrimSpace(l)
		low := strings.ToLower(l)
		switch {
		case l == "":
			continue
		case strings.Contains(low, "command buffer"), strings.Contains(l, "CUDA error"), strings.Contains(l, "HIP error"), strings.Contains(low, "gpu timeout"):
			driver = l
		case strings.HasPrefix(l, "Fatal Python error"), strings.HasPrefix(l, "Timeout ("):
			python = l
		case strings.HasPrefix(l, "File ") && frame == "":
			frame = l
		}
		last = l
	}
	switch {
	case driver != "":
		return driver
	case python != "" && frame != "":
		return python + " at " + frame
	case python != "":
		return python
	}
	return last
}
