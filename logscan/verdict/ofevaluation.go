package verdict

import "github.com/trainvet/trainvet/logscan/evidence"

// ofEvaluation: a guard saw that an evaluation looked at a part of its set, or got
// one answer to all it asked. A training loss is neither.
func ofEvaluation(f *evidence.Finding) bool {
	return (f.Code == "incomplete-evaluation" || f.Code == "constant-output") && f.Metric == ""
}
