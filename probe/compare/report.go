package compare

// Version is the version of the report's JSON.
const Version = 1

// Verdict of one metric.
type Verdict string

// The verdicts.
const (
	Different  Verdict = "DIFFERENT"
	Same       Verdict = "SAME WITHIN"
	CannotTell Verdict = "CANNOT TELL"
)

// Report is what a comparison says.
type Report struct {
	Version  int        `json:"version"`
	Refused  []Refusal  `json:"refused,omitempty"`
	Metrics  []Metric   `json:"metrics"`
	Training []Training `json:"training,omitempty"`
	Notes    []string   `json:"notes,omitempty"`
}

// Settled reports whether every metric has an answer.
func (r *Report) Settled() bool {
	for i := range r.Metrics {
		if r.Metrics[i].Verdict == CannotTell {
			return false
		}
	}
	return len(r.Metrics) > 0
}

// Metric is the comparison of one metric.
type Metric struct {
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	Within  float64 `json:"within"` // the d of SAME WITHIN d

	A Side `json:"a"`
	B Side `json:"b"`

	Difference float64   `json:"difference"` // b - a
	Interval   *Interval `json:"interval,omitempty"`
	Bootstrap  *Interval `json:"bootstrap,omitempty"` // of several runs, beside the interval of the test
	Test       string    `json:"test,omitempty"`
	P          *float64  `json:"p,omitempty"`
	Adjusted   *float64  `json:"p_holm,omitempty"` // for the number of metrics

	// Detectable is the smallest difference that this design would have called
	// different; nil: none, however large.
	Detectable *float64 `json:"detectable,omitempty"`
	// More is how many more of Unit, in each arm, would show a true difference
	// of Aim in 4 of 5 cases; 0 where the metric is settled.
	More int     `json:"needs_more,omitempty"`
	Unit string  `json:"unit"` // items, runs
	Aim  float64 `json:"aim,omitempty"`

	Granularity *Granularity `json:"granularity,omitempty"`
	Flipped     []Flip       `json:"flipped,omitempty"`
	FlippedAll  int          `json:"flipped_count,omitempty"`
	Notes       []string     `json:"notes,omitempty"`
}

// Side is one arm's values of a metric.
type Side struct {
	Value    float64   `json:"value"` // of the only run, or the mean over runs
	Text     string    `json:"text,omitempty"`
	Interval *Interval `json:"interval,omitempty"`
	N        int       `json:"n,omitempty"` // items
	K        *int      `json:"k,omitempty"`
	Runs     []float64 `json:"runs,omitempty"`
	Spread   *Interval `json:"spread,omitempty"` // smallest and largest of several runs
	Verdicts []string  `json:"verdicts,omitempty"`
}

// Interval is a closed one.
type Interval struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// Granularity is what one item is worth.
type Granularity struct {
	N    int     `json:"n"`
	Step float64 `json:"step"`
	How  string  `json:"how"` // where n is known from
}

// Flip is an item that only one arm got right.
type Flip struct {
	Item  string `json:"item"`
	Right string `json:"right_in"` // A, B
}
