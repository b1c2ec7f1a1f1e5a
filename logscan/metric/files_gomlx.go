package metric

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric/gomlx"
	"github.com/trainvet/trainvet/logscan/metric/value"
)

// What guards keep in the graph of a GoMLX trainer, and GoMLX itself.
const (
	gomlxStep      = "/global_step"
	gomlxAttempted = "/trainvet/attempted"
	gomlxApplied   = "/trainvet/applied"
	gomlxScale     = "/trainvet/scale"
	gomlxMetrics   = "/metrics/"       // a mean stays NaN once the loss was
	gomlxAdam      = "/AdamOptimizer/" // moments are no model
)

// gomlxCheckpoint reads a checkpoint of GoMLX: its list is the file, and its
// values lie in the one beside it.
func (f *fileRun) gomlxCheckpoint(ctx context.Context, r io.Reader) error {
	data, err := f.besides()
	if err != nil {
		return err
	}
	var values io.Reader
	if data != nil {
		defer data.Close()
		values = data
	} else {
		f.note("the file with the values, %s, was not read: only the list of variables is known", gomlxData(f.id))
	}
	c, err := gomlx.Read(ctx, r, values)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		f.broken("cut", 0, 0, "the values in %s end early: the checkpoint was not written whole", gomlxData(f.id))
		err = nil
	}
	f.gomlxRecord(&c)
	for _, bad := range c.NonFinite {
		if strings.HasPrefix(bad.Path, gomlxMetrics) {
			continue
		}
		f.note("%d of %d values of %.80s are not finite: what is computed from this model is no measurement", bad.N, bad.Of, bad.Path)
	}
	return err
}

// gomlxRecord emits the counters. Where guards count steps that is the step:
// the global step leaves out what was thrown away.
func (f *fileRun) gomlxRecord(c *gomlx.Checkpoint) {
	step, ok := c.Scalars[gomlxStep]
	if !ok {
		return
	}
	attempted, guarded := c.Scalars[gomlxAttempted]
	if guarded {
		step = attempted
	}
	f.begin(place{0, 0, 1})
	f.rec.Step = Counter{Has: true, Name: "step", Value: step}
	var values []value.Value
	if applied, ok := c.Scalars[gomlxApplied]; ok && guarded {
		values = append(values, exactly("skipped_steps", attempted-applied))
	}
	if scale, ok := c.Scalars[gomlxScale]; ok {
		values = append(values, exactly("loss_scale", scale))
	}
	if n := badParameters(c); n > 0 {
		values = append(values, exactly(evidence.NonFiniteParameters, float64(n)))
	}
	f.add(values, nil)
	f.end()
}

// badParameters counts the values of the model that are not finite.
func badParameters(c *gomlx.Checkpoint) (n int64) {
	for _, bad := range c.NonFinite {
		if !strings.HasPrefix(bad.Path, gomlxMetrics) && !strings.HasPrefix(bad.Path, gomlxAdam) {
			n += bad.N
		}
	}
	return n
}

// exactly is a value that was stored as a number.
func exactly(name string, number float64) value.Value {
	return value.Value{Name: name, Text: strconv.FormatFloat(number, 'g', -1, 64), Number: number}
}

func gomlxData(id string) string { return strings.TrimSuffix(id, ".json") + ".bin" }

// besides opens the file with the values; nil where there is none.
func (f *fileRun) besides() (io.ReadCloser, error) {
	if f.beside == nil {
		return nil, nil
	}
	return f.beside(".json", ".bin")
}
