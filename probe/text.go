package probe

import (
	"fmt"
	"io"
	"time"

	"github.com/trainvet/trainvet/internal/plain"
)

const textWidth = 400

// WriteText writes what speaks against the machine first, and everything on
// request.
func (r *Report) WriteText(w io.Writer, verbose bool) error {
	p := &printer{w: w}
	if r.Broken != "" {
		p.line("PROBE BROKEN  %s", r.Broken)
		p.line("  nothing is said of any device: mend the Python installation first")
	}
	for _, v := range r.Devices {
		p.line("%s  %s %s%s", v.word(), v.Device, v.Name, v.taints())
	}
	counts := map[Status]int{}
	for _, x := range r.Results {
		counts[x.Status]++
		if verbose || x.Status != Pass && x.Status != Skip {
			x.write(p)
		}
	}
	p.line("%d passed, %d against the machine, %d known of this version, %d to look at, %d skipped%s%s in %s",
		counts[Pass], counts[Fail]+counts[Crash]+counts[Hang], counts[Known], counts[Warn], counts[Skip], more(counts[Skip], verbose), r.with(), r.elapsed.Round(100*time.Millisecond))
	for _, m := range r.Missing {
		p.line("not checked: %s", m)
	}
	for _, n := range r.Notes {
		p.line("note: %s", n)
	}
	return p.err
}

func more(skipped int, verbose bool) string {
	if skipped > 0 && !verbose {
		return " (-v says why)"
	}
	return ""
}

func (r *Report) with() string {
	if r.Facts.Torch == "" {
		return ""
	}
	return fmt.Sprintf("; torch %s, Python %s", r.Facts.Torch, r.Facts.Python)
}

func (v *Verdict) word() string {
	switch {
	case v.Passed:
		return "PASSED"
	case v.Text != "":
		return "FAILED"
	}
	return "NOT WHOLE"
}

func (v *Verdict) taints() string {
	switch {
	case v.Taints > 0 && v.Passed:
		return fmt.Sprintf("; %d faults are left: one more whole pass clears them", v.Taints)
	case v.Taints > 0:
		return fmt.Sprintf("; %d faults are left", v.Taints)
	case !v.Passed && v.Text == "":
		return "; not all groups ran, so this is no pass"
	}
	return ""
}

func (x *Result) write(p *printer) {
	where := ""
	if x.Device != "" {
		where = x.Device + " "
	}
	p.line("%-5s %s%s: %s", x.Status, where, x.Name, x.Text)
	if x.Evidence != "" {
		p.line("        %s", x.Evidence)
	}
}

// printer writes lines; what programs and drivers say goes through plain.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, plain.Line(fmt.Sprintf(format, args...), textWidth))
	}
}
