package verdict

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// Ending is how a recorded run ended. It judges no value: what was printed
// before the end stands.
type Ending struct {
	Kind     string   `json:"kind"` // of several directories: joined by +
	Text     string   `json:"text"`
	Evidence []string `json:"evidence,omitempty"` // untrusted
	// Whole: every part of the run ended by itself, with code 0.
	Whole bool `json:"whole,omitempty"`
}

//go:embed endings.tsv
var endingsTSV string

// endingWords gives a kind of ending in words; {code} and {signal} are filled in.
func endingWords(kind string) string {
	for line := range strings.Lines(endingsTSV) {
		if word, text, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && word == kind {
			return text
		}
	}
	return kind
}

// ending is that of the run directories; nil where there is none.
func ending(run *evidence.Run) *Ending {
	if run == nil || run.Loose {
		return nil
	}
	code := "not known"
	if run.Exit != nil {
		code = fmt.Sprint(*run.Exit)
	}
	fill := strings.NewReplacer("{code}", code, "{signal}", run.Signal)
	var words []string
	for _, kind := range strings.Split(run.Ending, "+") {
		if kind == "exit" && run.Exit == nil && run.Signal == "" {
			kind = "unknown"
		}
		words = append(words, fill.Replace(endingWords(kind)))
	}
	return &Ending{
		Kind: run.Ending, Text: strings.Join(words, "; another part: "), Evidence: slices.Clone(run.EndingWhy),
		Whole: run.Ending == "exit" && run.Exit != nil && *run.Exit == 0,
	}
}
