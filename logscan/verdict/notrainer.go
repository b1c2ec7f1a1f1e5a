package verdict

import (
	_ "embed"
	"path"
	"strings"
)

// The kernel cuts process names to 15 bytes.
const kernelNameLen = 15

//go:embed notrainer.txt
var notTrainerList string

// notTrainer reports whether a process of that name cannot be a trainer.
func notTrainer(process string) bool {
	process = strings.ToLower(process)
	for pattern := range strings.Lines(notTrainerList) {
		pattern = strings.ToLower(strings.TrimSpace(pattern))
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		if len(pattern) > kernelNameLen && !strings.Contains(pattern, "*") {
			pattern = pattern[:kernelNameLen]
		}
		if ok, err := path.Match(pattern, process); err == nil && ok {
			return true
		}
	}
	return false
}
