package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Workers is an interpreter with the probe's programs unpacked for it.
type Workers struct {
	p   *prober
	dir string
}

// OpenWorkers unpacks the programs. Close removes them.
func OpenWorkers(python string, within time.Duration) (*Workers, error) {
	dir, err := os.MkdirTemp("", "trainvet-probe-")
	if err != nil {
		return nil, fmt.Errorf("making room for the probe's programs: %w", err)
	}
	if err := unpack(dir); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return &Workers{dir: dir, p: &prober{
		opt: Options{Within: within, Check: within}, python: python, program: filepath.Join(dir, "worker.py"),
	}}, nil
}

// Close removes the programs.
func (w *Workers) Close() error { return os.RemoveAll(w.dir) }

// Facts asks the framework what it is, by the control.
func (w *Workers) Facts(ctx context.Context) (Facts, error) {
	if err := w.p.control(ctx); err != nil {
		return Facts{}, err
	}
	if w.p.report.Broken != "" {
		return Facts{}, fmt.Errorf("the probe is broken: %s", w.p.report.Broken)
	}
	return w.p.report.Facts, nil
}

// Bench runs the built-in model once in a process of its own. Numbers of its
// result are decoded into numbers.
func (w *Workers) Bench(ctx context.Context, device, userFile string, options map[string]string, numbers any) error {
	e, err := w.p.worker(ctx, request{Group: "bench", Device: device, Ops: userFile, Options: options})
	if err != nil {
		return err
	}
	if ctx.Err() != nil { // it was killed because we are to end
		return ctx.Err()
	}
	if len(e.results) == 0 {
		return fmt.Errorf("the process %s: %s", deathWords(e), e.evidence())
	}
	r := e.results[0]
	if r.Status != Pass {
		return fmt.Errorf("%s: %s", r.Status, r.Text)
	}
	text, err := json.Marshal(r.Numbers)
	if err == nil {
		err = json.Unmarshal(text, numbers)
	}
	if err != nil {
		return fmt.Errorf("reading what the model measured: %w", err)
	}
	return nil
}
