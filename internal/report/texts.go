package report

import (
	_ "embed"
	"strings"

	"github.com/trainvet/trainvet/logscan/verdict"
)

//go:embed texts.tsv
var textsTSV string

// texts reads the report's own sentences by key: consequences of a verdict on
// an artifact or machine, and the notes that a healthy report keeps to itself.
func texts() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(textsTSV) {
		if key, text, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t"); ok {
			out[key] = text
		}
	}
	return out
}

// noneNeeded stands where nothing is to be done.
const noneNeeded = "none needed"

// named is the remedy that a reason itself holds, with the names of its case.
func named(do string) string {
	if strings.Contains(do, "{") || do == noneNeeded {
		return ""
	}
	return do
}

// standardRemedy reads the remedies from the reasons that verdict carries.
func standardRemedy() Remedy {
	rows, err := verdict.Reasons()
	if err != nil { // held by verdict's tests; a report without remedies is still a report
		rows = nil
	}
	byCode := make(map[string]verdict.ReasonText, len(rows))
	for _, r := range rows {
		byCode[r.Code] = r
	}
	return func(code string) (text, do string) {
		r := byCode[code]
		if strings.Contains(r.Do, "{") || r.Do == noneNeeded {
			r.Do = ""
		}
		return r.Title, r.Do
	}
}
