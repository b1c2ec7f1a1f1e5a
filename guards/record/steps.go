package record

// Step is the step ledger of one optimizer. All numbers are totals since the
// process started.
type Step struct {
	Optimizer string `json:"optimizer"`
	Step      int64  `json:"step"`      // the trainer's own counter; None: not known
	Planned   int64  `json:"planned"`   // 0: not known
	Attempted int64  `json:"attempted"` // steps asked for
	Applied   int64  `json:"applied"`   // steps that ran the update
	Skipped   int64  `json:"skipped"`   // steps that a scaler or the trainer threw away
	Samples   int64  `json:"samples"`   // samples seen; 0: not known
	How       string `json:"how"`       // where skips are read: found-inf, framework, parameters, trainer; empty: not seen
}

// Skip is a stretch of optimizer steps in a row that were thrown away.
type Skip struct {
	Optimizer string `json:"optimizer"`
	From      int64  `json:"from"`    // attempt number of the first one, from 1; None: not known
	Until     int64  `json:"until"`   // attempt number of the last one; None: not known
	Count     int64  `json:"n"`       // how many
	Step      int64  `json:"step"`    // the trainer's counter at the last one; None: not known
	Reason    string `json:"reason"`  // found-inf, scale-zero, nonfinite-loss …
	Scale     Float  `json:"scale"`   // before the update of the scaler; 0 with Scaled false
	Scaled    bool   `json:"scaled"`  // a scaler is live and Scale is its scale
	AtFloor   bool   `json:"floor"`   // the scale cannot fall further
	Total     int64  `json:"skipped"` // skips of this optimizer so far, these included
}

// Metric is a value that the trainer reported.
type Metric struct {
	Name  string `json:"name"`
	Value Float  `json:"value"`
	Split string `json:"split"`           // train, val, test; empty: not said
	N     int64  `json:"n"`               // samples behind the value; None: not said
	Good  int64  `json:"good"`            // k of "k of n"; None: not said
	Step  int64  `json:"step"`            // None: not said
	Epoch Float  `json:"epoch"`           // NaN: not said
	Taint string `json:"taint"`           // code of the sticky fault before it; empty: none
	From  string `json:"from"`            // who reported it: guards, trainer, lightning, tensorboard …
	Where string `json:"where,omitempty"` // file and line of the trainer that called: train.py:60; empty: not known
}

// Artifact is a file that the trainer wrote or read.
type Artifact struct {
	Op     string `json:"op"`     // wrote, read; writing: it is begun, and wrote follows when it is done
	Path   string `json:"path"`   // as the process named it
	Size   int64  `json:"size"`   // bytes; None: not known
	Sample string `json:"sample"` // digest of pieces of it, to know it again; empty: not taken
	Step   int64  `json:"step"`   // None: not known
	Kind   string `json:"kind"`   // checkpoint, predictions, state, data; empty: not known
	Taint  string `json:"taint"`  // code of the sticky fault before it; empty: none
}
