package probe

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/trainvet/trainvet/internal/plain"
)

//go:embed overfit.tsv
var overfitTSV string

// Overfit asks the Python runtime for a run that learns so many samples by heart
// in so many steps.
type Overfit struct{ Samples, Steps int }

// Defaults of Overfit.
const (
	OverfitSamples = 8
	OverfitSteps   = 200
)

// EnvOverfit is the variable by which the runtime is asked.
const EnvOverfit = "TRAINVET_OVERFIT"

// Env is its value.
func (o Overfit) Env() string { return fmt.Sprintf("%d:%d", o.Samples, o.Steps) }

// Learned is what a process made of it.
type Learned struct {
	Pid     int     `json:"pid"`
	Rank    int     `json:"rank"`
	Samples int     `json:"samples"`
	Steps   int     `json:"steps"`
	Loaders int     `json:"loaders"` // data sets that were cut to their first samples
	First   float64 `json:"first"`   // loss of the first step
	Last    float64 `json:"last"`    // mean loss of the last ones
	Finite  bool    `json:"finite"`
	Rate    float64 `json:"rate"` // highest learning rate
	Code    string  `json:"code"` // what stood still; empty: it was learned
	Text    string  `json:"text,omitempty"`
	Remedy  string  `json:"remedy,omitempty"`
}

// OverfitReport is what a throw-away run showed.
type OverfitReport struct {
	Version   int       `json:"version"`
	Processes []Learned `json:"processes"`
}

// ReadOverfit reads what the processes of a run left in its directory.
func ReadOverfit(dir string) (*OverfitReport, error) {
	names, err := filepath.Glob(filepath.Join(dir, "overfit-*.json"))
	if err != nil {
		return nil, fmt.Errorf("reading what was learned: %w", err)
	}
	texts := overfitTexts()
	r := &OverfitReport{Version: 1, Processes: []Learned{}}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading what was learned: %w", err)
		}
		var l Learned
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("reading what was learned: %s: %w", filepath.Base(name), err)
		}
		if row, ok := texts[l.Code]; ok {
			l.Text, l.Remedy = row[0], row[1]
		}
		if l.Code == "stands-at-chance" {
			l.Text += chance(l.Last)
		}
		if (l.Code == "stands-at-chance" || l.Code == "not-near-zero") && l.Steps < OverfitSteps {
			l.Text += fmt.Sprintf("; the trainer ended after %d steps, %d would have been watched", l.Steps, OverfitSteps)
		}
		r.Processes = append(r.Processes, l)
	}
	return r, nil
}

// overfitTexts reads the table. A fault in it panics: it is part of the program,
// and a test reads it.
func overfitTexts() map[string][2]string {
	rows := map[string][2]string{}
	for i, line := range strings.Split(strings.TrimSuffix(overfitTSV, "\n"), "\n") {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "code\t") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			panic(fmt.Sprintf("overfit.tsv:%d: %d columns, not 3", i+1, len(f)))
		}
		rows[f[0]] = [2]string{f[1], f[2]}
	}
	return rows
}

// maxClasses bounds the numbers of classes of which a loss may be the guess: with
// many, any loss is near one.
const maxClasses = 30

// chance names the number of classes among which guessing costs this loss.
func chance(loss float64) string {
	k := math.Round(math.Exp(loss))
	if k < 2 || k > maxClasses || math.Abs(loss-math.Log(k)) > 0.01*math.Log(k) {
		return ""
	}
	return fmt.Sprintf(", at ln %.0f, which is what guessing among %.0f classes costs", k, k)
}

// Learned reports whether every process learned its samples.
func (r *OverfitReport) Learned() bool {
	for _, l := range r.Processes {
		if l.Code != "" {
			return false
		}
	}
	return len(r.Processes) > 0
}

// WriteText writes a line for each process, and what to do.
func (r *OverfitReport) WriteText(w io.Writer, _ bool) error {
	for _, l := range r.Processes {
		status, losses := "pass", fmt.Sprintf("loss %.4g to %.4g", l.First, l.Last)
		if !l.Finite {
			losses = "the loss is not finite"
		}
		if l.Code != "" {
			status = "FAIL"
		}
		line := fmt.Sprintf("%s  overfit: %d samples, %d steps, %s, learning rate at most %.3g", status, l.Samples, l.Steps, losses, l.Rate)
		if len(r.Processes) > 1 {
			line += fmt.Sprintf(" (process %d)", l.Pid)
		}
		lines := []string{line}
		if l.Code != "" {
			lines = append(lines, "      "+l.Code+": "+l.Text, "      do: "+l.Remedy)
		}
		for _, x := range lines {
			if _, err := fmt.Fprintln(w, plain.Line(x, 400)); err != nil {
				return fmt.Errorf("writing the report: %w", err)
			}
		}
	}
	return nil
}
