package evidence

// Resume is a process that goes on from a checkpoint.
type Resume struct {
	Path    string    `json:"path"`
	Size    *int64    `json:"size,omitempty"`
	Sample  string    `json:"sample,omitempty"` // digest of pieces of the file
	Step    *float64  `json:"step,omitempty"`   // the trainer's counter in it
	Carried []Carried `json:"carried,omitempty"`
	Pid     int       `json:"pid"`
	Rank    *int      `json:"rank,omitempty"`
	At      Pos       `json:"at"` // in the record file
	Sink    *Pos      `json:"sink,omitempty"`
}

// Carried is a step ledger that the checkpoint itself holds.
type Carried struct {
	Optimizer string `json:"optimizer"`
	Attempted int64  `json:"attempted"`
	Applied   int64  `json:"applied"`
}
