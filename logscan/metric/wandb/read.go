package wandb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/trainvet/trainvet/logscan/metric/tolerant"
	"github.com/trainvet/trainvet/logscan/metric/value"
)

// History is one history record: the values of one log call.
type History struct {
	Offset int64
	End    int64
	Values []value.Value // nested keys joined by "/"
	Step   int64
	// HasStep: the record, or the item _step, says its step.
	HasStep bool
}

// Output is a piece of what the run printed, not always a whole line.
type Output struct {
	Offset int64
	End    int64
	Stream string // out, err
	Time   time.Time
	Text   string
}

// Run is what the run says of itself when it starts or goes on.
type Run struct {
	Offset       int64
	ID           string
	Host         string
	StartTime    time.Time
	StartingStep int64
	Resumed      bool
}

// Handler takes what is read; nil fields are not called. The first error ends
// the reading.
type Handler struct {
	History func(*History) error
	Output  func(*Output) error
	Run     func(*Run) error
}

// Info is what reading a whole file showed beside its records.
type Info struct {
	Bytes   int64
	Records int64
	Summary []value.Value // the last summary, by name; the offset is of the record that set it
	Exit    *int          // exit code; nil: the run was not closed
	Gaps    []Gap
	Tail    *Tail
	Bad     int64 // records whose sum holds and whose content is none
	Large   int64 // records above 4 MiB, read over
}

// maxSummary bounds the keys of the summary that are kept.
const maxSummary = 1 << 14

// Read reads a whole file.
func Read(ctx context.Context, r io.Reader, h Handler) (Info, error) {
	f := &file{
		log: newLog(r), handler: h, summary: map[string][]value.Value{},
		json: tolerant.NewReader(nil, tolerant.Limits{Token: 64 << 10, Values: 1 << 12, CutStrings: true}),
	}
	if err := f.log.open(); err != nil {
		return Info{}, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return f.finish(), err
		}
		data, from, to, err := f.log.next()
		if errors.Is(err, io.EOF) {
			return f.finish(), nil
		}
		if err != nil {
			return f.finish(), err
		}
		f.info.Records++
		if err := f.record(data, from, to); errors.Is(err, errMalformed) {
			f.info.Bad++
		} else if err != nil {
			return f.finish(), fmt.Errorf("reading a wandb run at offset %d: %w", from, err)
		}
	}
}

type file struct {
	log     *log
	handler Handler
	json    *tolerant.Reader
	summary map[string][]value.Value
	info    Info
}

func (f *file) finish() Info {
	f.info.Bytes = f.log.end()
	f.info.Gaps, f.info.Tail, f.info.Large = f.log.gaps, f.log.tail, f.log.over
	for _, values := range f.summary {
		f.info.Summary = append(f.info.Summary, values...)
	}
	slices.SortFunc(f.info.Summary, func(a, b value.Value) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return f.info
}

func (f *file) record(data []byte, from, to int64) error {
	var failed error
	err := walk(data, func(num protowire.Number, typ protowire.Type, raw []byte, _ uint64) {
		if failed != nil || typ != protowire.BytesType {
			return
		}
		switch num {
		case recordHistory:
			failed = f.history(raw, from, to)
		case recordSummary:
			failed = f.update(raw, from)
		case recordOutput, recordOutputRaw:
			failed = f.output(raw, from, to)
		case recordRun:
			failed = f.run(raw, from)
		case recordExit:
			failed = f.exit(raw)
		}
	})
	return errors.Join(failed, err)
}

func (f *file) history(raw []byte, from, to int64) error {
	if f.handler.History == nil {
		return nil
	}
	h := History{Offset: from, End: to}
	var failed error
	err := walk(raw, func(num protowire.Number, typ protowire.Type, raw []byte, _ uint64) {
		switch {
		case num == historyItem && typ == protowire.BytesType:
			it, err := parseItem(raw)
			failed = errors.Join(failed, err)
			h.Values = it.values(f.json, from, h.Values)
		case num == historyStep && typ == protowire.BytesType:
			h.HasStep = true
			failed = errors.Join(failed, walk(raw, func(num protowire.Number, typ protowire.Type, _ []byte, v uint64) {
				if num == stepNum && typ == protowire.VarintType {
					h.Step = int64(v)
				}
			}))
		}
	})
	if err := errors.Join(failed, err); err != nil {
		return err
	}
	h.orderValues()
	return f.handler.History(&h)
}

// orderValues sorts by name, for writers give the items in no order; and it
// takes the step from its item where the record has none of its own.
func (h *History) orderValues() {
	slices.SortStableFunc(h.Values, func(a, b value.Value) int {
		switch {
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	})
	for _, v := range h.Values {
		if v.Name == "_step" && !h.HasStep {
			h.Step, h.HasStep = int64(v.Number), true
		}
	}
}

func (f *file) update(raw []byte, from int64) error {
	var failed error
	err := walk(raw, func(num protowire.Number, typ protowire.Type, raw []byte, _ uint64) {
		if typ != protowire.BytesType || num != summaryUpdate && num != summaryRemove {
			return
		}
		it, err := parseItem(raw)
		failed = errors.Join(failed, err)
		values := it.values(f.json, from, nil)
		if num == summaryRemove || len(values) == 0 {
			delete(f.summary, it.key)
			return
		}
		if _, known := f.summary[it.key]; known || len(f.summary) < maxSummary {
			f.summary[it.key] = values
		}
	})
	return errors.Join(failed, err)
}

func (f *file) output(raw []byte, from, to int64) error {
	if f.handler.Output == nil {
		return nil
	}
	o := Output{Offset: from, End: to, Stream: "err"} // number 0, which is not written
	err := walk(raw, func(num protowire.Number, typ protowire.Type, raw []byte, v uint64) {
		switch {
		case num == outputType && typ == protowire.VarintType && v == 1:
			o.Stream = "out"
		case num == outputTime && typ == protowire.BytesType:
			o.Time = timestamp(raw)
		case num == outputLine && typ == protowire.BytesType:
			o.Text = string(raw)
		}
	})
	if err != nil {
		return err
	}
	return f.handler.Output(&o)
}

func (f *file) run(raw []byte, from int64) error {
	r := Run{Offset: from}
	err := walk(raw, func(num protowire.Number, typ protowire.Type, raw []byte, v uint64) {
		switch {
		case num == runID && typ == protowire.BytesType:
			r.ID = string(raw)
		case num == runHost && typ == protowire.BytesType:
			r.Host = string(raw)
		case num == runStart && typ == protowire.VarintType:
			r.StartingStep = int64(v)
		case num == runStartTime && typ == protowire.BytesType:
			r.StartTime = timestamp(raw)
		case num == runResumed && typ == protowire.VarintType:
			r.Resumed = v != 0
		}
	})
	if err != nil || f.handler.Run == nil {
		return err
	}
	return f.handler.Run(&r)
}

func (f *file) exit(raw []byte) error {
	code := 0
	err := walk(raw, func(num protowire.Number, typ protowire.Type, _ []byte, v uint64) {
		if num == exitCode && typ == protowire.VarintType {
			code = int(int32(v))
		}
	})
	f.info.Exit = &code
	return err
}

func formatFloat(bits uint64) string {
	return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }
