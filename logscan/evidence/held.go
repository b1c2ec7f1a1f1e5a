package evidence

// Held is what one member of a group held over a run, for verdicts to compare
// with what the others held.
type Held struct {
	Code   string     `json:"code"`   // of the finding that a difference is
	Effect string     `json:"effect"` // of that finding
	Group  string     `json:"group"`
	Member string     `json:"member"`
	Expect string     `json:"expect"` // equal, stays, apart, meets, nothing
	Text   string     `json:"text,omitempty"`
	Pid    int        `json:"pid"`
	Rank   *int       `json:"rank,omitempty"`
	At     Pos        `json:"at"` // of the first record
	Sink   *Pos       `json:"sink,omitempty"`
	Items  []HeldItem `json:"items"`
}

// HeldItem is one thing at one step.
type HeldItem struct {
	Step  int64  `json:"step"`           // -1: it does not change
	Name  string `json:"name,omitempty"` // empty: all of it
	Value string `json:"value"`
}
