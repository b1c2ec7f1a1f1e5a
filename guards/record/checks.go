package record

// Site is a place that is checked from now on. Counts, faults and findings
// name it by its number.
type Site struct {
	Site     int    `json:"site"`     // number within the process, from 1
	Kind     string `json:"kind"`     // decode, step, implicit
	Name     string `json:"name"`     // as the author named it, or the callee
	ID       string `json:"id"`       // identity in the guard ledger; empty: in no ledger
	State    string `json:"state"`    // what the ledger says of it; empty: in no ledger
	File     string `json:"file"`     // of the caller
	Line     int    `json:"line"`     // of the caller
	Function string `json:"function"` // of the caller
	Vocab    int64  `json:"vocab"`    // ids that map to a token; 0: not known or no decode
	Width    int64  `json:"width"`    // columns of the logits; 0: not known
	Bound    string `json:"bound"`    // where vocabulary and width come from
	Live     bool   `json:"live"`     // false: it ran, or may have, and nothing checks it; Why says why
	Why      string `json:"why"`      // of a site that nothing checks; of one that is checked: it stands in what ran and was not reached
}

// Count says how often a check ran. All numbers are totals since the process
// started, so that the last one stands for all and a lost one costs nothing.
type Count struct {
	Check  string  `json:"check"`  // decode, steps, finite …
	Site   int     `json:"site"`   // 0: the check belongs to no site
	Calls  int64   `json:"calls"`  // runs of the check
	Values int64   `json:"values"` // values that it looked at
	Tally  []Tally `json:"tally"`  // fill, unmapped …
}

// Tally is one counted grade.
type Tally struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// Fault says that the machine miscomputed, or may have. It carries its effect,
// so that the audit needs no list of grades.
type Fault struct {
	Code   string `json:"code"`   // row of effects.tsv
	Effect Effect `json:"effect"` // what it does to the metrics in its scope
	Scope  string `json:"scope"`  // process, device, node, job
	Site   int    `json:"site"`   // 0: at no site
	Device string `json:"device"` // uuid or name; empty: not known
	Value  string `json:"value"`  // the offending value in decimal, exact whatever its width
	Row    int64  `json:"row"`    // sample within the batch; None: not known
	Column int64  `json:"col"`    // place within the sample; None: not known
	Step   int64  `json:"step"`   // None: not known
	From   int64  `json:"from"`   // first step that it touches; None: from here on
	Until  int64  `json:"until"`  // last step that it touches; None: without end
	Metric string `json:"metric"` // pattern, in which * stands for any run of characters, over the metric's name in lower case, words joined by _; empty: all
	Text   string `json:"text"`   // for people
}

// Finding is anything else that bears on a metric (C2): a check of a later
// version is understood by an audit of this one, since the record says what
// the finding does, to which metrics and at which steps.
type Finding struct {
	Code   string `json:"code"`           // row of effects.tsv, or a check of a later version
	Class  Class  `json:"class"`          // quality, doubt, hook
	Effect Effect `json:"effect"`         // poison, unprove, degrade, note
	Scope  string `json:"scope"`          // process, device, node, job
	Site   int    `json:"site"`           // 0: at no site
	From   int64  `json:"from"`           // first step that it touches; None: open
	Until  int64  `json:"until"`          // last step that it touches; None: open
	Metric string `json:"metric"`         // pattern, in which * stands for any run of characters, over the metric's name in lower case, words joined by _; empty: all
	Name   string `json:"name"`           // parameter, buffer, optimizer, loader; empty: none
	Text   string `json:"text"`           // for people
	Said   int64  `json:"said,omitempty"` // optimizer steps when it was written, which says how late it is; 0: not known
}

// Probe is the result of a check of a device, made inside the run.
type Probe struct {
	Name      string `json:"name"`
	Device    string `json:"device"` // uuid, else name
	Driver    string `json:"driver"`
	Framework string `json:"framework"`
	Passed    bool   `json:"passed"`
	Text      string `json:"text"`
}
