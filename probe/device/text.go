package device

import (
	"fmt"
	"io"
	"strings"

	"github.com/trainvet/trainvet/internal/plain"
)

// Line is the decision on the device, ready for a trainer's log. The audit
// reads it: a request that was not met explains a speed.
func (d *Decision) Line() string {
	unmet := ""
	if !d.Met {
		unmet = ", not met"
	}
	return fmt.Sprintf("trainvet device: %s (asked %s%s; %s)", d.Device, d.Asked, unmet, d.Why)
}

// PrecisionLine is the decision on the precision, ready for a trainer's log.
func (d *Decision) PrecisionLine() string {
	unmet := ""
	if !d.DtypeMet {
		unmet = ", not native"
	}
	return fmt.Sprintf("trainvet precision: %s (asked %s%s; %s)", d.Dtype, d.AskedDtype, unmet, d.DtypeWhy)
}

// Satisfied reports whether what was asked for could be met.
func (d *Decision) Satisfied() bool { return d.Met && d.DtypeMet }

const textWidth = 500

// WriteText writes both lines, and what else there is on request.
func (d *Decision) WriteText(w io.Writer, verbose bool) error {
	lines := []string{d.Line(), d.PrecisionLine()}
	for _, n := range d.Notes {
		lines = append(lines, "note: "+n)
	}
	if verbose {
		for i := range d.Capability {
			lines = append(lines, d.Capability[i].lines()...)
		}
		for _, x := range d.Devices.Accels {
			if x.Hidden != "" {
				lines = append(lines, fmt.Sprintf("hidden: %s (%s): %s", x.Name, x.ID, x.Hidden))
			}
		}
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(w, plain.Line(l, textWidth)); err != nil {
			return err
		}
	}
	return nil
}

func (c *Candidate) lines() []string {
	out := []string{fmt.Sprintf("%s: %s (%s)", c.Device.Label(), describe(c.Device), c.Device.ID)}
	p := c.Prior
	out = append(out, fmt.Sprintf("  native by table: float16 %s, bfloat16 %s, tf32 %s, float8 %s: %s", p.FP16, p.BF16, p.TF32, p.FP8, p.Why))
	for _, m := range c.Measured {
		out = append(out, fmt.Sprintf("  measured: %s %s: matmul %.2f, training step %.2f times the speed of float32", m.Name, m.Word, m.MatMul, m.Step))
	}
	for _, e := range c.Against {
		out = append(out, "  against: "+e.Text)
	}
	return out
}

// WriteEnv writes assignments for a shell: eval "$(trainvet device --env)".
func (d *Decision) WriteEnv(w io.Writer) error {
	for _, x := range [...][2]string{
		{"TRAINVET_INTENT", string(d.Intent)}, {"TRAINVET_DEVICE", d.Device}, {"TRAINVET_DEVICE_ID", d.ID},
		{"TRAINVET_DTYPE", d.Dtype}, {"TRAINVET_DEVICE_LINE", d.Line()}, {"TRAINVET_PRECISION_LINE", d.PrecisionLine()},
	} {
		if _, err := fmt.Fprintf(w, "export %s=%s\n", x[0], quoted(x[1])); err != nil {
			return err
		}
	}
	return nil
}

// quoted is one word for a shell, printable and without a line break.
func quoted(text string) string {
	return "'" + strings.ReplaceAll(plain.Line(text, textWidth), "'", `'\''`) + "'"
}
