package logscan

import (
	"bytes"

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
	buf := make([]byte, fault-from)
	n, err := fp.from.ReadAt(buf, from)
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
	line := fp.c.lookLine - int64(bytes.Count(buf[:n], newline))
	for at := 0; at < n; {
		end := n
		if i := firstEnd(buf[at:n]); i >= 0 {
			end = at + i
		}
		fp.metrics(reader, buf[at:end], from+int64(at), line, add)
		if end < n && buf[end] == '\n' {
			line++
		}
		at = end + 1
	}
	reader.Close(add)
}

var newline = []byte{'\n'}

// metrics reads the values of one record.
func (fp *filteredPass) metrics(r *metric.Reader, raw []byte, offset, line int64, add func(*metric.Record)) {
	if len(bytes.TrimSpace(raw)) == 0 || len(raw) > maxRecord {
		return
	}
	l := source.Line{Offset: offset, End: offset + int64(len(raw)), No: line}
	fp.clean = fp.in.Style.Parse(raw, fp.clean, &l)
	r.Line(&l, add)
}
