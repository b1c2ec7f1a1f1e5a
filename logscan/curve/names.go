package curve

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

//go:embed names.tsv
var namesTSV string

// names says what metric names mean, by use.
type names struct {
	words map[string][]string
	waits [][2]string // waiting time, whole time
}

func readNames() names {
	n := names{words: map[string][]string{}}
	for _, f := range table(namesTSV, 4) {
		if f[0] == "wait" {
			n.waits = append(n.waits, [2]string{f[1], f[2]})
			continue
		}
		n.words[f[0]] = append(n.words[f[0]], f[1])
	}
	return n
}

// has reports whether one of the name's words is of the use.
func (n names) has(use, name string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(n.words[use], w) })
}

func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("_/-. ()", r) })
}

// main is the rank of a total loss among the losses of a record; -1: a part.
func (n names) main(name string) int { return slices.Index(n.words["main"], base(name)) }

// base is the last component of a name, without what says when it was taken.
func base(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, p := range []string{"training_", "train_", "eval_", "validation_", "valid_", "val_", "test_", "epoch_"} {
		name = strings.TrimPrefix(name, p)
	}
	for _, s := range []string{"_step", "_epoch", "_avg", "_mean"} {
		name = strings.TrimSuffix(name, s)
	}
	return name
}

// lessIsBetter and moreIsBetter: kinds whose direction is known.
func lessIsBetter(k evidence.Kind) bool { return k == evidence.KindLoss || k == evidence.KindError }
func moreIsBetter(k evidence.Kind) bool { return k == evidence.KindAccuracy }
