package metric

import (
	"context"
	"io"

	"github.com/trainvet/trainvet/logscan/metric/mlflow"
	metrictable "github.com/trainvet/trainvet/logscan/metric/table"
	"github.com/trainvet/trainvet/logscan/metric/value"
)

func (f *fileRun) table(ctx context.Context, r io.Reader) error {
	var header *metrictable.Header
	info, err := metrictable.Read(ctx, r, func(row *metrictable.Row) error {
		if header == nil {
			f.writer = f.tables.kindOf(f.kind, row.Header.Columns)
			f.epochBase(row.Values)
		}
		header = row.Header
		f.begin(place{row.Offset, row.End, row.Line})
		f.add(row.Values, row.Texts)
		f.end()
		return nil
	})
	f.res.Bytes, f.res.Lines = info.Bytes, info.Lines
	if info.Torn != nil {
		f.note("line %d: the last row was cut off and is left out: %s", info.Torn.Line, info.Torn.Why)
	}
	if info.Unended {
		f.note("line %d: the last row has no line end: its last value may be cut", info.Lines+1)
	}
	for _, b := range info.Bad {
		f.badPlace(b.Offset, b.Line, b.Zero, b.Why)
	}
	f.more(info.BadRows, len(info.Bad))
	return err
}

// epochBase: a writer that counts epochs from 0 while its console counts from
// 1 is brought to the console's count, so that both can be joined.
func (f *fileRun) epochBase(first []value.Value) {
	if f.writer == nil || !f.writer.epochFrom0 {
		return
	}
	for i := range first {
		if first[i].Name == "epoch" && first[i].Number == 0 {
			f.shift = 1
			f.note("epochs are counted from 0 in the file and from 1 here, as on the console")
			return
		}
	}
	f.writer = nil // looks alike and is another
}

func (f *fileRun) mlflow(ctx context.Context, r io.Reader) error {
	info, err := mlflow.Read(ctx, r, mlflow.Name(f.id), func(p *mlflow.Point) error {
		rec := f.begin(place{p.Offset, p.End, p.Line})
		if p.HasStep {
			rec.Step = Counter{Has: true, Name: "step", Value: float64(p.Step)}
		}
		rec.Time = f.clock.stamp("wall", p.Millis*1e6, 1e6, true)
		f.add([]value.Value{p.Value}, nil)
		f.end()
		return nil
	})
	f.res.Bytes, f.res.Lines = info.Bytes, info.Lines
	if info.Torn != nil {
		f.note("line %d: the last point was cut off and is left out: %s", info.Torn.Line, info.Torn.Why)
	}
	for _, b := range info.Bad {
		f.badPlace(b.Offset, b.Line, b.Zero, b.Why)
	}
	f.more(info.BadLines, len(info.Bad))
	return err
}
