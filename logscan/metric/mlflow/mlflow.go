// Package mlflow reads a metric of an MLflow file store: the file metrics/NAME
// of a run, one line a point: time in milliseconds, value, step. Old files
// have no step; new ones may name a data set behind it.
package mlflow

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/metric/value"
)

// Point is one line.
type Point struct {
	Offset int64
	End    int64
	Line   int64
	Millis int64 // since 1970
	Value  value.Value
	Step   int64
	// HasStep is false in files of old versions.
	HasStep bool
}

// Info is what reading a whole file showed beside its points.
type Info struct {
	Bytes int64
	Lines int64
	Torn  *Bad // the last line was cut off
	Bad   []Bad
	// BadLines counts all lines that could not be read.
	BadLines int64
}

// Bad is a line that could not be read.
type Bad struct {
	Offset int64
	Line   int64
	Why    string
	Zero   bool
}

const (
	maxLine = 64 << 10
	maxBad  = 16
)

// Name gives the metric's name from the path of its file: what stands behind
// the folder metrics.
func Name(file string) string {
	file = strings.ReplaceAll(file, "\\", "/")
	if i := strings.LastIndex(file, "/metrics/"); i >= 0 {
		return file[i+len("/metrics/"):]
	}
	return path.Base(strings.TrimPrefix(file, "metrics/"))
}

// Read calls each for every point of the metric with the given name.
func Read(ctx context.Context, r io.Reader, name string, each func(*Point) error) (Info, error) {
	var info Info
	src := bufio.NewReaderSize(r, maxLine)
	for {
		if err := ctx.Err(); err != nil {
			return info, err
		}
		start := info.Bytes
		line, err := src.ReadSlice('\n')
		info.Bytes += int64(len(line))
		if len(line) > 0 {
			info.Lines++
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			info.bad(Bad{Offset: start, Line: info.Lines, Why: fmt.Sprintf("it is longer than %d bytes", maxLine)})
			if err = info.readOver(src); err == nil {
				continue
			}
		}
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return info, fmt.Errorf("reading a metric of mlflow at offset %d: %w", start, err)
		}
		if info.Bytes-start > maxLine {
			return info, nil
		}
		p := Point{Offset: start, End: info.Bytes, Line: info.Lines}
		switch why := p.parse(string(line), name); {
		case strings.TrimSpace(string(line)) == "":
		case why == "":
			if err := each(&p); err != nil {
				return info, err
			}
		case end:
			info.Torn = &Bad{Offset: start, Line: info.Lines, Why: why}
		default:
			info.bad(Bad{Offset: start, Line: info.Lines, Why: why, Zero: strings.ContainsRune(string(line), 0)})
		}
		if end {
			return info, nil
		}
	}
}

// readOver reads to the end of the line.
func (i *Info) readOver(src *bufio.Reader) error {
	for {
		part, err := src.ReadSlice('\n')
		i.Bytes += int64(len(part))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

func (i *Info) bad(b Bad) {
	i.BadLines++
	if len(i.Bad) < maxBad {
		i.Bad = append(i.Bad, b)
	}
}

// parse reads a line, or says why it cannot. The last field of a line without
// its end may be cut, so that line needs its step whole: it is not taken.
func (p *Point) parse(line, name string) string {
	fields := strings.Fields(line)
	if n := len(fields); n != 2 && n != 3 && n != 5 {
		return fmt.Sprintf("it has %d fields, not time, value and step", n)
	}
	if !strings.HasSuffix(line, "\n") {
		return "the file ends in it"
	}
	var err error
	if p.Millis, err = strconv.ParseInt(fields[0], 10, 64); err != nil {
		return "its time is no number of milliseconds"
	}
	f, ok := value.Parse(fields[1])
	if !ok {
		return "its value is no number"
	}
	p.Value = value.Value{Name: name, Text: fields[1], Number: f, Offset: p.Offset}
	if len(fields) > 2 {
		if p.Step, err = strconv.ParseInt(fields[2], 10, 64); err != nil {
			return "its step is no number"
		}
		p.HasStep = true
	}
	return ""
}
