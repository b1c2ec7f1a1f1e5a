package compare

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Item is one row of a file of predictions.
type Item struct {
	ID, Label, Prediction string
	Score                 float64
}

// columnNames are the headings that are understood, by what they hold.
var columnNames = [...]struct {
	field string
	names []string
}{
	{"item", []string{"item", "id", "item_id", "index", "utterance", "utt_id", "key"}},
	{"label", []string{"label", "labels", "target", "reference", "ref", "gold", "answer", "truth"}},
	{"prediction", []string{"prediction", "predictions", "pred", "hypothesis", "hyp", "output", "predicted"}},
	{"score", []string{"score", "value"}},
}

// FileError is a file of predictions that cannot be used.
type FileError struct {
	File string
	Line int // 0: the file as a whole
	Text string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Text)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

// ReadPredictions reads a CSV, or TSV by its name, with a heading: item, label
// and prediction, or item and score. Each item stands in it once.
func ReadPredictions(name string, r io.Reader, score Score) ([]Item, error) {
	rows := csv.NewReader(r)
	rows.LazyQuotes = true
	if strings.HasSuffix(strings.ToLower(name), ".tsv") {
		rows.Comma = '\t'
	}
	head, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, &FileError{File: name, Text: "it is empty"}
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	at, err := columnsOf(name, head, score)
	if err != nil {
		return nil, err
	}
	var items []Item
	seen := map[string]bool{}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		line, _ := rows.FieldPos(0)
		item, err := at.read(row)
		switch {
		case err != nil:
			return nil, &FileError{name, line, err.Error()}
		case seen[item.ID]:
			return nil, &FileError{name, line, fmt.Sprintf("item %q stands there a second time", item.ID)}
		}
		seen[item.ID] = true
		items = append(items, item)
	}
	if len(items) == 0 {
		return nil, &FileError{File: name, Text: "it holds no item"}
	}
	return items, nil
}

// columns are the places of the fields; -1: not there.
type columns struct{ item, label, prediction, score int }

func columnsOf(name string, head []string, score Score) (columns, error) {
	place := map[string]int{}
	for _, c := range columnNames {
		place[c.field] = slices.IndexFunc(head, func(h string) bool {
			h = strings.TrimPrefix(h, "\ufeff")
			return slices.Contains(c.names, strings.ToLower(strings.TrimSpace(h)))
		})
	}
	needed := []string{"item", "label", "prediction"}
	if score == Mean {
		needed = []string{"item", "score"}
	}
	for _, field := range needed {
		if place[field] < 0 {
			return columns{}, &FileError{name, 1, fmt.Sprintf("no column %s: the heading names %s", field, strings.Join(needed, ", "))}
		}
	}
	if score != Mean {
		place["score"] = -1 // what it holds is nobody's business
	}
	return columns{place["item"], place["label"], place["prediction"], place["score"]}, nil
}

func (c columns) read(row []string) (Item, error) {
	cell := func(i int) string {
		if i < 0 {
			return ""
		}
		return row[i]
	}
	item := Item{ID: cell(c.item), Label: cell(c.label), Prediction: cell(c.prediction)}
	if c.score < 0 {
		return item, nil
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(cell(c.score)), 64)
	if err != nil || v-v != 0 {
		return item, fmt.Errorf("score %q is no finite number", cell(c.score))
	}
	item.Score = v
	return item, nil
}

// pair is the two arms' outputs for one item.
type pair struct{ a, b Item }

// pairUp joins the arms by item. Items of one arm only are counted; a label
// that differs means that the arms were measured on different data.
func pairUp(a, b []Item) (pairs []pair, alone int, err error) {
	other := map[string]Item{}
	for _, i := range b {
		other[i.ID] = i
	}
	for _, x := range a {
		y, ok := other[x.ID]
		if !ok {
			continue
		}
		if x.Label != y.Label {
			return nil, 0, fmt.Errorf("item %.80q has label %.80q in one arm and %.80q in the other: the arms were not measured on the same data", x.ID, x.Label, y.Label)
		}
		pairs = append(pairs, pair{x, y})
	}
	if len(pairs) == 0 {
		return nil, 0, errors.New("the arms have no item in common")
	}
	return pairs, len(a) + len(b) - 2*len(pairs), nil
}
