package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/nearest"
)

// TargetError is a word that names no site, or several.
type TargetError struct {
	Word    string
	Several bool
	Near    []string // what may be meant, each as Find takes it
}

func (e *TargetError) Error() string {
	if e.Several {
		return fmt.Sprintf("%q names %d sites", e.Word, len(e.Near))
	}
	return fmt.Sprintf("%q names no site", e.Word)
}

// maxNear is how many suggestions are of use.
const maxNear = 8

// Find returns the site or handler that a person means by a word: its id, its
// id and shape (id@51aa0c7e), or file:line with a line of the call. A site of
// which this was the row may be named by the row's id too.
func (j *Judgement) Find(word string) (*Judged, error) {
	all := j.named()
	var found []*Judged
	for _, match := range []func(*Judged) bool{byID(word), byPlace(word), byRow(word)} {
		for _, a := range all {
			if match(a) {
				found = append(found, a)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, &TargetError{Word: word, Near: j.near(word, all)}
	}
	e := &TargetError{Word: word, Several: true}
	for _, a := range found {
		e.Near = append(e.Near, a.label(found))
	}
	return nil, e
}

func (j *Judgement) named() []*Judged {
	var all []*Judged
	for i := range j.Sites {
		all = append(all, &j.Sites[i])
	}
	for i := range j.Handlers {
		all = append(all, &j.Handlers[i])
	}
	return all
}

func byID(word string) func(*Judged) bool {
	id, shape, shaped := strings.Cut(word, "@")
	if i := strings.LastIndex(word, "@"); i >= 0 && site.Shape(word[i+1:]).Valid() {
		id, shape, shaped = word[:i], word[i+1:], true
	} else {
		id, shaped = word, false
	}
	return func(a *Judged) bool {
		return a.Site.ID.String() == id && (!shaped || string(a.Site.Shape) == shape)
	}
}

// byPlace takes file:line and file:line:column.
func byPlace(word string) func(*Judged) bool {
	file, line, column := place(word)
	return func(a *Judged) bool {
		at, last := a.Site.At, a.Site.At.Line
		if a.Site.End.File == at.File {
			last = max(last, a.Site.End.Line)
		}
		return line > 0 && at.File == file && at.Line <= line && line <= last && (column == 0 || column == at.Column)
	}
}

func place(word string) (file string, line, column int) {
	parts := strings.Split(word, ":")
	var numbers []int
	for len(parts) > 1 && len(numbers) < 2 {
		n, err := strconv.Atoi(parts[len(parts)-1])
		if err != nil || n < 1 {
			break
		}
		numbers = append([]int{n}, numbers...)
		parts = parts[:len(parts)-1]
	}
	if len(numbers) == 0 {
		return "", 0, 0
	}
	if len(numbers) == 2 {
		column = numbers[1]
	}
	return strings.Join(parts, ":"), numbers[0], column
}

func byRow(word string) func(*Judged) bool {
	return func(a *Judged) bool { return a.Row != nil && a.Row.ID.String() == word }
}

// label names a site so that Find takes it: by its id, or with its shape where
// others of the list have the same id, or by its place.
func (a *Judged) label(among []*Judged) string {
	id := a.Site.ID.String()
	same := slices.ContainsFunc(among, func(b *Judged) bool { return b != a && b.Site.ID == a.Site.ID })
	if !same {
		return id
	}
	if shaped := slices.ContainsFunc(among, func(b *Judged) bool { return b != a && b.Site.ID == a.Site.ID && b.Site.Shape == a.Site.Shape }); !shaped {
		return id + "@" + string(a.Site.Shape)
	}
	return fmt.Sprintf("%s:%d:%d", a.Site.At.File, a.Site.At.Line, a.Site.At.Column)
}

// near suggests: the sites of the file that was named, the nearest lines first,
// those whose id holds the word, and what was nearly typed.
func (j *Judgement) near(word string, all []*Judged) []string {
	file, line, _ := place(word)
	if line == 0 {
		file = word
	}
	var list []*Judged
	for _, a := range all {
		if a.Site.At.File == file || strings.Contains(strings.ToLower(a.Site.ID.String()), strings.ToLower(word)) {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		ids := make([]string, len(all))
		for i, a := range all {
			ids[i] = a.Site.ID.String()
		}
		if near := nearest.Word(word, ids); near != "" {
			return []string{near}
		}
		return nil
	}
	slices.SortStableFunc(list, func(a, b *Judged) int {
		return cmp.Compare(abs(a.Site.At.Line-line), abs(b.Site.At.Line-line))
	})
	list = list[:min(len(list), maxNear)]
	var out []string
	for _, a := range list {
		out = append(out, a.label(list))
	}
	return out
}

func abs(n int) int { return max(n, -n) }
