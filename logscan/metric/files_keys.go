package metric

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

//go:embed filekeys.tsv
var fileKeysTSV string

//go:embed filekinds.tsv
var fileKindsTSV string

// keyUse says what a key of a metric file is for, if not a metric.
type keyUse string

const (
	useTime       keyUse = "time"
	useElapsed    keyUse = "elapsed"
	useTotalStep  keyUse = "total-step"
	useTotalEpoch keyUse = "total-epoch"
	usePhase      keyUse = "phase"
	useIgnore     keyUse = "ignore"
	// The last part of a nested name.
	useValue   keyUse = "value"
	useBest    keyUse = "best"
	useSamples keyUse = "samples"
	useSpread  keyUse = "spread"
)

// fileKind is a row of filekinds.tsv.
type fileKind struct {
	id, kind   string
	keys       []string
	window     evidence.Window
	phase      Split
	sorted     bool
	epochFrom0 bool
	without    string // step-is-epoch-without
	epochKeys  string // step-is-epoch-from-0: of the keys that begin so
	no         string
	elapsed    string
	renames    map[string]string
}

type fileTables struct {
	uses  map[string]keyUse
	kinds []fileKind
}

func loadFileTables() (*fileTables, error) {
	t := &fileTables{uses: map[string]keyUse{}}
	err := eachRow("filekeys.tsv", fileKeysTSV, 2, func(cells []string) error {
		switch u := keyUse(cells[1]); u {
		case useTime, useElapsed, useTotalStep, useTotalEpoch, usePhase, useIgnore,
			useValue, useBest, useSamples, useSpread:
			t.uses[cells[0]] = u
			return nil
		}
		return fmt.Errorf("unknown use %q", cells[1])
	})
	if err != nil {
		return nil, err
	}
	return t, eachRow("filekinds.tsv", fileKindsTSV, 6, func(cells []string) error {
		k := fileKind{
			id: cells[0], kind: cells[1], keys: strings.Fields(cells[2]),
			window: evidence.Window(cells[3]), phase: Split(cells[4]),
		}
		for _, note := range strings.Fields(cells[5]) {
			if err := k.note(note); err != nil {
				return err
			}
		}
		t.kinds = append(t.kinds, k)
		return nil
	})
}

func (k *fileKind) note(note string) error {
	name, key, _ := strings.Cut(note, "=")
	switch name {
	case "sorted":
		k.sorted = true
	case "epoch-from-0":
		k.epochFrom0 = true
	case "no":
		k.no = key
	case "elapsed":
		k.elapsed = key
	case "step-is-epoch-from-0":
		k.epochKeys = key
	case "rename":
		from, to, ok := strings.Cut(key, ":")
		if !ok {
			return fmt.Errorf("rename %q is not FROM:TO", key)
		}
		if k.renames == nil {
			k.renames = map[string]string{}
		}
		k.renames[from] = to
	case "step-is-epoch-without":
		k.without = key
	default:
		return fmt.Errorf("unknown note %q", note)
	}
	return nil
}

// eachRow reads a table of tab separated cells, filled up to n.
func eachRow(table, text string, n int, row func(cells []string) error) error {
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r\t ")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		for len(cells) < n {
			cells = append(cells, "")
		}
		if err := row(cells); err != nil {
			return &RowError{Table: table, Line: i + 1, Err: err}
		}
	}
	return nil
}

// kindOf finds the writer by the keys of a record, in their order.
func (t *fileTables) kindOf(kind string, keys []string) *fileKind {
	for i := range t.kinds {
		if k := &t.kinds[i]; k.kind == kind && k.matches(keys) {
			return k
		}
	}
	return nil
}

func (k *fileKind) matches(keys []string) bool {
	for _, want := range k.keys {
		if first, ok := strings.CutPrefix(want, "^"); ok {
			if len(keys) == 0 || keys[0] != first {
				return false
			}
			continue
		}
		prefix, open := strings.CutSuffix(want, "*")
		if !slices.ContainsFunc(keys, func(key string) bool {
			return key == want || open && strings.HasPrefix(key, prefix)
		}) {
			return false
		}
	}
	if k.no != "" && slices.Contains(keys, k.no) {
		return false
	}
	return !k.sorted || slices.IsSorted(keys[1:])
}
