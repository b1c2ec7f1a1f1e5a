package curve

import (
	"math"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// curve is one metric of one source over one training.
type curve struct {
	evidence.Column
	source  string
	track   int
	sampled bool
	pts     []point
}

// point is a value, or the first or last of several merged ones. Ten thousand
// ranks make a million of them.
type point struct {
	v, lo, hi float64 // lo and hi reach over all values merged here
	x         float64 // step, else epoch; NaN: none
	epoch     float64 // NaN: none
	at        *evidence.Pos
	text      string
	samples   float64 // behind a score; 0: not known
	row       int32
	merged    bool // values between this one and the last are not kept
}

func (c *curve) values() []float64 {
	out := make([]float64, len(c.pts))
	for i, p := range c.pts {
		out[i] = p.v
	}
	return out
}

func (c *curve) label() string {
	if c.Printed != "" {
		return c.Printed
	}
	return c.Name
}

// columnKey names what a column measures.
type columnKey struct{ name, split string }

// tableKind is the kind of a file whose rows are moments of a training only if it
// counts them: else they may be models, data sets or samples.
const tableKind = "csv"

func (c *curve) counted() bool {
	return slices.ContainsFunc(c.pts, func(p point) bool { return !math.IsNaN(p.x) })
}

func (c *curve) last() point { return c.pts[len(c.pts)-1] }

// run is the curves of a run, sorted by what they are good for.
type run struct {
	names
	all       []*curve
	loss      []*curve // total training losses whose fall means progress
	evals     []*curve
	scores    []*curve // training scores
	objective string   // why losses say nothing about progress; empty: they do
	parts     bool     // several losses, and none is known as the total
	merged    bool     // evaluations were left out: of merged values the order is lost
	classes   float64
}

func gather(ev *evidence.Evidence, th Thresholds) *run {
	r := &run{names: readNames(), classes: th.f("classes")}
	sampled, tables := map[string]bool{}, map[string]bool{}
	for _, s := range ev.Sources {
		sampled[s.ID], tables[s.ID] = s.Sampled, s.Kind == tableKind
	}
	inLog := map[columnKey]bool{}
	for i := range ev.Tracks {
		if t := &ev.Tracks[i]; !evidence.Called(t) {
			for _, c := range t.Columns {
				inLog[columnKey{c.Name, c.Split}] = true
			}
		}
	}
	for i := range ev.Tracks {
		t := &ev.Tracks[i]
		byEpoch, most := stepsPerEpoch(t.Rows), most(t.Rows)
		for col := range t.Columns {
			if evidence.Called(t) && inLog[columnKey{t.Columns[col].Name, t.Columns[col].Split}] {
				continue // the same curve once more
			}
			for _, c := range trainings(t, col, byEpoch, most) {
				if tables[t.Source] && !c.counted() {
					continue
				}
				c.track, c.sampled = i, sampled[t.Source]
				r.all = append(r.all, c)
			}
		}
	}
	r.sortOut()
	return r
}

// sortOut decides what each curve is good for.
func (r *run) sortOut() {
	for _, c := range r.all {
		switch {
		case r.has("reward", c.Name):
			r.objective = "reinforcement learning: its loss is no measure of progress"
		case c.Kind == evidence.KindLoss && r.has("adversary", c.Name):
			r.objective = "adversarial training: neither loss has to fall"
		case r.classes == 0 && slices.Contains(r.words["classes"], base(c.Name)):
			r.classes = c.last().v
		}
	}
	losses := map[int][]*curve{}
	for _, c := range r.all {
		switch {
		case c.Window == evidence.Best || c.Window == evidence.WholeRun || c.Role == evidence.Item || r.has("reward", c.Name):
		case training(c) && c.Kind == evidence.KindLoss:
			losses[c.track] = append(losses[c.track], c)
		case training(c) && moreIsBetter(c.Kind):
			r.scores = append(r.scores, c)
		case c.Role == evidence.Eval && c.Window != evidence.Running && (lessIsBetter(c.Kind) || moreIsBetter(c.Kind)):
			if slices.ContainsFunc(c.pts, func(p point) bool { return p.merged }) {
				r.merged = true
				continue
			}
			r.evals = append(r.evals, evaluations(c)...)
		}
	}
	for i := range r.all { // tracks in their order: maps have none
		if l := losses[i]; len(l) > 0 && r.objective == "" {
			r.loss = append(r.loss, r.totals(l)...)
		}
	}
	r.parts = len(losses) > 0 && len(r.loss) == 0 && r.objective == ""
}

func training(c *curve) bool {
	return c.Role == evidence.Series && (c.Split == "" || c.Split == "train")
}

// totals picks the loss that is minimised: parts of it may rise in a healthy run.
func (r *run) totals(losses []*curve) []*curve {
	byName := map[string]bool{}
	best := math.MaxInt
	for _, c := range losses {
		byName[c.Name] = true
		if rank := r.main(c.Name); rank >= 0 {
			best = min(best, rank)
		}
	}
	if len(byName) == 1 {
		return losses
	}
	return slices.DeleteFunc(losses, func(c *curve) bool { return r.main(c.Name) != best || best == math.MaxInt })
}

// trainings cuts a column where the training starts anew, and joins what was
// resumed: of values that were computed twice the later ones count. most is how
// many points there are at most.
func trainings(t *evidence.Track, col int, byEpoch bool, most int) []*curve {
	var out []*curve
	var room [2]point
	seg := -1
	for i := range t.Rows {
		row := &t.Rows[i]
		pts := points(room[:0], row, i, col, byEpoch)
		if len(pts) == 0 {
			continue
		}
		if row.First.Segment != seg || len(out) == 0 {
			seg = row.First.Segment
			if len(out) == 0 || !resume(out[len(out)-1], pts[0].x) {
				c := &curve{Column: t.Columns[col], source: t.Source}
				if len(out) == 0 {
					c.pts = make([]point, 0, most)
				}
				out = append(out, c)
			}
		}
		c := out[len(out)-1]
		c.pts = append(c.pts, pts...)
	}
	return out
}

// most is how many points rows give at most. Thousands of ranks have short tables:
// growing by the way took three times their memory.
func most(rows []evidence.Row) int {
	n := 0
	for i := range rows {
		if n++; rows[i].N > 1 {
			n++
		}
	}
	return n
}

// resume drops what the new process computes again, and reports whether it
// goes on from within the curve.
func resume(c *curve, x float64) bool {
	if !(x > c.pts[0].x) { // also where there is no counter
		return false
	}
	for len(c.pts) > 0 && c.last().x >= x {
		c.pts = c.pts[:len(c.pts)-1]
	}
	return true
}

// stepsPerEpoch reports whether the step counter starts again each epoch, and
// so is no clock of the training.
func stepsPerEpoch(rows []evidence.Row) bool {
	for i := 1; i < len(rows); i++ {
		a, b := &rows[i-1], &rows[i]
		if a.First.Segment == b.First.Segment && a.Step.Has && b.Step.Has && a.Epoch.Has && b.Epoch.Has &&
			b.Step.First < a.Step.Last && b.Epoch.First > a.Epoch.Last {
			return true
		}
	}
	return false
}

// points appends the one or two points of a row's column.
func points(to []point, row *evidence.Row, i, col int, byEpoch bool) []point {
	if col >= len(row.Cells) || row.Note&evidence.NotePlaceholder != 0 {
		return to
	}
	c := &row.Cells[col]
	if c.N == 0 {
		return to
	}
	mk := func(v evidence.Num, at *evidence.Pos, step, epoch evidence.Num) point {
		p := point{v: float64(v), lo: float64(v), hi: float64(v), x: math.NaN(), epoch: math.NaN(), at: at, row: int32(i)}
		if row.Epoch.Has {
			p.epoch = float64(epoch)
			p.x = p.epoch
		}
		if row.Step.Has && !byEpoch {
			p.x = float64(step)
		}
		if c.Samples != nil {
			p.samples = float64(*c.Samples)
		}
		return p
	}
	last := mk(c.Last, &row.Last, row.Step.Last, row.Epoch.Last)
	last.text = strings.TrimSpace(c.Text)
	if c.N > 1 {
		first := mk(c.First, &row.First, row.Step.First, row.Epoch.First)
		first.lo, first.hi = float64(c.Min), float64(c.Max)
		first.merged, last.merged = true, true
		to = append(to, first)
	}
	return slices.DeleteFunc(append(to, last), func(p point) bool { return math.IsNaN(p.v) || math.IsInf(p.v, 0) })
}
