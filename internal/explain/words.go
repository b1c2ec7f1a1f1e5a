package explain

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/trainvet/trainvet/internal/report"
)

//go:embed words.tsv
var wordsTSV string

// words are the verdicts, the levels of assurance, and what a report names as not
// checked.
type words struct {
	order   []string
	entries map[string]report.Entry
}

func newWords() (*words, error) {
	w := &words{entries: map[string]report.Entry{}}
	for i, row := range strings.Split(strings.TrimSuffix(wordsTSV, "\n"), "\n") {
		f := strings.Split(row, "\t")
		if len(f) != 5 {
			return nil, fmt.Errorf("words.tsv:%d: %d columns, not 5", i+1, len(f))
		}
		if i == 0 {
			continue
		}
		e := report.Entry{Code: f[0], Kind: f[1], What: f[2], Meaning: f[3]}
		if f[4] != "" {
			e.Remedy = []string{f[4]}
		}
		w.order = append(w.order, f[0])
		w.entries[f[0]] = e
	}
	return w, nil
}

func (w *words) Name() string                   { return "verdicts, assurance and what was not checked" }
func (w *words) Codes() []string                { return w.order }
func (w *words) Entry(code string) report.Entry { return w.entries[code] }
