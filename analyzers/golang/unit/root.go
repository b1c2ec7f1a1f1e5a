package unit

import (
	"os"
	"path/filepath"
)

// LedgerName is the file that holds the guard ledger.
const LedgerName = "trainvet.ledger"

// Root finds the folder that a package's files are named from: the nearest one
// upwards that holds a ledger, else the module's, else dir itself. A ledger
// above the module counts while it lies in the same work tree.
func Root(dir string) string {
	module := ""
	for at := dir; ; at = filepath.Dir(at) {
		if exists(filepath.Join(at, LedgerName)) {
			return at
		}
		if module == "" && exists(filepath.Join(at, "go.mod")) {
			module = at
		}
		if exists(filepath.Join(at, ".git")) || at == filepath.Dir(at) {
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
