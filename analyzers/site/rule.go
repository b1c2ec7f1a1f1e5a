package site

// Tier says when a rule runs.
type Tier string

// The tiers.
const (
	Core   Tier = "core"   // on
	Strict Tier = "strict" // opt-in
	Audit  Tier = "audit"  // inventory: never fails
)

// Rule is what a code stands for. Its text is written once, as data, and read
// by explain, the documentation and every printer.
type Rule struct {
	Code     string   `json:"code"` // TV101; never used again for anything else
	Name     string   `json:"name"` // kebab case
	Severity Severity `json:"severity"`
	Langs    []string `json:"langs"` // go, py
	Tier     Tier     `json:"tier"`
	Since    string   `json:"since"` // version of trainvet

	Flags   string   `json:"flags"`           // what it flags
	Matters string   `json:"matters"`         // why that matters for a number
	Example string   `json:"example"`         // flagged
	Guarded string   `json:"guarded"`         // the same, right
	Blind   []string `json:"blind,omitempty"` // known blind spots
	Sources []string `json:"sources,omitempty"`
	// Until: an exemption from this rule needs an end date.
	Until bool `json:"until,omitempty"`
	// In is what differs in one language, by its name.
	In map[string]Differs `json:"in,omitempty"`
}

// Differs is what a rule is in one language only; empty: as everywhere.
type Differs struct {
	Severity Severity `json:"severity,omitempty"`
	Tier     Tier     `json:"tier,omitempty"`
}

// TierFor is the tier in a language.
func (r *Rule) TierFor(lang string) Tier {
	if t := r.In[lang].Tier; t != "" {
		return t
	}
	return r.Tier
}

// SeverityFor is the severity in a language.
func (r *Rule) SeverityFor(lang string) Severity {
	if s := r.In[lang].Severity; s != "" {
		return s
	}
	return r.Severity
}
