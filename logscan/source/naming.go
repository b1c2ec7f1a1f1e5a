package source

import (
	"bytes"
	_ "embed"
	"fmt"
	"path"
	"strings"
)

//go:embed names.tsv
var namesTable string

// naming is what names.tsv says.
type naming struct {
	exact    map[string]action
	suffix   map[string]action // "*.log" by its suffix, the common case
	patterns []namePattern
	folders  map[string]bool
	words    map[string]bool
	actions  map[string]action // answers by shape of base name
}

type action byte

const (
	actUnknown action = iota
	actLog
	actLook
	actPass
	actCheckpoint
	actResults
	actSummary
)

type namePattern struct {
	glob   string
	action action
}

func loadNaming() (*naming, error) {
	n := &naming{
		exact: map[string]action{}, suffix: map[string]action{},
		folders: map[string]bool{}, words: map[string]bool{}, actions: map[string]action{},
	}
	actions := map[string]action{
		"log": actLog, "look": actLook, "pass": actPass,
		"checkpoint": actCheckpoint, "results": actResults, "summary": actSummary,
	}
	for i, line := range strings.Split(namesTable, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		kind, pattern, ok := strings.Cut(line, "\t")
		act, known := actions[kind]
		switch {
		case !ok:
			return nil, fmt.Errorf("names.tsv line %d: no tab", i+1)
		case kind == "folder-pass":
			n.folders[pattern] = true
		case kind == "word":
			n.words[pattern] = true
		case !known:
			return nil, fmt.Errorf("names.tsv line %d: action %q", i+1, kind)
		case !strings.ContainsAny(pattern, "*?"):
			n.exact[pattern] = act
		case strings.HasPrefix(pattern, "*.") && !strings.ContainsAny(pattern[1:], "*?") && strings.Count(pattern, ".") == 1:
			n.suffix[pattern[1:]] = act
		default:
			n.patterns = append(n.patterns, namePattern{pattern, act})
		}
	}
	return n, nil
}

// action says what a base name asks for.
func (n *naming) action(base string) action {
	base = strings.ToLower(base)
	shape := shapeOf(base) // no row asks which digits
	if a, ok := n.actions[shape]; ok {
		return a
	}
	a := n.find(base)
	if len(n.actions) < maxNames {
		n.actions[shape] = a
	}
	return a
}

func (n *naming) find(base string) action {
	base = plainName(base)
	if a, ok := n.exact[base]; ok {
		return a
	}
	for _, p := range n.patterns {
		if ok, _ := path.Match(p.glob, base); ok {
			return p.action
		}
	}
	return n.suffix[path.Ext(base)]
}

// plainName takes compression and rotation suffixes off: train.log.1.gz and
// train.log-20260102 are train.log.
func plainName(base string) string {
	for {
		ext := path.Ext(base)
		stem := base[:len(base)-len(ext)]
		switch {
		case stem == "":
			return base
		case ext == ".gz" || ext == ".zst" || ext == ".xz" || ext == ".old" || ext == ".bak":
			base = stem
		case len(ext) > 1 && len(ext) <= 9 && strings.Trim(ext[1:], "0123456789") == "" && strings.Contains(stem, "."):
			base = stem
		default:
			if i := strings.LastIndexByte(ext, '-'); i > 1 && len(ext)-i >= 9 && strings.Trim(ext[i:], "-0123456789") == "" {
				return stem + ext[:i]
			}
			return base
		}
	}
}

// wanted says whether a file that was found in a folder is a log or metric
// file, and if not why.
func (n *naming) wanted(base string, k Kind, head []byte) (bool, string) {
	act := n.action(base)
	switch {
	case k == Checkpoint || act == actCheckpoint:
		return false, "checkpoint"
	case k == TFEvents || k == Wandb || k == MLflow || k == TrainerState || k == Notebook || k == HFResults || k == WandbSummary || k == GoMLX:
		return true, ""
	case act == actPass:
		return false, "not a log by its name"
	case k == Archive || k == Binary:
		return act == actLog || act == actLook, "binary"
	case k == Empty:
		return act == actLog, "empty"
	case k == CSV || k == JSONL || k == JSON:
		return act == actLog || n.hasMetricWord(k, head), "holds no metric columns"
	case k == Kernel || k == Slurm || act == actLog:
		return true, ""
	}
	return looksLikeLog(head), "does not look like a log"
}

// hasMetricWord looks for a metric's name among the column names or keys.
func (n *naming) hasMetricWord(k Kind, head []byte) bool {
	names := head
	if k == CSV || k == JSONL {
		names, _, _ = bytes.Cut(head, []byte{'\n'})
	}
	if k != CSV {
		keys, _, _ := objectKeys(names)
		for key := range keys {
			if n.words[key] || n.hasWord(key) {
				return true
			}
		}
		return false
	}
	return n.hasWord(string(names))
}

func (n *naming) hasWord(s string) bool {
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}) {
		if n.words[w] {
			return true
		}
	}
	return false
}

// looksLikeLog says whether a tenth of the lines have a stamp, a level or a
// named number.
func looksLikeLog(head []byte) bool {
	lines, hits := 0, 0
	for line := range firstLines(head, maxSniffLines) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		lines++
		p, _ := ReadPrefix(line)
		if p.Time != 0 || p.Level != 0 || p.Rank != noRank || p.Kernel || hasNamedNumber(line) {
			hits++
		}
	}
	return hits > 0 && hits*10 >= lines
}

// hasNamedNumber looks for a letter, a separator and a number with a decimal
// point: "loss: 0.31", "acc=0.9", "lr 1e-5".
func hasNamedNumber(b []byte) bool {
	for i := 2; i < len(b); i++ {
		if b[i] != '.' || !isDigit(b[i-1]) || i+1 == len(b) || !isDigit(b[i+1]) {
			continue
		}
		j := i - 1
		for j > 0 && isDigit(b[j]) {
			j--
		}
		sep := j
		for j >= 0 && (b[j] == ' ' || b[j] == ':' || b[j] == '=' || b[j] == '-' || b[j] == '\'' || b[j] == '"' || b[j] == '\t') {
			j--
		}
		if j >= 0 && j < sep && (isLetter(b[j]) || b[j] == ']' || b[j] == ')') {
			return true
		}
	}
	return false
}
