package explain

import (
	"slices"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/internal/report"
)

// grades are what guards see during a run.
type grades []record.Grade

func (g grades) Name() string { return "findings of guards" }

func (g grades) Codes() []string {
	out := make([]string, len(g))
	for i := range g {
		out[i] = g[i].Code
	}
	return out
}

func (g grades) Entry(code string) report.Entry {
	i := slices.IndexFunc(g, func(row record.Grade) bool { return row.Code == code })
	if i < 0 {
		return report.Entry{}
	}
	effect := effects[string(g[i].Effect)]
	if effect == "" {
		effect = effects["note"]
	}
	return report.Entry{Code: code, Kind: "finding of a guard, class " + string(g[i].Class), Effect: effect, What: g[i].Text}
}
