package logscan

import (
	"bytes"
	"errors"
	"io"

	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/source"
)

// lookBehind reads every metric record of the stretch before a new fault after
// which the process goes on: damage can precede the marker, and the judge looks
// there for the first record that deviates. What the samples had of the stretch
// is replaced. Markers and boundaries in it were found already.
func (fp *filteredPass) lookBehind() {
	fault := fp.c.lookFrom
	if fault < 0 {
		return
	}
	fp.c.lookFrom = -1
	from := max(0, fault-fp.e.lookBack)
	stretch := io.NewSectionReader(fp.from, from, fault-from)
	within, err := fp.countEnds(stretch)
	if err != nil {
		return // the pass itself meets the error, and says it
	}
	fp.c.tracks.cutFrom(from)
	reader := fp.e.borrowReader()
	defer fp.e.readers.Put(reader)
	add := func(r *metric.Record) {
		if len(r.Fields) > 0 {
			fp.c.tracks.add(r, 0)
		}
	}
	line := fp.c.lookLine - within
	fp.eachRecord(stretch, func(raw []byte, at int64, newLine bool) {
		fp.metrics(reader, raw, from+at, line, add)
		if newLine {
			line++
		}
	})
	reader.Close(add)
}

// piece is the buffer through which a stretch is read: it holds more than the
// longest record that is looked at.
func (fp *filteredPass) piece() []byte {
	if fp.stretch == nil {
		fp.stretch = make([]byte, 2*maxRecord)
	}
	return fp.stretch
}

// countEnds counts the '\n' of a stretch.
func (fp *filteredPass) countEnds(stretch *io.SectionReader) (int64, error) {
	var ends int64
	for at := int64(0); at < stretch.Size(); {
		n, err := stretch.ReadAt(fp.piece(), at)
		if err != nil && !errors.Is(err, io.EOF) || n == 0 {
			return 0, err
		}
		ends += int64(bytes.Count(fp.piece()[:n], newline))
		at += int64(n)
	}
	return ends, nil
}

// eachRecord calls fn with each record of a stretch, where it begins and whether
// it ends a line. Those that are too long to be looked at have no bytes.
func (fp *filteredPass) eachRecord(stretch *io.SectionReader, fn func(raw []byte, at int64, newLine bool)) {
	buf, held, long := fp.piece(), 0, false
	for at := int64(0); ; {
		n, err := stretch.ReadAt(buf[held:], at+int64(held))
		data := buf[:held+n]
		for {
			i := firstEnd(data)
			last := i < 0 && err != nil && len(data) > 0
			if last {
				i = len(data)
			}
			if i < 0 || len(data) == 0 {
				break
			}
			raw := data[:i]
			if long {
				raw, long = nil, false
			}
			fn(raw, at, !last && data[i] == '\n')
			rest := min(i+1, len(data))
			data, at = data[rest:], at+int64(rest)
		}
		if err != nil {
			return
		}
		if len(data) == len(buf) { // no end in all of it
			at, data, long = at+int64(len(data)), nil, true
		}
		held = copy(buf, data)
	}
}

var newline = []byte{'\n'}

// metrics reads the values of one record.
func (fp *filteredPass) metrics(r *metric.Reader, raw []byte, offset, line int64, add func(*metric.Record)) {
	if len(bytes.TrimSpace(raw)) == 0 || len(raw) > maxRecord {
		return
	}
	fp.behind = source.Line{Offset: offset, End: offset + int64(len(raw)), No: line}
	fp.clean = fp.in.Style.Parse(raw, fp.clean, &fp.behind)
	r.Line(&fp.behind, add)
}
