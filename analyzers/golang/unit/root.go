package unit

import (
	"os"
	"path/filepath"

	"github.com/trainvet/trainvet/analyzers/ledger"
)

// LedgerName is the file that holds the guard ledger.
const LedgerName = ledger.FileName

// Root finds the folder that files are named from: the nearest one upwards,
// within the work tree, that holds a ledger, else the work tree, else the
// module, else dir.
func Root(dir string) string {
	module := ""
	for at := dir; ; at = filepath.Dir(at) {
		switch {
		case exists(filepath.Join(at, LedgerName)), exists(filepath.Join(at, ".git")):
			return at
		case module == "" && exists(filepath.Join(at, "go.mod")):
			module = at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if module != "" {
		return module
	}
	return dir
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
