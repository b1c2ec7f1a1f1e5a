// Package document reads metrics from a JSON file that is one value: result
// files, summaries, histories.
//
// Shapes, all streamed: a flat or nested object of numbers is one record; a
// list of objects, at the top or under a key, is a record each; a list of
// numbers under a key is a record each, named by the key. What is neither a
// number nor one of these is read over.
package document

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/trainvet/trainvet/logscan/metric/tolerant"
	"github.com/trainvet/trainvet/logscan/metric/value"
)

// Record is a group of values that were written together.
type Record struct {
	Offset int64
	End    int64
	Line   int64
	Path   string // key of the list that it was an item of; empty: the document itself
	Index  int    // place in that list; -1: not in a list
	Series bool   // one number of a list of numbers
	Values []value.Value
	Texts  map[string]string // short strings of the same object
}

// Info is what reading a whole document showed beside its records.
type Info struct {
	Records  int
	Repeated []string // keys that an object holds twice, the first few
}

const (
	maxNesting  = 3       // numbers are taken from objects this deep
	maxHeld     = 1 << 14 // numbers, and texts, held for the document's own record
	maxName     = 512     // longer names are no metric's
	maxText     = 256     // longer strings are no names or times
	maxRepeated = 16
)

// Read calls each for every record, the document's own one last. On an error
// of the input the records before it were handed over.
func Read(ctx context.Context, r io.Reader, each func(*Record) error) (Info, error) {
	d := &reader{json: tolerant.NewReader(r, tolerant.Limits{Token: 64 << 10, CutStrings: true}), each: each, ctx: ctx, at: make(map[string]int)}
	err := d.top()
	if err == nil || errors.Is(err, io.EOF) {
		return d.info, nil
	}
	return d.info, fmt.Errorf("reading a json document: %w", err)
}

type reader struct {
	json *tolerant.Reader
	each func(*Record) error
	ctx  context.Context
	info Info
	own  Record         // of the document itself
	at   map[string]int // places in own.Values
}

func (d *reader) top() error {
	tok, err := d.json.Next()
	if err != nil {
		return err
	}
	d.own = Record{Offset: tok.Offset, Line: tok.Line, Index: -1}
	switch tok.Kind {
	case tolerant.Object:
		err = d.object("", 1)
	case tolerant.Array:
		err = d.list("")
	}
	d.own.End = d.json.Offset()
	// What stands before a cut was written, and counts.
	if len(d.own.Values) > 0 {
		d.info.Records++
		if err := d.each(&d.own); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	_, err = d.json.Next()
	return err
}

// object reads the members of the object that was just opened.
func (d *reader) object(prefix string, depth int) error {
	for {
		tok, err := d.json.Next()
		if err != nil {
			return err
		}
		if tok.Kind == tolerant.ObjectEnd {
			return nil
		}
		name := prefix + string(tok.Text)
		if tok.Duplicate {
			d.repeated(name)
		}
		if tok, err = d.json.Next(); err != nil {
			return err
		}
		if err := d.member(name, depth, tok); err != nil {
			return err
		}
	}
}

func (d *reader) member(name string, depth int, tok tolerant.Token) error {
	switch tok.Kind {
	case tolerant.Object:
		if depth >= maxNesting {
			return d.json.SkipRest()
		}
		return d.object(name+"/", depth+1)
	case tolerant.Array:
		return d.list(name)
	case tolerant.Number, tolerant.String:
		d.scalar(name, tok)
	}
	return nil
}

func (d *reader) scalar(name string, tok tolerant.Token) {
	if len(name) > maxName {
		return
	}
	if f, ok := value.Parse(string(tok.Text)); ok {
		d.put(value.Value{
			Name: name, Text: string(tok.Text), Number: f,
			Quoted: tok.Kind == tolerant.String, Offset: tok.Offset,
		})
		return
	}
	if len(tok.Text) <= maxText && len(d.own.Texts) < maxHeld {
		if d.own.Texts == nil {
			d.own.Texts = make(map[string]string)
		}
		d.own.Texts[name] = string(tok.Text)
	}
}

// put keeps the last of repeated names, as every reader of such a file would.
func (d *reader) put(v value.Value) {
	if i, ok := d.at[v.Name]; ok {
		d.own.Values[i] = v
		return
	}
	if len(d.own.Values) < maxHeld {
		d.at[v.Name] = len(d.own.Values)
		d.own.Values = append(d.own.Values, v)
	}
}

// list reads the items of the list that was just opened.
func (d *reader) list(path string) error {
	for i := 0; ; i++ {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		tok, err := d.json.Next()
		if err != nil {
			return err
		}
		if tok.Kind == tolerant.ArrayEnd {
			return nil
		}
		if err := d.item(path, i, tok); err != nil {
			return err
		}
	}
}

func (d *reader) item(path string, i int, tok tolerant.Token) error {
	r := Record{Offset: tok.Offset, End: tok.End, Line: tok.Line, Path: path, Index: i}
	switch tok.Kind {
	case tolerant.Array:
		return d.json.SkipRest()
	case tolerant.Object:
		v, err := d.json.Build(tok)
		if err != nil {
			return err
		}
		for _, key := range v.Repeated() {
			d.repeated(key)
		}
		r.End, r.Values, r.Texts = v.End, v.Numbers(maxNesting), v.Texts(maxText)
	case tolerant.Number:
		if path == "" {
			return nil // numbers without a name
		}
		f, _ := value.Parse(string(tok.Text))
		r.Series = true
		r.Values = []value.Value{{Name: path, Text: string(tok.Text), Number: f, Offset: tok.Offset}}
	}
	if len(r.Values) == 0 {
		return nil
	}
	d.info.Records++
	return d.each(&r)
}

func (d *reader) repeated(key string) {
	if len(d.info.Repeated) < maxRepeated {
		d.info.Repeated = append(d.info.Repeated, key)
	}
}
