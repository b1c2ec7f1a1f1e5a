// Package gomlx reads checkpoints of GoMLX without importing it: a JSON file
// that lists the variables, and a file of their bytes beside it, plain or
// behind a header and gzip.
//
// Two things are taken: scalars, among which the step counters and the loss
// scale are found that guards keep in the graph, and how many floating-point
// values of each variable are not finite. The bytes are streamed once; of a
// checkpoint of any size the list and one buffer are held. Lengths and places
// are not believed further than the file goes.
package gomlx

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Checkpoint is what was read.
type Checkpoint struct {
	Variables int
	Scalars   map[string]float64 // by path: /global_step
	NonFinite []NonFinite        // in the order of the file
	Unread    []string           // variables whose type is not known, the first few
}

// NonFinite is a variable that holds values that are NaN or infinite.
type NonFinite struct {
	Path  string
	N, Of int64
}

// NotCheckpointError says that the JSON is no list of variables.
type NotCheckpointError struct{ What string }

// Error says what is wrong with it.
func (e *NotCheckpointError) Error() string { return "no checkpoint of GoMLX: " + e.What }

// MaxList is how large the list of variables may be.
const MaxList = 64 << 20

const maxUnread = 8

// list is the JSON file.
type list struct {
	Variables []variable
	BinFormat string
}

type variable struct {
	ParameterName string
	Dimensions    []int64
	DType         string
	Pos, Length   int64
}

// path is the name without the prefix that GoMLX gives it.
func (v *variable) path() string { return strings.TrimPrefix(v.ParameterName, "var:") }

// Read reads the list, and the bytes if there are any. What was read before an
// error counts.
func Read(ctx context.Context, names, data io.Reader) (Checkpoint, error) {
	c := Checkpoint{Scalars: map[string]float64{}}
	text, err := io.ReadAll(io.LimitReader(names, MaxList+1))
	if err != nil {
		return c, fmt.Errorf("reading the list of variables: %w", err)
	}
	if len(text) > MaxList {
		return c, &NotCheckpointError{fmt.Sprintf("its list is longer than %d bytes", MaxList)}
	}
	var l list
	if err := json.Unmarshal(text, &l); err != nil {
		return c, fmt.Errorf("reading the list of variables: %w", err)
	}
	if len(l.Variables) == 0 {
		return c, &NotCheckpointError{"it lists no variables"}
	}
	c.Variables = len(l.Variables)
	if data == nil {
		return c, nil
	}
	if err := c.values(ctx, l.Variables, data); err != nil {
		return c, fmt.Errorf("reading the variables: %w", err)
	}
	return c, nil
}

// values walks through the bytes in their order.
func (c *Checkpoint) values(ctx context.Context, variables []variable, data io.Reader) error {
	r, err := unpack(data)
	if err != nil {
		return err
	}
	slices.SortStableFunc(variables, func(a, b variable) int { return cmp.Compare(a.Pos, b.Pos) })
	at := int64(0)
	for i := range variables {
		v := &variables[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if v.Pos < at || v.Length < 0 {
			return &NotCheckpointError{fmt.Sprintf("variable %.80q lies at %d, inside the one before it", v.ParameterName, v.Pos)}
		}
		if _, err := io.CopyN(io.Discard, r, v.Pos-at); err != nil {
			return cut(err)
		}
		if err := c.variable(v, r); err != nil {
			return cut(err)
		}
		at = v.Pos + v.Length
	}
	_, err = io.Copy(io.Discard, r) // up to the checksum
	return cut(err)
}

// cut makes one error of all the ways in which a file ends too early.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// variable reads one.
func (c *Checkpoint) variable(v *variable, r io.Reader) error {
	t, known := types[v.DType]
	if !known || v.Length%t.size != 0 {
		if len(c.Unread) < maxUnread {
			c.Unread = append(c.Unread, v.path())
		}
		_, err := io.CopyN(io.Discard, r, v.Length)
		return err
	}
	if len(v.Dimensions) == 0 && v.Length == t.size {
		var b [8]byte
		if _, err := io.ReadFull(r, b[:t.size]); err != nil {
			return err
		}
		c.Scalars[v.path()] = t.number(b[:t.size])
		if t.finite != nil && !t.finite(b[:t.size]) {
			c.NonFinite = append(c.NonFinite, NonFinite{v.path(), 1, 1})
		}
		return nil
	}
	n, err := t.count(io.LimitReader(r, v.Length), v.Length)
	if n > 0 {
		c.NonFinite = append(c.NonFinite, NonFinite{v.path(), n, v.Length / t.size})
	}
	return err
}
