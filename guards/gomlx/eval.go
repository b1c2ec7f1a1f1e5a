package gomlxguard

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
)

// Value is a metric of an evaluation.
type Value struct {
	Name    string // of the metric, in lower case, words joined by _, behind "eval_"
	Metric  string // as GoMLX calls it
	Value   float64
	Printed string // as the metric prints it
}

// Eval evaluates a dataset, looks at parameters, outputs and metrics, and
// records each metric with the number of samples behind it. Split is train, val
// or test. Trainer.Eval looks at none of it.
//
// The values come with the error, so that a caller may show what it must not
// quote.
func (g *Guard) Eval(split string, ds train.Dataset) ([]Value, error) {
	counted, ok := ds.(*dataset)
	if !ok {
		counted = Dataset(ds, nil).(*dataset)
	}
	looked := g.lookAt(true)
	var results []*tensors.Tensor
	err := Catch("evaluating "+ds.Name(), func() (err error) {
		results, err = g.loop.Trainer.Eval(counted)
		return err
	})
	if err != nil {
		g.run.Flush()
		return nil, errors.Join(looked, fmt.Errorf("evaluating %s: %w", ds.Name(), err))
	}
	values, err := g.report(split, results, counted.seen.Load())
	return values, errors.Join(looked, err)
}

// report records the metrics of an evaluation. Where the outputs are not finite
// no metric is a measurement, whatever it says.
func (g *Guard) report(split string, results []*tensors.Tensor, n int64) ([]Value, error) {
	var values []Value
	var found error
	keep := func(err error) {
		if found == nil {
			found = err
		}
	}
	metrics := g.loop.Trainer.EvalMetrics()
	for i, m := range metrics {
		if _, ok := m.(outputs); ok {
			bad, _ := results[i].Value().(int64)
			keep(g.outputs.Counted("predictions", bad, max(bad, n)))
		}
	}
	for i, m := range metrics {
		if _, ok := m.(outputs); ok || !results[i].Shape().IsScalar() {
			continue
		}
		v := Value{Name: MetricName(m.Name()), Metric: m.Name(),
			Value: shapes.ConvertTo[float64](results[i].Value()), Printed: m.PrettyPrint(results[i])}
		keep(g.outputs.Value(v.Name, v.Value))
		keep(g.run.Metric(v.Name, split).Report(v.Value, n))
		values = append(values, v)
	}
	return values, found
}

// MetricName is the name under which the metric of an evaluation is recorded:
// "Mean Loss" is eval_mean_loss.
func MetricName(name string) string {
	return "eval_" + strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "_")
}
