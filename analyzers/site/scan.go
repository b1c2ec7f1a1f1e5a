package site

// Scan is what the front end of a language found in a tree, before the ledger
// is asked. Fronts make it, the join holds it against the ledger.
type Scan struct {
	Root     string    `json:"root"` // absolute; every file of the scan is named from here
	Sites    []Site    `json:"sites"`
	Findings []Finding `json:"findings"` // of every rule but those that need the ledger
	Ignores  []Ignore  `json:"ignores"`
	Units    []Unit    `json:"units"` // every package or file that was asked for
	// Partial says why the scan does not cover the tree below Root: paths or
	// patterns were given, a tag set was left out. Empty: it covers all.
	Partial string `json:"partial,omitempty"`
}

// Unit is what a front end analyses at once: a Go package, a Python file.
type Unit struct {
	Name  string   `json:"name"`  // import path, or file from the root
	Files []string `json:"files"` // from the root
	// Generated are those of Files that say that a program wrote them.
	Generated []string `json:"generated,omitempty"`
	Tags      []string `json:"tags,omitempty"`    // build tags that it was built with
	Problem   string   `json:"problem,omitempty"` // why it is UNANALYSED; empty: it was analysed
	At        Position `json:"at"`                // of the problem
}

// Complete reports whether a row without a site is proven stale: the scan
// covers the tree, and every unit of it was analysed.
func (s *Scan) Complete() bool {
	if s.Partial != "" {
		return false
	}
	for i := range s.Units {
		if s.Units[i].Problem != "" {
			return false
		}
	}
	return true
}

// Ignore is an inline exemption: //trainvet:ignore TV201 reason, or
// # trainvet: ignore[TV201] reason. It covers the lines From to To of its file.
type Ignore struct {
	At     Position `json:"at"`
	From   int      `json:"from"`
	To     int      `json:"to"`
	Codes  []string `json:"codes"`
	Reason string   `json:"reason"`
	Until  string   `json:"until,omitempty"` // last day, as 2027-06-30
	// Problem says what is wrong with its grammar; empty: nothing.
	Problem string `json:"problem,omitempty"`
}
