package gomlxguard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// setAside is what the name of a list becomes that is no whole checkpoint.
const setAside = ".incomplete"

// SetAside renames the checkpoints of a folder that a process left half when it
// was killed, so that GoMLX goes on from the one before: it takes the newest
// list, whatever is in it, and refuses to begin where that is cut. Call it before
// the handler is made. It gives the names; a folder that is not there has none.
func SetAside(dir string) ([]string, error) {
	lists, err := filepath.Glob(filepath.Join(dir, "checkpoint-*"+listFile))
	if err != nil {
		return nil, fmt.Errorf("looking for checkpoints: %w", err)
	}
	var halves []string
	for _, list := range lists {
		whole, err := isWhole(list)
		if err == nil && !whole {
			err = os.Rename(list, list+setAside)
			halves = append(halves, filepath.Base(strings.TrimSuffix(list, listFile)))
		}
		if err != nil {
			return halves, fmt.Errorf("setting a checkpoint aside: %w", err)
		}
	}
	return halves, nil
}

// isWhole: GoMLX writes the list behind the bytes, so that a list that ends has
// them.
func isWhole(list string) (bool, error) {
	text, err := os.ReadFile(list)
	if err != nil {
		return false, err
	}
	var l struct{ Variables []json.RawMessage }
	if json.Unmarshal(text, &l) != nil || len(l.Variables) == 0 {
		return false, nil
	}
	_, err = os.Stat(strings.TrimSuffix(list, listFile) + bytesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
