package bench

import "fmt"

// Names of the candidates.
const (
	cat       = "cat"
	rgCount   = "rg -icF"
	rgValues  = "rg -iob"
	audit     = "audit"
	auditAll  = "audit --all"
	maxMemory = 32 << 20
	ranksName = "ranks"
	smallName = "small" // what an audit costs before it reads
)

// bar is what must hold: CPU of one candidate beside another's, or its memory.
type bar struct {
	shapes  []string // empty: every shape
	of      string
	against string  // empty: peak memory
	limit   float64 // ratio, or bytes
}

func measuredShapes() []string { return []string{"hf", "nccl", "tqdm", "megatron"} }

// bars are those of the audit's speed and memory. Where the formats of a shape
// are not among the four that the bars speak of, the ratio is shown alone.
func bars() []bar {
	return []bar{
		{measuredShapes(), audit, rgCount, 0.20},
		{measuredShapes(), audit, cat, 5},
		{measuredShapes(), auditAll, rgValues, 0.40},
		{[]string{ranksName}, audit, cat, 4},
		{nil, audit, "", maxMemory},
		{measuredShapes(), auditAll, "", maxMemory},
	}
}

// Outcome of a bar.
type Outcome string

// A bar is kept, not kept, not measured for want of a tool, or there is none
// and the figure is for the reader.
const (
	Pass        Outcome = "PASS"
	Over        Outcome = "OVER"
	NotMeasured Outcome = "not measured"
	NoBar       Outcome = "-"
)

// Line is a line of the table.
type Line struct {
	Shape    string
	What     string
	Limit    float64 // 0: no bar
	Measured float64
	Memory   bool
	Outcome  Outcome
	Why      string
}

// judge holds what was measured of a shape against the bars. window is what a
// compressed source may take beyond the bar.
func judge(shape string, names []string, got [][]Usage, window int64) []Line {
	usage := map[string][]Usage{}
	for i, n := range names {
		usage[n] = got[i]
	}
	var out []Line
	for _, b := range bars() {
		l := Line{Shape: shape, Limit: b.limit, Memory: b.against == "", What: b.of}
		if !b.holds(shape) {
			l.Limit = 0
		}
		switch {
		case len(usage[b.of]) == 0:
			continue
		case l.Memory:
			l.What += " peak memory"
			l.Limit += float64(window)
			l.Measured = Peak(usage[b.of])
		case len(usage[b.against]) == 0:
			if l.Limit == 0 {
				continue
			}
			l.What += " / " + b.against
			l.Outcome, l.Why = NotMeasured, noRipgrep
		default:
			l.What += " / " + b.against
			l.Measured = Ratio(usage[b.of], usage[b.against])
		}
		l.settle()
		out = append(out, l)
	}
	return dropDoubles(out)
}

const noRipgrep = "rg not found: npm @vscode/ripgrep brings one"

func (b *bar) holds(shape string) bool {
	for _, s := range b.shapes {
		if s == shape {
			return true
		}
	}
	return len(b.shapes) == 0
}

func (l *Line) settle() {
	switch {
	case l.Outcome != "":
	case l.Memory && l.Measured == 0:
		l.Outcome, l.Why = NotMeasured, "this system does not tell the peak of a process"
	case l.Limit == 0:
		l.Outcome = NoBar
	case l.Measured > l.Limit:
		l.Outcome = Over
	default:
		l.Outcome = Pass
	}
}

// dropDoubles keeps the line with a bar where two bars measure the same.
func dropDoubles(lines []Line) []Line {
	var out []Line
	for _, l := range lines {
		double := false
		for i := range out {
			if out[i].What == l.What {
				double = true
				if out[i].Limit == 0 {
					out[i] = l
				}
			}
		}
		if !double {
			out = append(out, l)
		}
	}
	return out
}

func (l *Line) figure(v float64) string {
	switch {
	case v == 0:
		return "-"
	case l.Memory:
		return fmt.Sprintf("%.1f MiB", v/(1<<20))
	}
	return fmt.Sprintf("%.3f", v)
}
