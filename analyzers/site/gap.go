package site

// Gap is something in the tree that was not looked at, and why: a check that
// did not run is not a check that passed.
type Gap struct {
	What       string   `json:"what"`
	Why        string   `json:"why"`
	At         Position `json:"at"`
	Unanalysed bool     `json:"unanalysed"`      // a unit that was asked for
	Matters    bool     `json:"matters"`         // a site may lie there: the ledger cannot be judged
	Names      []string `json:"names,omitempty"` // what may be sites there, as file:line: name; or the files
}
