package bench

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteUsage writes what each candidate used, medians over the rounds.
func WriteUsage(to io.Writer, reports []*Report) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "shape\tMiB\tcandidate\tCPU s\twall s\tMiB/CPU s\tpeak MiB\t")
	for _, r := range reports {
		size := float64(r.Bytes) / (1 << 20)
		for i, name := range r.Names {
			cpu := medianOf(r.Usage[i], func(u Usage) float64 { return u.CPU.Seconds() })
			wall := medianOf(r.Usage[i], func(u Usage) float64 { return u.Wall.Seconds() })
			fmt.Fprintf(w, "%s\t%.0f\t%s\t%.3f\t%.3f\t%.0f\t%.1f\t\n", r.Shape, size, name, cpu, wall, size/max(cpu, 1e-6), Peak(r.Usage[i])/(1<<20))
		}
	}
	return w.Flush()
}

// WriteBars writes the bars, what was measured, and how that stands.
func WriteBars(to io.Writer, reports []*Report) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "shape\twhat\tbar\tmeasured\tresult")
	for _, r := range reports {
		for i := range r.Lines {
			l := &r.Lines[i]
			result := string(l.Outcome)
			if l.Why != "" {
				result += ": " + l.Why
			}
			limit := l.figure(l.Limit)
			if l.Limit > 0 {
				limit = "<= " + limit
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", l.Shape, l.What, limit, l.figure(l.Measured), result)
		}
	}
	return w.Flush()
}

// Kept reports whether no bar is passed over.
func Kept(reports []*Report) bool {
	for _, r := range reports {
		for i := range r.Lines {
			if r.Lines[i].Outcome == Over {
				return false
			}
		}
	}
	return true
}
