package rules

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/trainvet/trainvet/analyzers/site"
)

//go:embed TV*.md
var files embed.FS

// shelf reads the files once. They are part of the program: the tests read all
// of them, so that an error here is a fault of the build.
var shelf = sync.OnceValues(func() ([]Text, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("listing the rules: %w", err)
	}
	var out []Text
	for _, e := range entries {
		body, err := files.ReadFile(e.Name())
		if err != nil {
			return nil, fmt.Errorf("reading a rule: %w", err)
		}
		t, err := Parse(e.Name(), string(body))
		if err != nil {
			return nil, fmt.Errorf("reading a rule: %w", err)
		}
		if e.Name() != t.Code+".md" {
			return nil, fmt.Errorf("%s: it holds the rule %s", e.Name(), t.Code)
		}
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b Text) int { return strings.Compare(a.Code, b.Code) })
	return out, nil
})

// Texts returns every rule with all that its file says, by code. It panics
// when a file that was built in cannot be read.
func Texts() []Text {
	list, err := shelf()
	if err != nil {
		panic(err)
	}
	return list
}

// All returns every rule, by code.
func All() []site.Rule {
	var out []site.Rule
	for _, t := range Texts() {
		out = append(out, t.Rule)
	}
	return out
}

// Find returns the rule of a code.
func Find(code string) (site.Rule, bool) {
	t, ok := find(code)
	return t.Rule, ok
}

func find(code string) (Text, bool) {
	list := Texts()
	i, ok := slices.BinarySearchFunc(list, code, func(t Text, code string) int { return strings.Compare(t.Code, code) })
	if !ok {
		return Text{}, false
	}
	return list[i], true
}

// Gate returns the code with which a site of this kind fails when nothing
// guards or counts it; empty: sites of this kind have no gate.
func Gate(k site.Kind) string {
	for _, t := range Texts() {
		if slices.Contains(t.Gates, k) {
			return t.Code
		}
	}
	return ""
}

// Flaw reports whether code says why a guard at a site of kind k does not count.
func Flaw(code string, k site.Kind) bool {
	t, _ := find(code)
	return slices.Contains(t.Flaws, k)
}

// Effect says in words how severe a rule is and when it runs.
func Effect(r site.Rule) string {
	text := effect(r.Severity, r.Tier)
	for _, l := range r.Langs {
		if _, differs := r.In[l]; differs && len(r.Langs) > 1 {
			text += ", in " + langNames[l] + " " + effect(r.SeverityFor(l), r.TierFor(l))
		}
	}
	return text
}

var langNames = map[string]string{"go": "Go", "py": "Python"}

func effect(s site.Severity, t site.Tier) string {
	if t == site.Core {
		return string(s)
	}
	return string(s) + ", off unless asked for (" + string(t) + ")"
}
