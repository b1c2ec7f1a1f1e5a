package rules

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed process.tsv
var processRows string

// processLists are the names that the rules on data, processes and measurement
// go by.
var processLists = sync.OnceValue(func() map[string]map[string]bool {
	lists, err := readLists(processRows)
	if err != nil {
		panic(err) // embedded, and read by a test
	}
	return lists
})

func readLists(rows string) (map[string]map[string]bool, error) {
	out := map[string]map[string]bool{}
	for i, line := range strings.Split(rows, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 2 || out[cells[0]] != nil {
			return nil, fmt.Errorf("process.tsv:%d: a new list and its names are expected", i+1)
		}
		out[cells[0]] = map[string]bool{}
		for _, name := range strings.Split(cells[1], ",") {
			out[cells[0]][name] = true
		}
	}
	return out, nil
}

// inList reports whether a name is in a list of process.tsv.
func inList(list, name string) bool {
	names, ok := processLists()[list]
	if !ok {
		panic("process.tsv has no list " + list)
	}
	return names[name]
}
