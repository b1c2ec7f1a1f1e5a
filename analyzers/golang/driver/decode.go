package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/site"
)

var errCut = errors.New("the output of the go command ends in the middle")

// diagnostic is what a unit reports, as far as it is of use here: the message
// holds the rest.
type diagnostic struct {
	Category string `json:"category"`
	Posn     string `json:"posn"`
	Message  string `json:"message"`
}

// answers is what the units of one run said.
type answers struct {
	units    map[string]*answer // by plain name
	messages map[string][]string
	order    []string // of messages
	// dropped are the tests without which a package was analysed.
	dropped map[string]site.Unit
}

// answer is what one unit said. The variants of a package, with and without
// its tests, are one.
type answer struct {
	sites    []site.Site
	findings []site.Finding
	ignores  []site.Ignore
	unit     *site.Unit // nil: it did not say that it was analysed
	excluded []string
	broken   string // why an analyzer gave up
}

func newAnswers() *answers {
	return &answers{units: map[string]*answer{}, messages: map[string][]string{}, dropped: map[string]site.Unit{}}
}

// analysed reports whether a unit answered in full.
func (a *answers) analysed(name string) bool {
	u := a.units[name]
	return u != nil && u.unit != nil && u.broken == ""
}

// maxMessages bounds what is kept of a failed package's complaints.
const maxMessages = 20

func (a *answers) text(pkg, line string) error {
	if strings.HasPrefix(line, "exit status ") || strings.HasPrefix(line, "go: downloading ") || strings.HasPrefix(line, "go: finding ") {
		return nil
	}
	if a.messages[pkg] == nil {
		a.order = append(a.order, pkg)
	}
	if len(a.messages[pkg]) < maxMessages {
		a.messages[pkg] = append(a.messages[pkg], line)
	}
	return nil
}

// object reads the answer of one unit: package, then analyzer, then either
// its diagnostics or its failure.
func (a *answers) object(doc []byte) error {
	var tree map[string]map[string]json.RawMessage
	if err := json.Unmarshal(doc, &tree); err != nil {
		return fmt.Errorf("reading the answer of a unit: %w", err)
	}
	for id, byAnalyzer := range tree {
		name := plainName(id)
		if a.units[name] == nil {
			a.units[name] = new(answer)
		}
		for analyzer, raw := range byAnalyzer {
			if err := a.units[name].add(analyzer, raw); err != nil {
				return fmt.Errorf("reading what %s says of %s: %w", analyzer, id, err)
			}
		}
	}
	return nil
}

func (u *answer) add(analyzer string, raw json.RawMessage) error {
	if len(raw) > 0 && raw[0] != '[' {
		var failure struct {
			Error string `json:"error"`
		}
		if err := json.Unmarshal(raw, &failure); err != nil {
			return err
		}
		u.broken = analyzer + " gave up: " + failure.Error
		return nil
	}
	var list []diagnostic
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	for _, d := range list {
		if err := u.diagnostic(d); err != nil {
			return err
		}
	}
	return nil
}

func (u *answer) diagnostic(d diagnostic) error {
	if !strings.HasPrefix(d.Message, "{") {
		at, _ := position(d.Posn)
		u.findings = append(u.findings, site.Finding{Code: d.Category, Message: d.Message, At: at})
		return nil
	}
	var w unit.Wire
	if err := json.Unmarshal([]byte(d.Message), &w); err != nil {
		return err
	}
	if w.Finding != nil {
		u.findings = append(u.findings, *w.Finding)
	}
	if w.Site != nil {
		u.sites = append(u.sites, *w.Site)
	}
	if w.Ignore != nil {
		u.ignores = append(u.ignores, *w.Ignore)
	}
	if w.Unit != nil {
		w.Unit.Name = plainName(w.Unit.Name)
		if u.unit != nil { // the variants of a package: one holds the tests too
			w.Unit.Files = union(u.unit.Files, w.Unit.Files)
			w.Unit.Generated = union(u.unit.Generated, w.Unit.Generated)
		}
		u.unit = w.Unit
	}
	u.excluded = append(u.excluded, w.Excluded...)
	return nil
}

func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// position reads file:line:column or file:line; what follows a message's
// position is handed back.
func position(text string) (site.Position, bool) {
	for _, columns := range []int{2, 1} {
		rest, numbers := text, [2]int{}
		ok := true
		for i := columns - 1; i >= 0 && ok; i-- {
			cut := strings.LastIndexByte(rest, ':')
			if cut < 1 {
				ok = false
				break
			}
			n, err := strconv.Atoi(rest[cut+1:])
			numbers[i], rest, ok = n, rest[:cut], err == nil && n > 0
		}
		if ok {
			return site.Position{File: filepath.ToSlash(rest), Line: numbers[0], Column: numbers[1]}, true
		}
	}
	return site.Position{}, false
}
