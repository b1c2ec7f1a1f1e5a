package compare

import (
	_ "embed"
	"strings"
)

//go:embed names.tsv
var namesTSV string

// isShareName reports whether a metric of this name counts right items. Names
// of names.tsv that only look so (balanced accuracy is a mean of shares) win.
func isShareName(name string) bool {
	share := false
	name = "_" + strings.ToLower(name) + "_"
	for row := range strings.Lines(namesTSV) {
		f := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(f) != 3 || !strings.Contains(name, f[0]) {
			continue
		}
		switch f[1] {
		case "share":
			share = true
		case "mean":
			return false
		}
	}
	return share
}
