package verdict

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

//go:embed wholerun.txt
var wholeRunCodes string

// ofWholeRun reports whether a finding is of what the run leaves behind: a value
// that was printed before the model was saved is no value of the file.
func ofWholeRun(f *evidence.Finding) bool {
	return slices.Contains(strings.Split(wholeRunCodes, "\n"), f.Code)
}
