package compare

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// ExactReport says whether two runs, or two outputs, are the same to the last
// digit or byte: what a workaround has to show.
type ExactReport struct {
	Version int      `json:"version"`
	Values  int      `json:"values"` // compared as printed
	Files   int      `json:"files"`  // compared byte by byte
	Items   int      `json:"items"`  // predictions compared
	Parts   []Part   `json:"parts,omitempty"`
	OnlyA   []string `json:"only_in_a,omitempty"`
	OnlyB   []string `json:"only_in_b,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// Part is the first place where two things part.
type Part struct {
	What  string `json:"what"`  // the metric, file or item
	Where string `json:"where"` // step, line or byte
	A     string `json:"a"`
	B     string `json:"b"`
}

// Identical reports whether nothing parts and something was compared.
func (r *ExactReport) Identical() bool {
	return len(r.Parts)+len(r.OnlyA)+len(r.OnlyB) == 0 && r.Values+r.Files+r.Items > 0
}

// ExactValues compares all values that two runs print, speeds apart: they
// differ between runs of the very same program. The results must list every
// value.
func (r *ExactReport) ExactValues(a, b *verdict.Result) {
	va, order := printed(a)
	vb, orderB := printed(b)
	for _, k := range orderB {
		if va[k] == nil {
			order = append(order, k)
		}
	}
	for _, k := range order {
		r.sequence(k, va[k], vb[k])
	}
}

// printed lists the values of each metric in the order of the run.
func printed(res *verdict.Result) (values map[Key][]*verdict.Subject, order []Key) {
	values = map[Key][]*verdict.Subject{}
	for i := range res.Values {
		v := &res.Values[i]
		if v.Role == evidence.Speed {
			continue
		}
		k := Key{v.Name, v.Split}
		if values[k] == nil {
			order = append(order, k)
		}
		values[k] = append(values[k], v)
	}
	return values, order
}

func (r *ExactReport) sequence(k Key, a, b []*verdict.Subject) {
	for i := range min(len(a), len(b)) {
		r.Values++
		if a[i].Text != b[i].Text || a[i].Step != b[i].Step {
			r.Parts = append(r.Parts, Part{k.String(), place(a[i]), a[i].Text, b[i].Text})
			return
		}
	}
	if len(a) != len(b) {
		r.Parts = append(r.Parts, Part{k.String(), "number of values", fmt.Sprint(len(a)), fmt.Sprint(len(b))})
	}
}

func place(v *verdict.Subject) string {
	where := fmt.Sprintf("%s:%d", v.At.Source, v.At.Line)
	switch {
	case v.Step.Has:
		where = fmt.Sprintf("step %v, %s", v.Step.Last, where)
	case v.Epoch.Has:
		where = fmt.Sprintf("epoch %v, %s", v.Epoch.Last, where)
	}
	return where
}

// ExactItems compares predictions item by item.
func (r *ExactReport) ExactItems(a, b []Item) {
	other := map[string]Item{}
	for _, i := range b {
		other[i.ID] = i
	}
	for _, x := range a {
		y, ok := other[x.ID]
		if !ok {
			r.OnlyA = append(r.OnlyA, "item "+x.ID)
			continue
		}
		delete(other, x.ID)
		r.Items++
		if x != y {
			r.Parts = append(r.Parts, Part{"item " + x.ID, "prediction", x.Prediction, y.Prediction})
		}
	}
	for _, y := range b {
		if _, left := other[y.ID]; left {
			r.OnlyB = append(r.OnlyB, "item "+y.ID)
		}
	}
}

// ExactFiles compares all regular files of two folders byte by byte. skip
// names those that are compared otherwise: logs hold times.
func (r *ExactReport) ExactFiles(a, b fs.FS, skip func(name string) bool) error {
	inA, err := filesOf(a, skip)
	if err != nil {
		return err
	}
	inB, err := filesOf(b, skip)
	if err != nil {
		return err
	}
	for _, name := range inA {
		if !slices.Contains(inB, name) {
			r.OnlyA = append(r.OnlyA, name)
			continue
		}
		if err := r.file(a, b, name); err != nil {
			return err
		}
	}
	for _, name := range inB {
		if !slices.Contains(inA, name) {
			r.OnlyB = append(r.OnlyB, name)
		}
	}
	return nil
}

func filesOf(dir fs.FS, skip func(string) bool) (names []string, err error) {
	err = fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Type().IsRegular() && !skip(name) {
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

func (r *ExactReport) file(a, b fs.FS, name string) error {
	fa, err := a.Open(name)
	if err != nil {
		return err
	}
	defer fa.Close()
	fb, err := b.Open(name)
	if err != nil {
		return err
	}
	defer fb.Close()
	r.Files++
	part, err := firstByte(fa, fb)
	if err != nil {
		return fmt.Errorf("comparing %s: %w", name, err)
	}
	if part != nil {
		part.What = name
		r.Parts = append(r.Parts, *part)
	}
	return nil
}

// firstByte finds where two streams part; nil: nowhere.
func firstByte(a, b io.Reader) (*Part, error) {
	const buffer = 1 << 16
	ra, rb := bufio.NewReaderSize(a, buffer), bufio.NewReaderSize(b, buffer)
	for at := int64(0); ; at++ {
		x, errA := ra.ReadByte()
		y, errB := rb.ReadByte()
		endA, endB := errors.Is(errA, io.EOF), errors.Is(errB, io.EOF)
		switch {
		case errA != nil && !endA:
			return nil, errA
		case errB != nil && !endB:
			return nil, errB
		case endA && endB:
			return nil, nil
		case endA:
			return &Part{Where: fmt.Sprintf("byte %d", at), A: "ends", B: "goes on"}, nil
		case endB:
			return &Part{Where: fmt.Sprintf("byte %d", at), A: "goes on", B: "ends"}, nil
		case x != y:
			return &Part{Where: fmt.Sprintf("byte %d", at), A: fmt.Sprintf("%#02x", x), B: fmt.Sprintf("%#02x", y)}, nil
		}
	}
}
