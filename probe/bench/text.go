package bench

import (
	"fmt"
	"io"

	"github.com/trainvet/trainvet/internal/plain"
)

const textWidth = 400

// WriteText writes the decision first.
func (r *Report) WriteText(w io.Writer, verbose bool) error {
	p := &printer{w: w}
	if r.Word == Confounded {
		p.line("CONFOUNDED  %s", r.Why)
	}
	p.line("%s", r.Decision)
	if r.Cached != "" {
		p.line("measured %s, and nothing that matters has changed since (--again measures anew)", r.Cached)
	}
	for i := range r.Arms {
		r.Arms[i].write(p, verbose)
	}
	p.line("%d rounds in turn, %d dropped as warm-up", r.Rounds, r.Warmup)
	for _, n := range r.Notes {
		p.line("note: %s", n)
	}
	return p.err
}

func (o *Outcome) write(p *printer, verbose bool) {
	head := o.Arm
	if o.Word != "" {
		head = string(o.Word) + "  " + o.Arm
	}
	p.line("%s: %.3g s a run%s", head, o.Seconds, o.speed())
	if o.Whole != nil {
		p.line("  end to end %s the first arm's speed%s; control %s", o.Whole, o.step(), o.Control)
	}
	if s := o.Split; s != nil {
		p.line("  a step: %.0f %% waiting for data, %.0f %% to the device, %.0f %% compute, %.0f %% optimizer, %.0f %% rest", 100*s.Wait, 100*s.ToDevice, 100*s.Compute, 100*s.Optimizer, 100*s.Rest)
	}
	if f := o.Phases; f != nil {
		p.line("  a run: %.2g s start, %.2g s training, %.2g s evaluation, %.2g s from complete to saved", f.Start, f.Training, f.Eval, f.Saving)
	}
	if o.Bound != "" {
		p.line("  data-bound: %s", o.Bound)
	}
	if verbose {
		for i, s := range o.Samples {
			p.line("  round %d: %.3g s, control %.3g s, load %.3g", i+1, s.Seconds, s.Control, s.Around.Load)
		}
	}
}

func (o *Outcome) speed() string {
	if o.Examples > 0 {
		return fmt.Sprintf(", %.4g examples a second", o.Examples)
	}
	return ""
}

func (o *Outcome) step() string {
	if o.Step == nil {
		return ""
	}
	return fmt.Sprintf(", by step %s", o.Step)
}

func (r *Ratio) String() string {
	if r == nil {
		return "not measured"
	}
	return fmt.Sprintf("%.3g times [%.3g, %.3g]", r.Median, r.Lo, r.Hi)
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, plain.Line(fmt.Sprintf(format, args...), textWidth))
	}
}
