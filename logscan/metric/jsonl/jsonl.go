// Package jsonl reads metrics from files with one JSON object a line.
//
// Lines that are no objects are counted and the first few reported: a log may
// hold banners. A line that was torn and then written over, so that two
// records share it, gives the later one. Dicts as Python prints them are read
// as well. Memory is one line, at most 4 MiB; longer ones are read over.
package jsonl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/trainvet/trainvet/logscan/metric/tolerant"
	"github.com/trainvet/trainvet/logscan/metric/value"
)

// Record is one line.
type Record struct {
	Offset int64
	End    int64
	Line   int64
	Values []value.Value
	Lists  []value.Value // of short arrays of numbers, as KEY_0, KEY_1
	Texts  map[string]string
}

// Info is what reading a whole file showed beside its records.
type Info struct {
	Bytes    int64
	Lines    int64
	Records  int64
	Bad      []Bad // the first few lines that could not be read
	BadLines int64
	Torn     *Bad     // the last line was cut off
	Repeated []string // keys that an object holds twice, the first few
}

// Bad is a line, or the beginning of one, that could not be read.
type Bad struct {
	Offset int64
	Line   int64
	Why    string
	Zero   bool // it holds NUL bytes
}

const (
	maxLine     = 4 << 20
	maxText     = 256
	maxNesting  = 2
	maxList     = 16
	maxBad      = 16
	maxRepeated = 16
)

// Read calls each for every record.
func Read(ctx context.Context, r io.Reader, each func(*Record) error) (Info, error) {
	j := &reader{
		src:  bufio.NewReaderSize(r, 64<<10),
		json: tolerant.NewReader(nil, tolerant.Limits{Token: 64 << 10, Values: 1 << 16, CutStrings: true, Python: true}),
		each: each,
	}
	for {
		if err := ctx.Err(); err != nil {
			return j.info, err
		}
		more, err := j.line()
		if err != nil {
			return j.info, err
		}
		if !more {
			return j.info, nil
		}
	}
}

type reader struct {
	src  *bufio.Reader
	json *tolerant.Reader
	each func(*Record) error
	buf  []byte
	info Info
}

// line reads one line; false behind the last.
func (j *reader) line() (bool, error) {
	start := j.info.Bytes
	j.buf = j.buf[:0]
	closed, long := false, false
	for !closed {
		part, err := j.src.ReadSlice('\n')
		j.info.Bytes += int64(len(part))
		if len(j.buf)+len(part) <= maxLine {
			j.buf = append(j.buf, part...)
		} else {
			long = true
		}
		switch {
		case err == nil:
			closed = true
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			if j.info.Bytes == start {
				return false, nil
			}
			j.info.Lines++
			return true, j.text(start, long, false)
		default:
			return false, fmt.Errorf("reading json lines at offset %d: %w", j.info.Bytes, err)
		}
	}
	j.info.Lines++
	return true, j.text(start, long, true)
}

func (j *reader) text(start int64, long, closed bool) error {
	if long {
		j.bad(start, fmt.Sprintf("it is longer than %d bytes", maxLine))
		return nil
	}
	text := bytes.TrimLeft(j.buf, " \t\r\xef\xbb\xbf")
	lead := int64(len(j.buf) - len(text))
	text = bytes.TrimRight(text, " \t\r\n")
	if len(text) == 0 {
		return nil
	}
	if text[0] != '{' {
		j.bad(start, "it holds no object")
		return nil
	}
	v, err := j.parse(text, start+lead)
	if err == nil {
		return j.emit(v)
	}
	if !closed {
		j.info.Torn = &Bad{Offset: start, Line: j.info.Lines, Why: err.Error()}
		return nil
	}
	j.bad(start, err.Error())
	// Torn, and the next record begun on the same line.
	if i := bytes.LastIndex(text[1:], []byte(`{"`)); i >= 0 {
		if v, err := j.parse(text[1+i:], start+lead+1+int64(i)); err == nil {
			return j.emit(v)
		}
	}
	return nil
}

func (j *reader) parse(text []byte, offset int64) (tolerant.Value, error) {
	j.json.Reset(bytes.NewReader(text), offset, j.info.Lines)
	v, err := j.json.ReadValue()
	if err != nil {
		return v, err
	}
	if _, err := j.json.Next(); !errors.Is(err, io.EOF) {
		return v, err
	}
	return v, nil
}

func (j *reader) emit(v tolerant.Value) error {
	for _, key := range v.Repeated() {
		if len(j.info.Repeated) < maxRepeated {
			j.info.Repeated = append(j.info.Repeated, key)
		}
	}
	r := Record{
		Offset: v.Offset, End: v.End, Line: v.Line,
		Values: v.Numbers(maxNesting), Lists: v.Lists(maxList), Texts: v.Texts(maxText),
	}
	if len(r.Values) == 0 {
		return nil
	}
	j.info.Records++
	return j.each(&r)
}

func (j *reader) bad(offset int64, why string) {
	j.info.BadLines++
	if len(j.info.Bad) < maxBad {
		zero := bytes.IndexByte(j.buf, 0) >= 0
		j.info.Bad = append(j.info.Bad, Bad{Offset: offset, Line: j.info.Lines, Why: why, Zero: zero})
	}
}
